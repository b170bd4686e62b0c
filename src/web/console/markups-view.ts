import type { Rate } from '../../client/types.ts';
import { subtract, toNumber } from '../../domain/decimal.ts';
import { applyMarkup, MARKUP_KINDS, type MarkupRule } from '../../domain/markup.ts';
import { ageSec, type Instant } from '../../domain/time.ts';
import { readTypedAmount } from '../frame/amount.ts';
import { exactText, rateText, signedText, withPercent } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { table } from '../frame/table.ts';
import { type ConsoleReader, filled } from './console-reader.ts';
import { formEnd } from './key-form.ts';
import { nameList } from './plan-view.ts';

type ShownRate = Pick<Rate, 'market' | 'base' | 'mid' | 'updated_at' | 'stale_after_sec'>;

/** With the names of markets in the reader's language by id. */
interface MarkupReader extends ConsoleReader {
  readonly marketNames: Readonly<Record<string, string>>;
}

/** The name of a market; its id when it is no longer in the catalogue. */
function nameOf(market: string, { marketNames }: MarkupReader): string {
  return marketNames[market] ?? market;
}

const RATE_CHANGE = { min: 4, max: 4 };
const EXAMPLE_PERCENT = 3.5;

function amountText({ kind, value }: MarkupRule, language: Language): string {
  const amount = `${value > 0 ? '+' : ''}${exactText(value, language)}`;
  if (kind === 'fixed') return `${amount}\u00a0VES`;
  return withPercent(amount, language);
}

export function rulesView(
  rules: readonly MarkupRule[],
  { isReadOnly }: { readonly isReadOnly: boolean },
  reader: MarkupReader,
): Html {
  const { language, texts } = reader;
  const button = (name: string, label: string, tag: string) =>
    html`<button type="button" ...${{ [`data-${name}`]: tag }}>${label}<span class="unseen"> ${tag}</span></button>`;
  const actions = ({ tag }: MarkupRule) =>
    html`<span class="buttons">${button('edit', texts.edit, tag)} ${button('delete', texts.remove, tag)}</span>`;
  const list =
    rules.length === 0
      ? html`<p class="empty">${texts.noRules}</p>`
      : table(
          texts.rules,
          [
            { label: texts.tag },
            { label: texts.amount, kind: 'figure' },
            { label: texts.markets },
            ...(isReadOnly ? [] : [{ label: texts.action, kind: 'action' as const }]),
          ],
          rules.map((rule) => [
            html`<code>${rule.tag}</code>${!rule.active && html` <span class="tag">${texts.inactive}</span>`}`,
            amountText(rule, language),
            nameList(rule.markets.map((market) => nameOf(market, reader))) ?? texts.allMarkets,
            ...(isReadOnly ? [] : [actions(rule)]),
          ]),
          { stacks: true },
        );
  return html`${list}${
    !isReadOnly &&
    html`
<p><button type="button" data-new>${texts.newRule}</button></p>`
  }`;
}

export function deleteForm(tag: string, reader: ConsoleReader): Html {
  const { texts } = reader;
  return html`<form class="panel" id="delete-form" data-tag="${tag}">
<h3 tabindex="-1">${filled(texts.removeAsk, { tag })}</h3>
${formEnd(texts.removeYes, reader, true)}
</form>`;
}

/** Fields of a rule. The tag of an existing rule cannot change. */
export function ruleForm(
  rule: MarkupRule | undefined,
  markets: readonly string[],
  reader: MarkupReader,
): Html {
  const { language, texts } = reader;
  const { tag, kind = 'percent', value, markets: chosen = [], active = true } = rule ?? {};
  const hasRates = markets.length > 0;
  const offered = hasRates ? markets : Object.keys(reader.marketNames);
  // A rule may name markets that have no rate now.
  const all = [...offered, ...chosen.filter((market) => !offered.includes(market))];
  return html`<form class="panel" id="rule-form" data-tag="${tag}">
<h3 tabindex="-1">${tag === undefined ? texts.newRule : filled(texts.editRule, { tag })}</h3>
<div class="form-grid">
${
  tag === undefined &&
  html`<div><label>${texts.tag} <input name="tag" data-field="tag" required maxlength="32" pattern="[a-z0-9_\\-]+" autocomplete="off" autocapitalize="none" spellcheck="false" title="${texts.tagHelp}" aria-describedby="tag-help" /></label>
<p class="quiet" id="tag-help">${texts.tagHelp}</p></div>`
}
<label>${texts.kind} <select name="kind">${MARKUP_KINDS.map((one) => html`<option value="${one}" selected=${one === kind}>${texts[one]}</option>`)}</select></label>
<div><label>${texts.amount} <input name="value" data-field="value" required inputmode="decimal" autocomplete="off" placeholder="${filled(texts.forExample, { value: exactText(EXAMPLE_PERCENT, language) })}" value="${value === undefined ? '' : exactText(value, language).replace('\u2212', '-')}" /></label></div>
</div>
<fieldset data-field="markets"><legend>${texts.markets}</legend>
<p class="quiet">${texts.marketsHelp}</p>
<p class="choices-list">${all.map((market) => html`<label><input type="checkbox" name="market" value="${market}" checked=${chosen.includes(market)} /> ${nameOf(market, reader)}</label>\n`)}</p>
</fieldset>
<p><label class="tick"><input type="checkbox" name="active" checked=${active} /> ${texts.active}</label></p>
<p class="trouble" role="alert"></p>
<p class="buttons"><button class="main">${texts.save}</button> <button type="button" data-cancel>${texts.cancel}</button></p>
${
  hasRates &&
  html`<h4>${texts.preview}</h4>
<p class="quiet">${texts.previewHelp}</p>`
}
<div id="preview" aria-live="polite"></div>
</form>`;
}

/** The result of the rule for each rate that it covers, calculated as in the API. An old one says so. */
export function previewView(
  rule: MarkupRule,
  { rates, now }: { readonly rates: readonly ShownRate[]; readonly now: Instant },
  reader: MarkupReader,
): Html {
  const { language, texts } = reader;
  const rows = rates.flatMap((rate) => {
    const marked = applyMarkup(rule, rate);
    if (marked === undefined) return [];
    const change = toNumber(subtract(marked, rate.mid));
    return [
      [
        html`${nameOf(rate.market, reader)} <span class="quiet">${rate.base}</span>${isStale(rate, now) && html` <span class="tag">${texts.stale}</span>`}`,
        rateText(rate.mid, language),
        html`<strong>${rateText(marked, language)}</strong>`,
        signedText(change, language, RATE_CHANGE),
      ],
    ];
  });
  if (rows.length === 0) return html`<p class="empty">${texts.previewNone}</p>`;
  return table(
    texts.preview,
    [
      { label: texts.market },
      { label: texts.before, kind: 'figure' },
      { label: texts.after, kind: 'figure' },
      { label: texts.difference, kind: 'figure' },
    ],
    rows,
  );
}

function isStale({ updated_at, stale_after_sec }: ShownRate, now: Instant): boolean {
  return ageSec({ since: Date.parse(updated_at), now }) > stale_after_sec;
}

/** A value with its sign, parsed as on the board; undefined for an invalid number. */
export function writtenValue(text: string, language: Language): number | undefined {
  const [, sign, size = ''] = /^\s*([+\u2212-])?(.*)$/.exec(text) ?? [];
  const amount = readTypedAmount(size, language)?.amount;
  if (amount === undefined) return undefined;
  return sign === undefined || sign === '+' ? Number(amount) : -Number(amount);
}
