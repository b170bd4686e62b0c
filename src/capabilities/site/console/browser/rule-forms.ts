import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rate } from '../../../../client/types.ts';
import { MAX_SIGNIFICANT_DIGITS, significantDigits } from '../../../../core/domain/decimal.ts';
import { isInRange, MARKUP_KINDS, type MarkupRule } from '../../../../core/domain/markup.ts';
import { type Html, html, inlineCode } from '../../../../core/http/framework/encoding/html.ts';
import { plainValueText } from '../../frame/amount.ts';
import { exactText } from '../../frame/format.ts';
import { filled } from '../console-data.ts';
import { marketName, markupText, previewView, writtenValues } from '../markups-view.ts';
import { useConsole } from './console-context.ts';
import { FieldError, FormDialog, TextField, Ticks, type Troubles } from './form.ts';

const EXAMPLE_PERCENT = 3.5;
/** Whole rows of the preview that a desk, and a phone, shows at once beside or below the form. */
const MOST_ROWS = { desk: 6, phone: 3 };
/** Above it the form asks again: perhaps the decimal mark is missing. */
const SURE_PERCENT = 100;

interface RuleProps {
  readonly rule: Pick<MarkupRule, 'tag'>;
  readonly onClose: () => void;
  readonly onDone: (sentence: string, tag: string) => void;
}

interface RuleFormProps extends Omit<RuleProps, 'rule'> {
  /** Undefined for a new one. The tag of an existing rule cannot change. */
  readonly rule: MarkupRule | undefined;
  readonly rates: readonly Rate[];
}

/** The form of a markup rule, with what it does to the current rates. */
export function RuleForm({ rule, rates, onClose, onDone }: RuleFormProps): Html {
  const open = useConsole();
  const { texts, language, marketNames, call } = open;
  const [draft, setDraft] = useState(rule);
  const [refusal, setRefusal] = useState<string>();
  const confirmed = useRef<number | undefined>(undefined);
  const read = (form: FormData) => {
    const kind = MARKUP_KINDS.find((one) => one === form.get('kind')) ?? 'percent';
    const [value, other] = writtenValues(String(form.get('value')), language);
    if (value === undefined) return { wrong: texts.amountBad };
    if (other !== undefined) {
      const written = (one: number) => plainValueText(one, language);
      return { wrong: filled(texts.amountTwice, { one: written(value), other: written(other) }) };
    }
    if (!isInRange(kind, value) || significantDigits(value) > MAX_SIGNIFICANT_DIGITS) {
      return { wrong: texts.fieldRules['value'] ?? '' };
    }
    const markets = form.getAll('market').map(String);
    const tag = rule?.tag ?? String(form.get('tag')).trim();
    return { written: { tag, kind, value, markets, active: form.has('active') } };
  };
  const check = (form: FormData): Troubles => {
    const { wrong } = read(form);
    return wrong === undefined ? {} : { value: wrong };
  };
  const work = async (form: FormData) => {
    const { written } = read(form);
    if (written === undefined) return;
    const { tag, ...values } = written;
    const { kind, value } = written;
    if (kind === 'percent' && value > SURE_PERCENT && confirmed.current !== value) {
      confirmed.current = value;
      throw new FieldError({
        value: filled(texts.amountSure, { value: markupText(written, language) }),
      });
    }
    await call(({ markups }) => (rule ? markups.replace(tag, values) : markups.create(written)));
    onDone(texts.ruleSaved, tag);
  };
  // What cannot be saved has no preview.
  const onInput = (form: FormData) => {
    const { written, wrong } = read(form);
    setDraft(written);
    setRefusal(form.get('value') ? wrong : undefined);
  };
  const chosen = rule?.markets ?? [];
  const offered = rates.length > 0 ? rates.map(({ market }) => market) : Object.keys(marketNames);
  // A rule may name markets that have no rate now.
  const all = [...new Set([...offered, ...chosen])];
  const [most, setMost] = useState<number | undefined>(MOST_ROWS.desk);
  const preview = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (matchMedia('(width <= 47.5rem)').matches) setMost(MOST_ROWS.phone);
  }, []);
  const isWhole = most === undefined;
  useLayoutEffect(() => {
    // The button that asked for all is gone.
    if (isWhole) preview.current?.querySelector<HTMLElement>('.scroll')?.focus();
  }, [isWhole]);
  const more = (all: number) =>
    html`<button type="button" class="link" data-all onClick=${() => setMost(undefined)}>${filled(texts.previewAll, { n: String(all) })}</button>`;
  const shown = { rates, now: Date.now(), ...(isWhole ? {} : { most }), more };
  const example = filled(texts.forExample, { value: exactText(EXAMPLE_PERCENT, language) });
  return h(FormDialog, {
    id: 'rule-form',
    title: rule === undefined ? texts.newRule : filled(texts.editRule, { tag: rule.tag }),
    submit: texts.save,
    ...{ onClose, work, check, onInput },
    children: html`<div class="beside"><div class="stack">${rule === undefined && h(TextField, { name: 'tag', label: texts.tag, hint: texts.tagHelp, required: true, maxlength: 32, pattern: '[a-z0-9_\\-]+', autocapitalize: 'none', spellcheck: false, title: texts.tagHelp })}
<div class="row"><div class="field"><label for="f-kind">${texts.kind}</label><select id="f-kind" name="kind">${MARKUP_KINDS.map((one) => html`<option value=${one} selected=${one === (rule?.kind ?? 'percent')}>${texts[one]}</option>`)}</select></div>
${h(TextField, { name: 'value', label: texts.amount, required: true, inputmode: 'decimal', placeholder: example, hint: draft ? `= ${markupText(draft, language)}` : refusal, defaultValue: rule === undefined ? '' : plainValueText(rule.value, language) })}</div></div>
${rates.length > 0 && html`<aside><h3>${texts.preview}</h3>${draft === undefined && html`<p class="hint">${texts.previewEmpty}</p>`}<div id="preview" aria-live="polite" ref=${preview}>${draft && previewView(draft, shown, open)}</div><p class="hint">${texts.previewHelp}</p></aside>`}
<div class="stack"><details open=${chosen.length > 0}><summary>${texts.markets}: ${draft?.markets.length ? draft.markets.length : texts.allMarkets}, <span class="link">${texts.chooseMarkets}</span></summary>${h(
      Ticks,
      {
        ...{ name: 'market', field: 'markets', label: texts.markets },
        ...{ hint: texts.marketsHelp, chosen },
        choices: all.map((market) => [market, marketName(market, open)] as const),
      },
    )}</details>
<label class="tick"><input type="checkbox" name="active" defaultChecked=${rule?.active ?? true} /> ${texts.active}</label><p class="hint">${inlineCode(texts.inactiveHelp)}</p></div></div>`,
  });
}

/** Asks before a rule is deleted. `send` closes it and sends the request itself, as the playground does. */
export function DeleteForm(props: RuleProps & { readonly send?: () => Promise<void> }): Html {
  const { rule, onClose, onDone, send } = props;
  const { tag } = rule;
  const { texts, call } = useConsole();
  const work = async () => {
    if (send) return send();
    await call(({ markups }) => markups.delete(tag));
    onDone(texts.ruleRemoved, tag);
  };
  return h(FormDialog, {
    ...{ id: 'delete-form', title: filled(texts.removeAsk, { tag }), submit: texts.removeYes },
    ...{ isDestructive: true, onClose, work },
    children: html`<p>${inlineCode(filled(texts.removeHelp, { tag }))}</p>`,
  });
}
