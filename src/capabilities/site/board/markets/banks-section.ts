import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { dateInWords, rateText, shortDay } from '../../frame/format.ts';
import type { BoardTexts } from '../../texts/es/board.ts';
import { BOARD_TEXTS } from '../../texts/texts.ts';
import { age, type BoardReader } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';

/** The demonstration marks its banks in Spanish, the language of the BCV's table. */
const SIMULATED_BANK = /^(.+) \(simulado\)$/;

function bankName(bank: string, { bankSimulated }: BoardTexts): Html {
  const [, name] = SIMULATED_BANK.exec(bank) ?? [];
  if (name === undefined) return bank;
  return html`${name} <span class="quiet">(${bankSimulated})</span>`;
}

interface BanksParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
}

/** The rates of the banks. */
export function BanksSection({ figures: { banks: table }, reader }: BanksParts): Html {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  const rate = (value: number | undefined) => value !== undefined && rateText(value, language);
  const shown =
    table === undefined
      ? html`<p class="quiet">${texts.noBanks}</p>`
      : html`<p class="quiet">${texts.banksAbout(dateInWords(table.indicator_date, language))} ${age(table.captured_at, reader)}</p>
<div class="scroll" role="region" aria-label="${texts.banks}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.bank}</th><th scope="col" class="figure">${texts.bankBuys}</th><th scope="col" class="figure">${texts.bankSells}</th><th scope="col" class="figure roomy">${texts.date}</th></tr></thead>
<tbody>
${table.bank_rates.map(
  ({ bank, buy, sell, date, stale }) =>
    html`<tr><th scope="row">${bankName(bank, texts)}${
      stale && html`<br /><span class="stale">${shortDay(date, language)}</span>`
    }</th><td class="figure">${rate(buy)}</td><td class="figure">${rate(sell)}</td><td class="figure roomy">${shortDay(date, language)}</td></tr>
`,
)}</tbody></table></div>`;
  return html`<section class="panel"><h2>${texts.banks}</h2>
<div id="banks">${shown}</div></section>`;
}
