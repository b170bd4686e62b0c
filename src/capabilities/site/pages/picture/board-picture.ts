import { OFFICIAL_USD, PARALLEL_MARKET } from '../../../../core/domain/markets.ts';
import { caracasDayOf } from '../../../../core/domain/time.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { html } from '../../../../core/http/framework/encoding/html.ts';
import type { BoardDays, BoardFigures, ConvertibleRate } from '../../board/board-figures.ts';
import type { sharedConversion } from '../../board/converter/share-tags.ts';
import { officialSteps } from '../../board/hero/step-curve.ts';
import { datedRates, doubtOf } from '../../board/staleness.ts';
import { bolivarText, momentText, percentText, rateText, weekdayText } from '../../frame/format.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS, PICTURE_TEXTS } from '../../texts/texts.ts';
import { curveBehind } from './picture-curve.ts';
import {
  entries,
  framed,
  largeFigure,
  line,
  PICTURE_COLOURS,
  type PictureEntry,
} from './picture-frame.ts';

interface PictureOf {
  readonly language: Language;
  readonly isDemo: boolean;
  readonly conversion: ReturnType<typeof sharedConversion>;
  readonly days: BoardDays;
}

/** The preview picture of a link to the board: the linked conversion, or the rates; and their time. */
export function boardPicture(figures: BoardFigures, of: PictureOf): string {
  const { language, conversion, days } = of;
  const texts = PICTURE_TEXTS[language];
  const words = BOARD_TEXTS[language];
  const today = caracasDayOf(Date.parse(figures.as_of));
  const curve = () => curveBehind(officialSteps(days, figures, today), today);
  const rates = datedRates(figures);
  const find = (id: string) => rates.find(({ market }) => market === id);
  const [dollar, parallel] = [find(OFFICIAL_USD), find(PARALLEL_MARKET)];
  if (conversion !== undefined) {
    const { left, right, name, rate } = conversion;
    const about = [
      { label: texts.rate, value: bolivarText(rateText(rate.mid, language)) },
      timeOf(rate, language),
      { label: texts.source, value: name },
    ];
    const notes = doubtsOf(rate, { figures, language });
    const isOfficial = rate.market === OFFICIAL_USD && rate.as_of === undefined;
    const shown = content({ above: `${left} =`, large: right, about, notes });
    return framed(isOfficial ? [curve(), shown] : shown, of);
  }
  if (dollar === undefined) {
    return framed(line(texts.none, { y: 340, size: 72, weight: 700 }), of);
  }
  const next = figures.official['USD']?.next;
  const about: readonly PictureEntry[] = [
    ...(next
      ? [
          {
            label: `${texts.from} ${weekdayText(next.value_date, language)}`,
            value: bolivarText(rateText(next.rate, language)),
          },
        ]
      : []),
    ...(parallel
      ? [{ label: words.parallel, value: bolivarText(rateText(parallel.mid, language)) }]
      : []),
    ...(figures.gap
      ? [{ label: words.premium, value: percentText(figures.gap.spread.percentage, language) }]
      : []),
  ];
  const isLate = doubtOf(dollar, Date.parse(figures.as_of)) !== false;
  const time = isLate ? lateTimeOf(dollar, language) : timeOf(dollar, language);
  const notes = [
    ...doubtsOf(dollar, { figures, language }),
    ...(parallel
      ? doubtsOf(parallel, { figures, language }).map((note) => `${words.parallel}: ${note}`)
      : []),
  ];
  const above = `${words.officialNames.USD} · ${time.label.toLowerCase()} ${time.value}`;
  const large = bolivarText(rateText(dollar.mid, language));
  return framed([curve(), content({ above, large, about, notes })], of);
}

function content({
  above,
  large,
  about,
  notes,
}: {
  readonly above: string;
  readonly large: string;
  readonly about: readonly PictureEntry[];
  readonly notes: readonly string[];
}) {
  const note = notes.join(' · ');
  return html`${line(above, { y: 208, size: 48 })}${largeFigure(large, note !== '')}${
    about.length > 0 && entries(about, 440)
  }${note !== '' && line(note, { y: 146, size: 38, weight: 700, colour: PICTURE_COLOURS.late })}`;
}

/** When the rate is of. */
function timeOf(rate: ConvertibleRate, language: Language): PictureEntry {
  const texts = PICTURE_TEXTS[language];
  const { as_of: past, effective_date: day, updated_at: updatedAt } = rate;
  if (past !== undefined) {
    const asked = weekdayText(past.date, language);
    if (day === undefined || day === past.date) return { label: texts.on, value: asked };
    const { forDay } = CONVERTER_TEXTS[language];
    return { label: `${texts.rate} ${forDay(asked)}`, value: weekdayText(day, language) };
  }
  if (day !== undefined) return { label: texts.since, value: weekdayText(day, language) };
  return { label: texts.read, value: momentText(Date.parse(updatedAt), language) };
}

/** An old rate is of its day: it no longer holds since then. */
function lateTimeOf(
  { effective_date: day = '' }: ConvertibleRate,
  language: Language,
): PictureEntry {
  return { label: PICTURE_TEXTS[language].on, value: weekdayText(day, language) };
}

/** What a reader must know of the rate: its unit, and whether it is out of date. */
function doubtsOf(
  rate: ConvertibleRate,
  { figures, language }: { readonly figures: BoardFigures; readonly language: Language },
): readonly string[] {
  const { as_of: past, unit_changes: changes } = rate;
  if (past !== undefined) return changes ? [CONVERTER_TEXTS[language].inItsUnit] : [];
  const doubt = doubtOf(rate, Date.parse(figures.as_of));
  return doubt === false ? [] : [PICTURE_TEXTS[language][doubt]];
}
