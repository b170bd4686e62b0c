import type { Language } from '../../../core/domain/words/language.ts';
import { readProductText } from '../../../core/product-files.ts';
import { GUIDE_TEXTS } from '../texts/texts.ts';

export type GuideName = keyof typeof GUIDE_TEXTS.es;

/** The guides by their part of the index, in the order of reading. */
export const GUIDE_GROUPS = {
  start: ['first-request', 'markets', 'errors'],
  guides: ['invoice-rate', 'history', 'board-data', 'stream', 'webhooks', 'assistants'],
  recipes: [
    'google-sheets',
    'excel',
    'month-end',
    'pandas',
    'odoo',
    'woocommerce',
    'till',
    'php-invoice',
    'js-shop',
    'website',
    'client',
    'examples',
  ],
  switching: [
    'switch-from-dolarapi',
    'switch-from-pydolarve',
    'switch-from-criptoya',
    'switch-from-frankfurter',
    'switch-from-er-api',
    'switch-from-dolarvzla',
    'switch-from-rafnixg',
    'switch-from-yadio',
    'switch-from-bcvapi',
    'switch-from-bcvtoday',
    'switch-from-exchangedyn',
    'switch-from-dolartoday',
    'switch-from-fawazahmed0',
    'switch-from-hosted',
  ],
  account: ['limits', 'markups', 'public-keys'],
  operator: ['self-hosting'],
} as const satisfies Readonly<Record<string, readonly GuideName[]>>;

/** The keys of the table are its type. */
export const GUIDE_NAMES = Object.keys(GUIDE_TEXTS.es) as readonly GuideName[];

const files = new Map<string, string>();

function fileText(path: string): string {
  const text = files.get(path) ?? readProductText(path);
  files.set(path, text);
  return text;
}

/** The text of a guide as it is written, with its placeholders `{{…}}`. */
export function guideFile(name: GuideName, language: Language): string {
  return fileText(`src/capabilities/site/guides/${language}/${name}.md`);
}

/** The program that guides of switching show, with its placeholders. */
export function switchPrograms(): string {
  return fileText('src/capabilities/site/guides/switch-programs.md').trimEnd();
}

/** A file of the folder `examples/`. */
export function exampleFile(name: string): string {
  return fileText(`examples/${name}`).trimEnd();
}

/** Its first heading. */
export function guideTitle(name: GuideName, language: Language): string {
  return /^# (.*)$/m.exec(guideFile(name, language))?.[1] ?? name;
}
