import { CAPABILITIES } from '../../src/capabilities.ts';
import { settingsOfAll } from '../../src/core/cli/added.ts';
import { type Sentence, sentence } from '../../src/core/domain/errors/sentence.ts';
import { FILE_ENDING } from '../../src/core/secret-file.ts';
import { OTHER_ROWS, SETTINGS, type SettingTexts } from '../../src/core/settings.ts';
import { code, type Table } from './table.ts';

/** The table of settings of the operator's page, in both languages. */

const HEAD: readonly Sentence[] = [
  sentence('Flag', 'Opción'),
  sentence('Variable', 'Variable'),
  sentence('Default', 'Por defecto'),
  sentence('Meaning', 'Significado'),
];

interface Row extends Pick<SettingTexts, 'shownDefault' | 'meaning' | 'isSecret'> {
  readonly name: string;
  readonly flag?: string | undefined;
}

function allRows(): readonly Row[] {
  const own = Object.entries<SettingTexts>(SETTINGS).map(([name, texts]) => ({ name, ...texts }));
  const added = Object.entries(settingsOfAll(CAPABILITIES)).map(([name, { flag, ...texts }]) => ({
    ...texts,
    name: name.startsWith('--') ? '' : name,
    flag: flag?.notation.split(' ')[0],
  }));
  return [...own, ...added, ...OTHER_ROWS];
}

export function settingTable(language: 'en' | 'es'): Table {
  const inLanguage = (text: string | Sentence) =>
    typeof text === 'string' ? text : text[language];
  const named = (name = '') => (name === '' ? '' : code(name));
  const rows = allRows().map(({ name, flag, shownDefault, meaning, isSecret }) => [
    ...[named(flag), isSecret === true ? `${named(name)}, ${named(FILE_ENDING)}` : named(name)],
    ...[inLanguage(shownDefault), inLanguage(meaning)],
  ]);
  return { head: HEAD.map(inLanguage), rows };
}
