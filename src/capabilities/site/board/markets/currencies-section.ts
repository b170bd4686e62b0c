import type { OfficialRateWithChange } from '../../../../client/types.ts';
import { caracasDayOf } from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { nearDayText, percentText, rateText } from '../../frame/format.ts';
import { BOARD_TEXTS } from '../../texts/texts.ts';
import { ageMark, type BoardReader } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';
import { isOfficialLate } from '../late-warning.ts';
import { moved } from '../moved.ts';
import { officialDollar } from '../staleness.ts';

interface CurrenciesParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
}

const IN_TABLE = ['CNY', 'TRY', 'RUB'] as const;

/** The other currencies of the central bank, which have no market: the rate in force and the next one. */
export function CurrenciesSection({ figures, reader }: CurrenciesParts): Html {
  const { language, now } = reader;
  const texts = BOARD_TEXTS[language];
  const today = caracasDayOf(now);
  const near = (day: string) => nearDayText(day, today, language);
  // One page of the bank has them all: what holds for the dollar holds for them.
  const dollar = officialDollar(figures);
  const shown = IN_TABLE.filter((one) => figures.official[one] !== undefined);
  if (shown.length === 0) return undefined;
  const cell = (
    rate: Pick<OfficialRateWithChange, 'rate' | 'value_date'> | undefined,
    more?: Html,
  ) =>
    rate === undefined
      ? html`<td class="figure">–</td>`
      : html`<td class="figure">${rateText(rate.rate, language)}<br /><small class="quiet">${near(rate.value_date)}</small>${more}</td>`;
  const row = (currency: (typeof IN_TABLE)[number]) => {
    const { in_force: inForce, next } = figures.official[currency] ?? {};
    const doubt = figures.in_doubt?.find((one) => one.currency === currency);
    // Beside an old rate its change would look like news.
    const change = isOfficialLate(figures, now) ? undefined : inForce?.change;
    return html`<tr><th scope="row">${texts.currencyNames[currency]} <small class="quiet">${currency}</small></th>
${cell(inForce)}<td class="figure change roomy">${change && moved(percentText(change.percent, language))}</td>${cell(next ?? doubt, next === undefined && html`<br /><span class="late">${texts.notConfirmed}</span>`)}</tr>
`;
  };
  return html`<section class="panel"><h2 id="currencies-heading">${texts.currencies}</h2>
<div id="currencies"><p class="quiet">${texts.currenciesAbout} ${dollar && ageMark(dollar, reader)}</p>
<div class="scroll" role="region" aria-label="${texts.currencies}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.currency}</th><th scope="col" class="figure">${texts.inForce}</th><th scope="col" class="figure roomy">${texts.changed}</th><th scope="col" class="figure">${texts.nextRate}</th></tr></thead>
<tbody>
${shown.map(row)}</tbody></table></div></div></section>`;
}
