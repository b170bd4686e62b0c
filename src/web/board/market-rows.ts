import type { BoardRate } from '../../client/types.ts';
import { SOURCES_AGREE_PERCENT } from '../../domain/quotes.ts';
import { dateInWords, momentText, percentText, rateText, shortDay } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { age, type BoardReader, nameIn, rateAge, sourceText, staleMark } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS, type BoardTexts } from './board-texts.ts';
import { CONFIDENCE_TEXTS } from './confidence-texts.ts';
import { datedRates, premiumStaleFrom } from './staleness.ts';

const NONE = '–';
/** The demonstration marks its banks in Spanish, the language of the BCV's table. */
const SIMULATED_BANK = /^(.+) \(simulado\)$/;

const side = (value: number | undefined, language: Language) =>
  value === undefined ? NONE : rateText(value, language);

/** The rows of the table of markets. The filter above the table uses their types. */
export function marketRows(figures: BoardFigures, reader: BoardReader): Html {
  const { rates, missing = [] } = figures;
  const { language } = reader;
  return html`${datedRates(figures).map(
    (
      row,
    ) => html`<tr class="kind-${row.type}"><th scope="row">${nameIn(row, language)} <span class="quiet code">${row.base}</span><br />${sourceLine(row, reader)}${doubtMark(row, language)}</th>
<td class="figure strong">${rateText(row.mid, language)}</td>
<td class="figure roomy">${side(row.ask, language)}</td>
<td class="figure roomy">${side(row.bid, language)}</td>
<td class="figure">${
      row.gap_percent === undefined
        ? NONE
        : html`${percentText(row.gap_percent, language)}${staleMark(premiumStaleFrom(row, rates), reader)}`
    }</td>
<td class="figure">${rateAge(row, reader, { bare: true })}</td></tr>
`,
  )}${missing.map((market) => missingRow(market, language))}`;
}

/** The row of a market whose last rate is too old, or whose source gives none. */
function missingRow(
  market: NonNullable<BoardFigures['missing']>[number],
  language: Language,
): Html {
  const { missing, missingAbout } = BOARD_TEXTS[language];
  return html`<tr class="kind-${market.type} without"><th scope="row">${nameIn(market, language)} <span class="quiet code">${market.base}</span></th>
<td class="figure">${NONE}</td>
<td class="figure roomy">${NONE}</td>
<td class="figure roomy">${NONE}</td>
<td class="figure" colspan="2"><span class="stale" title="${missingAbout}">${missing}</span></td></tr>
`;
}

function doubtMark({ in_doubt: isInDoubt }: BoardRate, language: Language): Html {
  const { inDoubt, inDoubtAbout } = BOARD_TEXTS[language];
  return isInDoubt && html` <span class="late small" title="${inDoubtAbout}">${inDoubt}</span>`;
}

/** The source of a rate. The tooltip says how reliable the rate is. */
function sourceLine(row: BoardRate, reader: BoardReader): Html {
  const texts = BOARD_TEXTS[reader.language];
  const source = sourceText(row, texts, true);
  const confidence = confidenceText(row, reader);
  if (confidence === undefined) return html`<span class="quiet small">${source}</span>`;
  return html`<span class="quiet small" title="${confidence}">${source}${
    row.details?.held !== null && html` <span class="late">${texts.newerHeld}</span>`
  }</span>`;
}

/** The evidence for a rate, a line for each point; undefined without any. */
function confidenceText(
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

function bankName(bank: string, { bankSimulated }: BoardTexts): Html {
  const [, name] = SIMULATED_BANK.exec(bank) ?? [];
  if (name === undefined) return bank;
  return html`${name} <span class="quiet">(${bankSimulated})</span>`;
}

export function banks({ banks: table }: BoardFigures, reader: BoardReader): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  if (table === undefined) return html`<p class="quiet">${texts.noBanks}</p>`;
  return html`<p class="quiet">${texts.banksAbout(dateInWords(table.indicator_date, language))} ${age(table.captured_at, reader)}</p>
<div class="scroll" role="region" aria-label="${texts.banks}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.bank}</th><th scope="col" class="figure">${texts.bankBuys}</th><th scope="col" class="figure">${texts.bankSells}</th><th scope="col" class="figure roomy">${texts.date}</th></tr></thead>
<tbody>
${table.bank_rates.map(
  ({ bank, buy, sell, date, stale }) =>
    html`<tr><th scope="row">${bankName(bank, texts)}${
      stale && html`<br /><span class="stale">${shortDay(date, language)}</span>`
    }</th><td class="figure">${side(buy, language)}</td><td class="figure">${side(sell, language)}</td><td class="figure roomy">${shortDay(date, language)}</td></tr>
`,
)}</tbody></table></div>`;
}
