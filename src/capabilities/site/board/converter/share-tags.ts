import { caracasDayOf } from '../../../../core/domain/time.ts';
import type { Html } from '../../../../core/http/framework/encoding/html.ts';
import { rateText, weekdayText } from '../../frame/format.ts';
import { linkPreview } from '../../frame/link-preview.ts';
import type { PageView } from '../../frame/page-view.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS } from '../../texts/texts.ts';
import { nameIn } from '../age.ts';
import type { BoardData } from '../board-data.ts';
import { lateWords } from '../late-warning.ts';
import { officialDollar } from '../staleness.ts';
import { conversionAddress, convertTyped } from './converter.ts';
import { ratesOf } from './converter-days.ts';
import { doubtWords, sidesOf } from './converter-words.ts';

/** `figures` are those of `withLateOfficial`. */
type SharedConversion = Pick<BoardData, 'figures' | 'past' | 'request' | 'language'>;

export function asksForConversion(query: URLSearchParams): boolean {
  return query.has('amount') || query.has('via');
}

/** The preview of a link to the board in a chat: the rate, or the linked conversion. */
export function shareTags({ publicUrl, notice, query }: PageView, shared: SharedConversion): Html {
  const { figures, language } = shared;
  const conversion = asksForConversion(query) ? sharedConversion(shared) : undefined;
  const { title, address } = conversion ?? officialTitle(shared);
  // The operator's warning stands on every page: the demonstration has one.
  const late = lateWords(figures, { language, now: Date.parse(figures.as_of) });
  const warnings = [notice?.[language], late?.heading].filter((text) => text !== undefined);
  return linkPreview({
    title,
    description: warnings.length > 0 ? warnings.join(' ') : BOARD_TEXTS[language].description,
    address: `${publicUrl}${address}`,
    // Chats cache pictures by address, so each rate and each conversion needs its own address.
    picture: `${publicUrl}/board/picture.png${address.slice(1)}&v=${figures.version}`,
    language,
  });
}

/** A conversion as the title of a link and its picture show it; undefined without a result. */
export function sharedConversion({ figures, past, request, language }: SharedConversion) {
  const today = caracasDayOf(Date.parse(figures.as_of));
  const rates = ratesOf(request, { figures, past: past?.rates, today }) ?? [];
  const { done } = convertTyped(request, rates, language);
  if (done === undefined) return undefined;
  const { rate } = done;
  const { left, right } = sidesOf(done, language);
  const name = nameIn(rate, language);
  const { as_of: asOf, unit_changes: changes } = rate;
  const day = asOf ? ` · ${weekdayText(asOf.date, language)}` : '';
  const unit = changes ? `, ${CONVERTER_TEXTS[language].inItsUnit}` : '';
  const late = doubtWords(rate, language, Date.parse(figures.as_of)).join('');
  const title = `${left} = ${right} · ${name}${day}${unit}${late}`;
  const [address = '/?'] = conversionAddress(done, { language, languageChosen: true }).split('#');
  return { left, right, name, rate, title, address };
}

function officialTitle({ figures, language }: SharedConversion) {
  const texts = BOARD_TEXTS[language];
  const dollar = officialDollar(figures);
  const address = `/?lang=${language}`;
  if (dollar === undefined) return { title: texts.title, address };
  const late = doubtWords(dollar, language, Date.parse(figures.as_of)).join('');
  const title = `${texts.officialNames.USD}: Bs. ${rateText(dollar.mid, language)}${late}`;
  return { title, address };
}
