import { caracasDayOf } from '../../../domain/time.ts';
import { rateText, weekdayText } from '../../frame/format.ts';
import type { Html } from '../../frame/html.ts';
import { linkPreview } from '../../frame/link-preview.ts';
import type { PageView } from '../../frame/page-view.ts';
import { BOARD_TEXTS, CONVERTER_TEXTS } from '../../texts/texts.ts';
import { nameIn } from '../age.ts';
import type { BoardData } from '../board-data.ts';
import { conversionAddress, convertTyped } from './converter.ts';
import { ratesOf } from './converter-days.ts';
import { sidesOf } from './converter-words.ts';

type SharedConversion = Pick<BoardData, 'figures' | 'past' | 'request' | 'language'>;

export function asksForConversion(query: URLSearchParams): boolean {
  return query.has('amount') || query.has('via');
}

/** The preview of a link to the board in a chat: the rate, or the linked conversion. */
export function shareTags({ publicUrl, notice, query }: PageView, shared: SharedConversion): Html {
  const { figures, language } = shared;
  const conversion = asksForConversion(query) ? sharedConversion(shared) : undefined;
  const { title, address } = conversion ?? officialTitle(shared);
  return linkPreview({
    title,
    // The operator's warning stands on every page: the demonstration has one.
    description: notice?.[language] ?? BOARD_TEXTS[language].description,
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
  const title = `${left} = ${right} · ${name}${day}${unit}`;
  const [address = '/?'] = conversionAddress(done, { language, languageChosen: true }).split('#');
  return { left, right, name, rate, title, address };
}

function officialTitle({ figures, language }: SharedConversion) {
  const texts = BOARD_TEXTS[language];
  const rate = figures.official['USD']?.in_force?.rate;
  const address = `/?lang=${language}`;
  if (rate === undefined) return { title: texts.title, address };
  return { title: `${texts.officialNames.USD}: Bs. ${rateText(rate, language)}`, address };
}
