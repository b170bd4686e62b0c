import { markdownPage } from '../docs/markdown-page.ts';
import type { Texts } from '../frame/language.ts';
import type { PageView } from '../frame/page-view.ts';
import { type MethodologyFacts, methodologyText } from './methodology-text.ts';

const DESCRIPTION: Texts<string> = {
  es: 'Cómo hace vesfx el índice y todas las demás cifras.',
  en: 'How vesfx makes the index and every other figure.',
};

/** A sentence for readers of the file, who do not see the numbers of this service. */
const FOR_THE_FILE = /<!--file-->[\s\S]*?<!--\/file-->\s/g;

/** How every figure is made; anyone may read it without a key. */
export function methodologyPage(view: PageView, facts: MethodologyFacts): string {
  // The comments name the filled-in numbers, for editors of the text.
  const text = methodologyText(view.language, facts)
    .replaceAll(FOR_THE_FILE, '')
    .replaceAll(/<!--.*?-->/g, '');
  return markdownPage(view, { text, description: DESCRIPTION[view.language] });
}
