import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Rate } from '../../../../client/types.ts';
import type { MarkupRule } from '../../../../core/domain/markup.ts';
import { type Html, html, inlineCode } from '../../../../core/http/framework/encoding/html.ts';
import { countText } from '../../frame/format.ts';
import { filled } from '../console-data.ts';
import { failureIn } from '../failures.ts';
import { canChange } from '../key-list.ts';
import { dollarIn, exampleView, rulesView } from '../markups-view.ts';
import { useConsole, useLoaded } from './console-context.ts';
import { ICONS, Menu, useFocusAfterChange } from './menu.ts';
import { DeleteForm, RuleForm } from './rule-forms.ts';

type Asked =
  | {
      readonly form: 'rule';
      readonly rule: MarkupRule | undefined;
      readonly rates: readonly Rate[];
    }
  | { readonly form: 'delete'; readonly rule: MarkupRule };

/** The preview costs a unit, so who opens the form again soon gets the same rates. */
const RATES_KEPT_MS = 60_000;

/** The markup rules. Their form previews what a rule does to the current rates. */
export function MarkupsTab(): Html {
  const open = useConsole();
  const { texts, key, call, account, version, refresh, plansAddress, markupsGuide } = open;
  const isInPlan = account.limits.features.includes('markup');
  const isReadOnly = !canChange(account.keys);
  const [asked, setAsked] = useState<Asked>();
  // What is said is true of one version: the next change, also one of another tab, takes it away.
  const [said, setSaid] = useState({ text: '', version });
  const newButton = useRef<HTMLButtonElement>(null);
  const ratesRead = useRef<{ readonly rates: readonly Rate[]; readonly at: number }>({
    ...{ rates: [], at: 0 },
  });
  const { value: rules, trouble } = useLoaded(
    async () => (isInPlan ? (await call(({ markups }) => markups.list())).markups : []),
    [version, isInPlan],
  );
  // Without it the list says no rate.
  const { value: dollar } = useLoaded(
    () => call((vesfx) => vesfx.calculate({ amount: 1 })).then(dollarIn, () => undefined),
    [version],
  );
  const focusOn = useFocusAfterChange(rules, newButton);
  const say = (text: string, of = version) => setSaid({ text, version: of });
  const openRule = async (rule?: MarkupRule) => {
    say('');
    if (Date.now() - ratesRead.current.at >= RATES_KEPT_MS) {
      ratesRead.current = { rates: [], at: 0 };
      try {
        const { rates } = await call((vesfx) => vesfx.rates());
        ratesRead.current = { rates, at: Date.now() };
      } catch (error) {
        // A rule can be saved without its preview.
        if (key.current === undefined) return;
        say(failureIn(error, open));
      }
    }
    setAsked({ form: 'rule', rule, rates: ratesRead.current.rates });
  };
  const onClose = () => setAsked(undefined);
  const onDone = (sentence: string, tag: string) => {
    onClose();
    say(filled(sentence, { tag }), version + 1);
    focusOn(tag);
    void refresh();
  };
  const { markups_max: max } = account.limits;
  const isFull = max !== null && (rules?.length ?? 0) >= max;
  const newRule = html`<button type="button" class="main" data-new ref=${newButton} onClick=${() => openRule()}>${texts.newRule}</button>`;
  const actions = (rule: MarkupRule) => {
    const askDelete = () => {
      say('');
      setAsked({ form: 'delete', rule });
    };
    const items = [
      { text: texts.change, path: ICONS.edit, onChoose: () => openRule(rule) },
      { text: `${texts.remove}…`, path: ICONS.remove, isDanger: true, onChoose: askDelete },
    ];
    return h(Menu, { id: rule.tag, label: filled(texts.actionsOf, { name: rule.tag }), items });
  };
  const ended = html`<p class="said" role="status">${said.version === version && said.text}</p>${trouble !== undefined && html`<p class="trouble">${trouble} <button type="button" onClick=${refresh}>${texts.retry}</button></p>`}
${asked?.form === 'rule' && h(RuleForm, { ...asked, onClose, onDone })}${asked?.form === 'delete' && h(DeleteForm, { ...asked, onClose, onDone })}`;
  const none = () => {
    const next = isReadOnly
      ? html`<p class="quiet">${texts.readOnly}</p>`
      : html`<p>${newRule}</p>`;
    return [
      html`<div class="panel empty-state"><div><div><h1 tabindex="-1">${isInPlan ? texts.noRules : texts.noMarkupsInPlan}</h1>
<p>${texts.markupsAbout}</p>
${isInPlan ? next : html`<p><a class="button" href=${plansAddress}>${texts.comparePlans}</a></p>`}</div></div>
${exampleView(open)}</div>`,
    ];
  };
  const list = () => [
    html`<div class="panel keys"><div class="head"><div><h1 tabindex="-1">${texts.tabs.margenes}</h1><p class="quiet">${isReadOnly ? texts.readOnly : inlineCode(texts.markupsHelp)} <a href=${markupsGuide}>${texts.markupsGuide}</a></p>
${isFull && html`<p class="quiet">${filled(texts.tooManyRules, { max: countText(max, open.language) })} <a href=${plansAddress}>${texts.comparePlans}</a></p>`}</div>${!isReadOnly && !isFull && newRule}</div>
${rules === undefined ? trouble === undefined && html`<div class="skeleton list-place"></div>` : html`${rulesView(rules, { actions: isReadOnly ? undefined : actions, dollar }, open)}${max !== null && html`<p class="foot quiet">${texts.tabs.margenes}: ${filled(texts.countOf, { n: countText(rules.length, open.language), max: countText(max, open.language) })}.</p>`}`}</div>`,
  ];
  // Both have the heading at the same depth, so it keeps the focus, and both are a list: the form keeps
  // its place, and so what it says.
  return html`${!isInPlan || rules?.length === 0 ? none() : list()}${ended}`;
}
