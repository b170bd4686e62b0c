import type { Rate } from '../../../client/types.ts';
import { MARKUP_KINDS, type MarkupRule } from '../../../domain/markup.ts';
import { element, language } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { html } from '../../frame/html.ts';
import { filled } from '../console-reader.ts';
import { deleteForm, previewView, ruleForm, rulesView, writtenValue } from '../markups-view.ts';
import {
  clicked,
  failureIn,
  focusOn,
  onSubmit,
  openPanel,
  reader,
  showTrouble,
  texts,
} from './console-elements.ts';
import type { Session } from './console-session.ts';

/** The part for markup rules. Its form previews what a rule does to the current rates. */
export function markupsPart(session: Session) {
  const view = element('markups-view', HTMLElement);
  const list = document.createElement('div');
  const status = document.createElement('p');
  const panels = document.createElement('div');
  status.setAttribute('role', 'status');
  view.append(list, status, panels);
  // The service wrote this attribute itself, from its catalogue.
  const marketNames: Readonly<Record<string, string>> = JSON.parse(
    element('account', HTMLElement).dataset['marketNames'] ?? '{}',
  );
  const markupReader = { ...reader, marketNames };
  let rules: readonly MarkupRule[] = [];
  let isInPlan = false;
  let isReadOnly = false;
  /** Selects the button that opened the panel. It gets the focus back when the panel closes. */
  let opener = '[data-new]';

  view.addEventListener('click', async (event) => {
    const edited = clicked(event, 'data-edit');
    const deleted = clicked(event, 'data-delete');
    if (clicked(event, 'data-new') !== undefined) {
      opener = '[data-new]';
      await openRule(undefined);
    }
    if (edited !== undefined) {
      opener = `[data-edit="${edited}"]`;
      await openRule(rules.find(({ tag }) => tag === edited));
    }
    if (deleted !== undefined) {
      opener = `[data-delete="${deleted}"]`;
      openDelete(deleted);
    }
    if (clicked(event, 'data-cancel') !== undefined) closePanel();
  });

  function closePanel(): void {
    panels.replaceChildren();
    focusOn(list, [opener, '[data-new]']);
  }

  async function load(): Promise<void> {
    rules = (await session.call((vesfx) => vesfx.markups.list())).markups;
    show(list, rulesView(rules, { isReadOnly }, markupReader));
  }

  async function done(sentence: string, tag: string): Promise<void> {
    status.textContent = filled(sentence, { tag });
    await load();
    closePanel();
  }

  function openDelete(tag: string): void {
    status.textContent = '';
    const form = openPanel(panels, deleteForm(tag, reader));
    onSubmit(form, async () => {
      await session.call((vesfx) => vesfx.markups.delete(tag));
      await done(texts.ruleRemoved, tag);
    });
  }

  async function openRule(rule: MarkupRule | undefined): Promise<void> {
    status.textContent = '';
    let rates: readonly Rate[] = [];
    try {
      rates = (await session.call((vesfx) => vesfx.rates())).rates;
    } catch (error) {
      // A rule can be saved without its preview.
      status.textContent = failureIn(error);
    }
    const markets = rates.map(({ market }) => market);
    const panel = openPanel(panels, ruleForm(rule, markets, markupReader));
    const form = element('rule-form', HTMLFormElement);
    const preview = element('preview', HTMLElement);
    const update = () => {
      const written = writtenRule(form, rule);
      const isShown = written !== undefined && rates.length > 0;
      show(
        preview,
        isShown ? previewView(written, { rates, now: Date.now() }, markupReader) : html``,
      );
    };
    form.addEventListener('input', update);
    update();
    onSubmit(panel, async () => {
      const written = writtenRule(form, rule);
      if (written === undefined) {
        showTrouble(form, texts.amountBad, 'value');
        return;
      }
      const { tag, ...values } = written;
      const body = { ...values, markets: [...values.markets] };
      await session.call(({ markups }) =>
        rule === undefined ? markups.create({ tag, ...body }) : markups.replace(tag, body),
      );
      await done(texts.ruleSaved, tag);
    });
  }

  return {
    place: list,
    /** Shows the rules, or says that the plan has none. */
    async show(may: { readonly useMarkups: boolean; readonly change: boolean }): Promise<void> {
      isInPlan = may.useMarkups;
      isReadOnly = !may.change;
      if (isInPlan) await load();
      else show(list, html`<p class="empty">${texts.noMarkupsInPlan}</p>`);
    },
    async reload(): Promise<void> {
      if (isInPlan) await load();
    },
    clear(): void {
      isInPlan = false;
      rules = [];
      status.textContent = '';
      show(list, null);
      panels.replaceChildren();
    },
  };
}

/** The rule in the form; undefined while its value is no number. */
function writtenRule(form: HTMLFormElement, rule: MarkupRule | undefined): MarkupRule | undefined {
  const data = new FormData(form);
  const value = writtenValue(String(data.get('value') ?? ''), language);
  const kind = MARKUP_KINDS.find((one) => one === data.get('kind'));
  if (value === undefined || kind === undefined) return undefined;
  return {
    tag: rule?.tag ?? String(data.get('tag') ?? '').trim(),
    kind,
    value,
    markets: data.getAll('market').map(String),
    active: data.has('active'),
  };
}
