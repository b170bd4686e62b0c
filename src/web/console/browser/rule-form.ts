import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Rate } from '../../../client/types.ts';
import { MARKUP_KINDS, type MarkupRule } from '../../../domain/markup.ts';
import { exactText } from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import { filled } from '../console-reader.ts';
import { marketName, previewView, writtenValue } from '../markups-view.ts';
import { useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';
import { FormEnd, TextField, Ticks, useSending } from './form.ts';

const EXAMPLE_PERCENT = 3.5;

interface RuleFormProps {
  /** Undefined for a new one. The tag of an existing rule cannot change. */
  readonly rule?: MarkupRule;
  readonly rates: readonly Rate[];
  readonly onClose: () => void;
  readonly onDone: (sentence: string, tag: string) => void;
}

/** The form of a markup rule, with what it does to the current rates. */
export function RuleForm({ rule, rates, onClose, onDone }: RuleFormProps): Html {
  const { data, session } = useConsole();
  const { texts, language, marketNames } = data;
  const read = (form: FormData): MarkupRule | undefined => {
    const kind = MARKUP_KINDS.find((one) => one === form.get('kind'));
    const value = writtenValue(String(form.get('value')), language);
    if (value === undefined || kind === undefined) return undefined;
    return {
      tag: rule?.tag ?? String(form.get('tag') ?? '').trim(),
      ...{ kind, value, markets: form.getAll('market').map(String), active: form.has('active') },
    };
  };
  const [draft, setDraft] = useState(rule);
  const sending = useSending(async (form) => {
    const written = read(form);
    if (written === undefined) return { said: texts.amountBad, field: 'value' };
    const { tag, ...values } = written;
    const body = { ...values, markets: [...values.markets] };
    await session.call(({ markups }) =>
      rule === undefined ? markups.create({ tag, ...body }) : markups.replace(tag, body),
    );
    onDone(texts.ruleSaved, tag);
    return undefined;
  });
  const onInput = (event: Event & { currentTarget: HTMLFormElement }) => {
    sending.onInput(event);
    setDraft(read(new FormData(event.currentTarget)));
  };
  const chosen = rule?.markets ?? [];
  const offered = rates.length > 0 ? rates.map(({ market }) => market) : Object.keys(marketNames);
  // A rule may name markets that have no rate now.
  const all = [...new Set([...offered, ...chosen])];
  const content = html`<form id="rule-form" class="stack" ref=${sending.form} onSubmit=${sending.onSubmit} onInput=${onInput}>
${rule === undefined && h(TextField, { sending, name: 'tag', label: texts.tag, hint: texts.tagHelp, required: true, maxlength: 32, pattern: '[a-z0-9_\\-]+', autocapitalize: 'none', spellcheck: false, title: texts.tagHelp })}
<div class="row"><div class="field"><label for="f-kind">${texts.kind}</label><select id="f-kind" name="kind">${MARKUP_KINDS.map((one) => html`<option value=${one} selected=${one === (rule?.kind ?? 'percent')}>${texts[one]}</option>`)}</select></div>
${h(TextField, { sending, name: 'value', label: texts.amount, required: true, inputmode: 'decimal', placeholder: filled(texts.forExample, { value: exactText(EXAMPLE_PERCENT, language) }), defaultValue: rule === undefined ? '' : exactText(rule.value, language).replace('\u2212', '-') })}</div>
${h(Ticks, {
  ...{ sending, name: 'market', field: 'markets', label: texts.markets, hint: texts.marketsHelp },
  choices: all.map((market) => [market, marketName(market, data)] as const),
  chosen,
})}
<label class="tick"><input type="checkbox" name="active" defaultChecked=${rule?.active ?? true} /> ${texts.active}</label>
${rates.length > 0 && html`<div><h3>${texts.preview}</h3><p class="hint">${texts.previewHelp}</p><div id="preview" aria-live="polite">${draft && previewView(draft, { rates, now: Date.now() }, data)}</div></div>`}
${h(FormEnd, { sending, submit: texts.save, onCancel: onClose })}
</form>`;
  const title = rule === undefined ? texts.newRule : filled(texts.editRule, { tag: rule.tag });
  return h(Dialog, { title, onClose, children: content });
}
