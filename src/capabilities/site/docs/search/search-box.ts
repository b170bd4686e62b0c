import { useEffect, useRef, useState } from 'preact/hooks';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { linkTo, type PageView } from '../../frame/page-view.ts';
import type { SEARCH_TEXTS } from '../../texts/texts.ts';
import {
  excerptParts,
  type FoldedEntry,
  foldedEntry,
  markedParts,
  type SearchEntry,
  searchNear,
} from './search.ts';

/** Most characters of a query. */
// limit: Search text | 80 characters | not accepted
const MAX_QUERY_LENGTH = 80;

/** The index, loaded when a reader first focuses the field. After a failure the next try requests it again. */
let index: ReturnType<typeof loaded> | undefined;

async function loaded(language: Language): Promise<readonly FoldedEntry[] | null> {
  try {
    const response = await fetch(`/docs/search.json?lang=${language}`);
    if (response.ok) {
      // Before the next frame, not with the search: both at once would hold up what a reader types.
      const entries = (await response.json()).map(foldedEntry);
      await new Promise(requestAnimationFrame);
      return entries;
    }
  } catch {
    // As after a refusal.
  }
  index = undefined;
  return null;
}

const indexed = (language: Language) => (index ??= loaded(language));

/** What the search shows; `found` is absent until the index is there, and null if that failed. */
interface Shown {
  readonly query: string;
  readonly found?: ReturnType<typeof searchNear> | null;
}

interface SearchProps extends Pick<PageView, 'language' | 'languageChosen'> {
  readonly texts: (typeof SEARCH_TEXTS)[Language];
}

/**
 * The field and what it finds. A stylesheet hides both where there are no scripts, and what it found
 * while the reader is elsewhere.
 */
export function Search({ language, languageChosen, texts }: SearchProps): Html {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<Shown | undefined>();
  const [hint, setHint] = useState(texts.hint);
  const links = () => [...(form.current?.querySelectorAll('a') ?? [])];

  const find = async () => {
    const loading = indexed(language);
    const query = field.current?.value ?? '';
    if (!query.trim()) return setShown(undefined);
    // What was found for the letters before stays until there is more to show.
    setShown((before) => before ?? { query });
    const entries = await loading;
    // The reader may have typed more while the index was loading.
    if (field.current?.value === query) {
      setShown({ query, found: entries && searchNear(entries, query) });
    }
  };
  const move = (by: number) => {
    const stops: (HTMLElement | null)[] = [field.current, ...links()];
    const at = stops.indexOf(document.activeElement as HTMLElement | null);
    stops[Math.max(0, at + by)]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      if (shown === undefined) void find();
      else move(by);
    } else if (event.key === 'Escape' && shown !== undefined) {
      event.preventDefault();
      field.current?.focus();
      setShown(undefined);
    }
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void find().then(() => links()[0]?.click());
  };

  useEffect(() => {
    // The reader may have been faster than this script.
    if (document.activeElement === field.current) void find();
    // A device with a mouse has a keyboard, so the hint about its keys is of use.
    if (matchMedia('(hover: hover)').matches) setHint(texts.keyHint);
    const onSlash = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.matches('input, textarea, select')) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onSlash);
    return () => document.removeEventListener('keydown', onSlash);
  }, [texts]);

  const link = ({ title, place, path, about }: SearchEntry) => {
    const marked = (text: string, partsOf = markedParts) =>
      partsOf(text, shown?.found?.query ?? '').map(({ part, isHit }) =>
        isHit ? html`<mark>${part}</mark>` : part,
      );
    return html`<li><a href="${linkTo({ language, languageChosen }, path)}" onClick=${() => setShown(undefined)}>
<strong>${marked(title)}</strong>
<span>${place === title ? texts.wholePage : place}</span>
<small>${marked(about, excerptParts)}</small></a></li>`;
  };
  const { query, found } = shown ?? {};
  const count = found?.entries.length;
  const message =
    found === undefined
      ? texts.searching
      : found === null
        ? texts.failed
        : count === 0
          ? texts.none
          : `${texts.results}${found.query === query ? '' : ` (${found.query})`}: ${count}`;
  return html`<form ref=${form} class="search no-print" role="search" onSubmit=${onSubmit} onKeyDown=${onKeyDown}>
<label class="unseen" for="search-words">${texts.label}</label>
<input ref=${field} type="search" id="search-words" placeholder="${hint}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off" spellcheck=${false} enterkeyhint="go" aria-keyshortcuts="/"
 onFocus=${() => indexed(language)} onClick=${find} onInput=${find} />
<p class="unseen" role="status" id="search-said">${shown && message}</p>
${
  shown &&
  html`<div class="found" id="search-found" role="region" aria-label="${texts.results}">
${(!count || found?.query !== query) && html`<p>${message}</p>`}${count !== 0 && html`<ul>${found?.entries.map(link)}</ul>`}</div>`
}</form>`;
}
