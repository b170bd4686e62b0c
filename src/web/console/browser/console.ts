import type { Account, Usage } from '../../../client/types.ts';
import { addUtcDays, utcDayOf } from '../../../domain/time.ts';
import { element } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { html } from '../../frame/html.ts';
import { canChange } from '../keys-view.ts';
import { planView } from '../plan-view.ts';
import { callsByEndpoint, endpointText, usageView } from '../usage-view.ts';
import { failureIn, onSubmit, reader, showTrouble, texts } from './console-elements.ts';
import { keysPart } from './console-keys.ts';
import { markupsPart } from './console-markups.ts';
import { playgroundPart } from './console-playground.ts';
import { clientWith, Session, type SessionEnd } from './console-session.ts';

/** The console. A reader signs in with a key, then sees and manages the account. */

const form = element('sign-in', HTMLElement);
const field = element('key', HTMLInputElement);
const account = element('account', HTMLElement);
const planPlace = element('plan-view', HTMLElement);
const usagePlace = element('usage-view', HTMLElement);
const period = element('usage-days', HTMLSelectElement);
const endpoint = element('usage-endpoint', HTMLSelectElement);

const ENDS = {
  invalid_api_key: texts.keyEnded,
  account_suspended: texts.failures.account_suspended,
} as const satisfies Readonly<Record<SessionEnd, string>>;

const session = new Session((reason) => leave({ trouble: ENDS[reason] }));
const keys = keysPart(session, { reload: loadAccount });
const markups = markupsPart(session);
const playground = playgroundPart(session, { onAnswered: () => void refresh() });

function showAccount(answer: Account): void {
  element('account-name', HTMLElement).textContent = answer.name;
  show(planPlace, planView(answer, reader));
  keys.show(answer);
}

async function loadAccount(): Promise<void> {
  showAccount(await session.call((vesfx) => vesfx.account()));
}

let usage: Usage | undefined;

async function loadUsage(): Promise<void> {
  const to = utcDayOf(Date.now());
  const from = addUtcDays(to, -(Number(period.value) - 1));
  usage = await session.call((vesfx) => vesfx.usage({ from, to }));
  const names = callsByEndpoint(usage).map(({ name }) => name);
  const chosenName = endpoint.value;
  show(
    endpoint,
    html`<option value="">${texts.allEndpoints}</option>${names.map((name) => html`<option value="${name}">${endpointText(name)}</option>`)}`,
  );
  endpoint.value = names.includes(chosenName) ? chosenName : '';
  showUsage();
}

function showUsage(): void {
  if (usage === undefined) return;
  show(usagePlace, usageView(usage, endpoint.value || undefined, reader));
}

/** Loads one part. A failure is shown in its place and does not stop the other parts. */
async function inPlace(place: HTMLElement, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (session.key === undefined) return;
    show(place, html`<p class="trouble" role="alert">${failureIn(error)}</p>`);
  }
}

async function refresh(): Promise<void> {
  await Promise.all([
    inPlace(planPlace, loadAccount()),
    inPlace(usagePlace, loadUsage()),
    inPlace(markups.place, markups.reload()),
    inPlace(playground.place, playground.show()),
  ]);
}

async function enter(answer: Account): Promise<void> {
  form.hidden = true;
  account.hidden = false;
  showAccount(answer);
  await Promise.all([
    inPlace(usagePlace, loadUsage()),
    inPlace(
      markups.place,
      markups.show({
        useMarkups: answer.limits.features.includes('markup'),
        change: canChange(answer.keys),
      }),
    ),
    inPlace(playground.place, playground.show()),
  ]);
}

function leave({ trouble = '', note = '' }): void {
  session.forget();
  usage = undefined;
  account.hidden = true;
  for (const place of [planPlace, usagePlace]) show(place, null);
  element('account-name', HTMLElement).textContent = '';
  for (const part of [keys, markups, playground]) part.clear();
  form.hidden = false;
  showTrouble(form, trouble, undefined);
  showNote(note);
  field.focus();
}

/** Shows a note below the field of the key. It is not marked as an error. */
function showNote(sentence: string): void {
  const place = form.querySelector('[role=status]');
  if (place !== null) place.textContent = sentence;
}

onSubmit(form, async () => {
  showNote('');
  const key = field.value.trim();
  const answer = await signIn(key);
  field.value = '';
  session.keep(key);
  await enter(answer);
  // A link from the reference leads to the playground, which is visible only now.
  if (playground.place.contains(document.activeElement)) return;
  element('plan-heading', HTMLElement).focus();
});

async function signIn(key: string): Promise<Account> {
  try {
    return await clientWith(key).account();
  } catch (error) {
    field.select();
    throw error;
  }
}

element('sign-out', HTMLElement).addEventListener('click', () => {
  if (!keys.isKeyUnsaved()) leave({ note: texts.signedOut });
});
element('refresh', HTMLElement).addEventListener('click', () => void refresh());
period.addEventListener('change', () => void inPlace(usagePlace, loadUsage()));
endpoint.addEventListener('change', showUsage);

/** Signs in with the tab's key after a reload or a change of language. */
async function resume(): Promise<void> {
  if (session.key === undefined) {
    form.hidden = false;
    return;
  }
  try {
    await enter(await session.call((vesfx) => vesfx.account()));
  } catch (error) {
    // An invalid key has already led back to the form.
    if (session.key === undefined) return;
    form.hidden = false;
    showTrouble(form, failureIn(error), undefined);
  }
}

void resume();
