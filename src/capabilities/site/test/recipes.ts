import type { Language } from '../../../core/domain/words/language.ts';
import { GUIDE_GROUPS, guideFile } from '../guides/guides.ts';

/** The recipes of a language under each other, each below its name, for a service at `rates.example`. */
export function recipePage(language: Language): string {
  return GUIDE_GROUPS.recipes
    .map((name) => guideFile(name, language).replaceAll(/^#/gm, '##'))
    .join('\n')
    .replaceAll('{{url}}', 'https://rates.example');
}

/** The code of a kind, such as `php`, that a platform runs and no test of the guides, in its order. */
export function recipeBlocks(language: Language, kind: string): string[] {
  const pattern = new RegExp(`\`\`\`${kind} recipe\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...recipePage(language).matchAll(pattern)].map(([, text = '']) => text);
}
