import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Rate } from '../../../client/types.ts';
import { MARKUP_KINDS, type MarkupRule } from '../../../domain/markup.ts';
import { exactText, MINUS } from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import { filled } from '../console-data.ts';
import { marketName, previewView, writtenValue } from '../markups-view.ts';
import { useConsole } from './console-context.ts';
import { FieldError, FormDialog, TextField, Ticks } from './form.ts';

const EXAMPLE_PERCENT = 3.5;

interface RuleProps {
  readonly rule: MarkupRule;
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
  const read = (form: FormData) => {
    const kind = MARKUP_KINDS.find((one) => one === form.get('kind'));
    const value = writtenValue(String(form.get('value')), language);
    if (value === undefined || kind === undefined) return undefined;
    const markets = form.getAll('market').map(String);
    const tag = rule?.tag ?? String(form.get('tag')).trim();
    return { tag, kind, value, markets, active: form.has('active') };
  };
  const work = async (form: FormData) => {
    const written = read(form);
    if (written === undefined) throw new FieldError('value', texts.amountBad);
    const { tag, ...values } = written;
    await call(({ markups }) => (rule ? markups.replace(tag, values) : markups.create(written)));
    onDone(texts.ruleSaved, tag);
  };
  const chosen = rule?.markets ?? [];
  const offered = rates.length > 0 ? rates.map(({ market }) => market) : Object.keys(marketNames);
  // A rule may name markets that have no rate now.
  const all = [...new Set([...offered, ...chosen])];
  const example = filled(texts.forExample, { value: exactText(EXAMPLE_PERCENT, language) });
  return h(FormDialog, {
    id: 'rule-form',
    title: rule === undefined ? texts.newRule : filled(texts.editRule, { tag: rule.tag }),
    submit: texts.save,
    ...{ onClose, work, onInput: (form: FormData) => setDraft(read(form)) },
    children: html`${rule === undefined && h(TextField, { name: 'tag', label: texts.tag, hint: texts.tagHelp, required: true, maxlength: 32, pattern: '[a-z0-9_\\-]+', autocapitalize: 'none', spellcheck: false, title: texts.tagHelp })}
<div class="row"><div class="field"><label for="f-kind">${texts.kind}</label><select id="f-kind" name="kind">${MARKUP_KINDS.map((one) => html`<option value=${one} selected=${one === (rule?.kind ?? 'percent')}>${texts[one]}</option>`)}</select></div>
${h(TextField, { name: 'value', label: texts.amount, required: true, inputmode: 'decimal', placeholder: example, defaultValue: rule === undefined ? '' : exactText(rule.value, language).replace(MINUS, '-') })}</div>
${h(Ticks, {
  ...{ name: 'market', field: 'markets', label: texts.markets, hint: texts.marketsHelp, chosen },
  choices: all.map((market) => [market, marketName(market, open)] as const),
})}
<label class="tick"><input type="checkbox" name="active" defaultChecked=${rule?.active ?? true} /> ${texts.active}</label>
${rates.length > 0 && html`<div><h3>${texts.preview}</h3><p class="hint">${texts.previewHelp}</p><div id="preview" aria-live="polite">${draft && previewView(draft, { rates, now: Date.now() }, open)}</div></div>`}`,
  });
}

/** Asks before a rule is deleted. */
export function DeleteForm({ rule: { tag }, onClose, onDone }: RuleProps): Html {
  const { texts, call } = useConsole();
  const work = async () => {
    await call(({ markups }) => markups.delete(tag));
    onDone(texts.ruleRemoved, tag);
  };
  const title = filled(texts.removeAsk, { tag });
  const submit = texts.removeYes;
  return h(FormDialog, { id: 'delete-form', title, submit, isDestructive: true, onClose, work });
}
