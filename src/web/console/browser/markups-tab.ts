import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Rate } from '../../../client/types.ts';
import type { MarkupRule } from '../../../domain/markup.ts';
import { type Html, html, inlineCode } from '../../frame/html.ts';
import { filled } from '../console-reader.ts';
import { canChange } from '../key-list.ts';
import { exampleView, rulesView } from '../markups-view.ts';
import { failureIn, useConsole, useLoaded } from './console-context.ts';
import { Dialog } from './dialog.ts';
import { FormEnd, useSending } from './form.ts';
import { ICONS, Menu } from './menu.ts';
import { RuleForm } from './rule-form.ts';

type Asked =
  | { readonly form: 'rule'; readonly rule?: MarkupRule; readonly rates: readonly Rate[] }
  | { readonly form: 'delete'; readonly rule: MarkupRule };

/** The markup rules. Their form previews what a rule does to the current rates. */
export function MarkupsTab(): Html {
  const { data, session, account, version, refresh } = useConsole();
  const { texts } = data;
  const isInPlan = account.limits.features.includes('markup');
  const isReadOnly = !canChange(account.keys);
  const [asked, setAsked] = useState<Asked>();
  const [said, setSaid] = useState('');
  const newButton = useRef<HTMLButtonElement>(null);
  const { value, trouble } = useLoaded(
    async () => (isInPlan ? session.call((vesfx) => vesfx.markups.list()) : undefined),
    [version, isInPlan],
  );
  const rules = value?.markups;
  // With the row of a deleted rule goes the place of the focus.
  const isGone = useRef(false);
  useEffect(() => {
    if (isGone.current) newButton.current?.focus();
    isGone.current = false;
  }, [value]);
  const openRule = async (rule?: MarkupRule) => {
    setSaid('');
    let rates: readonly Rate[] = [];
    try {
      rates = (await session.call((vesfx) => vesfx.rates())).rates;
    } catch (error) {
      // A rule can be saved without its preview.
      if (session.key === undefined) return;
      setSaid(failureIn(error, data));
    }
    setAsked({ form: 'rule', rates, ...(rule !== undefined && { rule }) });
  };
  const onClose = () => setAsked(undefined);
  const onDone = (sentence: string, tag: string) => {
    onClose();
    setSaid(filled(sentence, { tag }));
    isGone.current = sentence === texts.ruleRemoved;
    refresh();
  };
  const newRule = (label: string) =>
    html`<button type="button" class="main" data-new ref=${newButton} onClick=${() => openRule()}>${label}</button>`;
  const actions = (rule: MarkupRule) =>
    h(Menu, {
      id: rule.tag,
      label: filled(texts.actionsOf, { name: rule.tag }),
      items: [
        { text: texts.edit, icon: ICONS.edit, onChoose: () => openRule(rule) },
        {
          ...{ text: texts.removeDots, icon: ICONS.remove, isDanger: true },
          onChoose: () => setAsked({ form: 'delete', rule }),
        },
      ],
    });
  const dialog =
    asked === undefined
      ? undefined
      : asked.form === 'rule'
        ? h(RuleForm, { ...asked, onClose, onDone })
        : h(DeleteForm, { rule: asked.rule, onClose, onDone });
  const ended = html`<p class="said" role="status">${said}</p>${trouble !== undefined && html`<p class="trouble">${trouble}</p>`}${dialog}`;
  const isEmpty = !isInPlan || rules?.length === 0;
  if (isEmpty) {
    return html`<div class="panel empty-state"><div><h1 tabindex="-1">${isInPlan ? texts.noRules : texts.noMarkupsInPlan}</h1>
<p>${texts.markupsAbout}</p>
${!isInPlan ? html`<p><a class="button" href=${data.plansAddress}>${texts.comparePlans}</a></p>` : isReadOnly ? html`<p class="quiet">${texts.readOnly}</p>` : html`<p>${newRule(texts.firstRule)}</p>`}</div>
${exampleView(data)}</div>${ended}`;
  }
  return html`<div class="head"><div><h1 tabindex="-1">${texts.markups}</h1><p class="quiet">${isReadOnly ? texts.readOnly : inlineCode(texts.markupsHelp)}</p></div>${!isReadOnly && newRule(texts.newRule)}</div>
${rules === undefined ? html`<div class="skeleton list-place"></div>` : html`<div class="panel keys">${rulesView(rules, isReadOnly ? undefined : actions, data)}</div>`}
${ended}`;
}

interface DeleteProps {
  readonly rule: MarkupRule;
  readonly onClose: () => void;
  readonly onDone: (sentence: string, tag: string) => void;
}

function DeleteForm({ rule, onClose, onDone }: DeleteProps): Html {
  const { data, session } = useConsole();
  const { texts } = data;
  const sending = useSending(async () => {
    await session.call((vesfx) => vesfx.markups.delete(rule.tag));
    onDone(texts.ruleRemoved, rule.tag);
    return undefined;
  });
  const content = html`<form id="delete-form" class="stack" ref=${sending.form} onSubmit=${sending.onSubmit}>
${h(FormEnd, { sending, submit: texts.removeYes, onCancel: onClose, isDestructive: true })}</form>`;
  return h(Dialog, {
    title: filled(texts.removeAsk, { tag: rule.tag }),
    onClose,
    children: content,
  });
}
