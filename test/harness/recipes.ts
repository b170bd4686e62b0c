import { readFileSync } from 'node:fs';

export const RECIPE_PAGES = ['recipes.md', 'recipes.es.md'];

export const recipePage = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** The code of a kind, such as `php`, in the order of the page. */
export function recipeBlocks(page: string, kind: string): string[] {
  const blocks = recipePage(page).matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, text = '']) => text);
}
