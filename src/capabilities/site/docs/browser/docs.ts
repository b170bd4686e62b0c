import { type ComponentType, h, hydrate } from 'preact';
import { language, languageChosen } from '../../frame/browser/elements.ts';
import { CodeHead } from '../../text/code-head.ts';
import { Sections } from '../../text/page-sections.ts';
import { Search } from '../search/search-box.ts';

/** Goes on in the browser with what the service rendered: search, place of the reader, code. */

function goOn<Props extends object>(
  selector: string,
  component: ComponentType<Props>,
  propsOf: (place: HTMLElement) => Props,
): void {
  for (const place of document.querySelectorAll<HTMLElement>(selector)) {
    hydrate(h(component, propsOf(place)), place);
  }
}

goOn('#search', Search, ({ dataset }) => ({
  ...{ language, languageChosen },
  texts: JSON.parse(dataset['texts'] ?? '{}'),
}));
goOn('#sections', Sections, ({ dataset }) => ({
  sections: JSON.parse(dataset['sections'] ?? '[]'),
}));
goOn('.code-head', CodeHead, ({ dataset: { kinds = '', label = '' } }) => ({
  language,
  kinds: kinds.split(' ').filter(Boolean),
  label,
}));

/** Links to the reference of one page, as it was before: its parts are in the list of the start page. */
const old = document.querySelector<HTMLAnchorElement>(
  `[id="${CSS.escape(location.hash.slice(1))}"] > a.moved`,
);
if (old !== null) location.replace(old.href);
