import type { BoardRate } from '../../client/types.ts';
import { SOURCES_AGREE_PERCENT } from '../../domain/quotes.ts';
import { momentText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { type BoardReader, sourceText } from './age.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { CONFIDENCE_TEXTS } from './confidence-texts.ts';

/** The evidence for a rate, a line for each point; undefined without any. */
export function confidenceText(
  row: BoardRate,
  { language }: Pick<BoardReader, 'language'>,
): string | undefined {
  const { details } = row;
  if (details === undefined) return undefined;
  const { sources, observed_at: observedAt, held } = details;
  const texts = CONFIDENCE_TEXTS[language];
  const moment = (time: string) => momentText(Date.parse(time), language);
  return [
    texts.source(sourceText(row, BOARD_TEXTS[language])),
    texts.sources(sources, SOURCES_AGREE_PERCENT),
    texts.observed(moment(observedAt)),
    held === null
      ? texts.notHeld
      : texts.held(moment(held.captured_at), heldReasonText(held.reason, language)),
  ].join('\n');
}
