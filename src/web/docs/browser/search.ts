import { element, language, languageChosen } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { linkTo } from '../../frame/page-view.ts';
import { type SearchableEntry, type SearchEntry, searchable, searchIn } from '../search/search.ts';
import { foundList, SEARCH_TEXTS } from '../search/search-box.ts';

/** The search of the documentation. It loads its index when a reader first focuses the field. */

const texts = SEARCH_TEXTS[language];
const form = element('search', HTMLFormElement);
const field = element('search-words', HTMLInputElement);
const said = element('search-said', HTMLElement);
const place = element('search-found', HTMLElement);

/** The loaded index. After a failure the next try requests it again. */
let index: Promise<readonly SearchableEntry[]> | undefined;

async function load(): Promise<readonly SearchableEntry[]> {
  const response = await fetch(`/docs/search.json?lang=${language}`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  // The service wrote it for this script.
  const entries = (await response.json()) as readonly SearchEntry[];
  return entries.map(searchable);
}

function indexed(): Promise<readonly SearchableEntry[]> {
  index ??= load();
  const asked = index;
  asked.catch(() => {
    if (index === asked) index = undefined;
  });
  return asked;
}

const address = (path: string) => linkTo({ language, languageChosen }, path);
const links = () => [...place.querySelectorAll('a')];

function close(): void {
  place.hidden = true;
  said.textContent = '';
}

async function find(): Promise<void> {
  const query = field.value;
  if (query.trim() === '') return close();
  let message: string;
  try {
    const found = searchIn(await indexed(), query);
    // The reader may have typed more while the index was loading.
    if (field.value !== query) return;
    show(place, foundList(found, language, address));
    message = found.length === 0 ? texts.none : texts.count(found.length);
  } catch {
    show(place, '');
    place.textContent = texts.failed;
    message = texts.failed;
  }
  place.hidden = false;
  said.textContent = message;
}

function move(by: number): void {
  const stops: readonly HTMLElement[] = [field, ...links()];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : 0;
  stops[Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

form.hidden = false;
// A device with a mouse has a keyboard, so the hint about its keys is of use.
if (matchMedia('(hover: hover)').matches) field.placeholder = texts.keyHint;
field.addEventListener('focus', () => {
  indexed().catch(() => {});
});
field.addEventListener('click', () => void find());
field.addEventListener('input', () => void find());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void find().then(() => links()[0]?.click());
});
form.addEventListener('keydown', (event) => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const by = steps[event.key];
  if (by !== undefined) {
    event.preventDefault();
    if (place.hidden) void find();
    else move(by);
  } else if (event.key === 'Escape' && !place.hidden) {
    event.preventDefault();
    field.focus();
    close();
  }
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && form.contains(relatedTarget)) return;
  // A click on a result takes the focus away before it arrives.
  if (!place.matches(':hover')) close();
});
place.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a') !== null) close();
});
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || isWriting(target)) return;
  event.preventDefault();
  field.focus();
});
