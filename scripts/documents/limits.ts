import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A limit, as the comment above its constant says it:
 * `// limit: what | value | what happens beyond it | other constants of the row`.
 */
export interface Limit {
  readonly what: string;
  readonly value: string;
  readonly beyond: string;
  /** Its constants, in the order in which their values stand in `value`. */
  readonly names: readonly string[];
  /** Relative to `src/`. */
  readonly file: string;
}

const COMMENT = /^ *\/\/ limit: (.*)$/;

/** @throws Error when no constant follows a comment. */
function limitsIn(file: string, text: string): readonly Limit[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const [, row] = COMMENT.exec(line) ?? [];
    if (row === undefined) return [];
    const following = lines.slice(at).find((one) => !COMMENT.test(one));
    const [, name] = /\bconst ([A-Z0-9_]+)\b/.exec(following ?? '') ?? [];
    if (name === undefined) throw new Error(`${file}: no constant follows "${row}"`);
    const [what = '', value = '', beyond = '', others = ''] = row.split(' | ');
    const names = [name, ...others.split(', ').filter(Boolean)];
    return { what, value, beyond, names, file };
  });
}

/** Every limit, file by file. */
export function limitsOf(root: string): readonly Limit[] {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.(?:ts|js)$/.test(file))
    .filter((file) => !file.includes('/bundle/'))
    .toSorted();
  return sources.flatMap((file) => limitsIn(file, readFileSync(join(root, 'src', file), 'utf8')));
}

/** A capability, a room of the core, or a room beside them. */
function roomOf({ file }: Limit): string {
  const room = file.replace(/^(?:core|capabilities)\//, '').split('/')[0] ?? '';
  return TITLES[room] ?? room;
}

/**
 * Beyond the limit somebody is refused or cut off, or something ends: what a caller or an operator
 * asks about. The others share the work within the service; who changes that reads the code.
 */
const IS_MET =
  /\b[45]\d\d\b|not started|refused|exit code|TypeError|`\w+`|protocol error|(?<!test |calls )fail|disabled|closed|deleted|removed|lost|^ends\b/;

/** A list for each room of the sources. */
export function limitLists(root: string): string {
  const met = limitsOf(root).filter(({ beyond }) => IS_MET.test(beyond));
  return [...Map.groupBy(met, roomOf)]
    .map(([room, limits]) => {
      const lines = limits.map(({ what, value, beyond }) => `- ${what}: **${value}**; ${beyond}`);
      return `## ${room}\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

/** What a reader finds in a room, where its name does not say it. */
const TITLES: Readonly<Record<string, string>> = {
  'compose.ts': 'Start and settings',
  'config.ts': 'Start and settings',
  'secret-file.ts': 'Start and settings',
  alerts: 'Alerts',
  assistants: 'Assistants',
  backfill: '`vesfx backfill`',
  compat: 'Addresses of other services',
  doctor: '`vesfx doctor`',
  export: '`vesfx export FILE`',
  handouts: 'Files for programs',
  'import-csv': '`vesfx import` of CSV',
  move: '`vesfx move`',
  lookup: '`vesfx convert`, `vesfx publications`',
  site: 'Pages',
  'static-copy': 'Static copies',
  stream: 'Streams',
  webhooks: 'Webhooks',
  app: 'What the service does',
  catalogue: 'The catalogue',
  cli: 'Commands',
  client: 'The client',
  domain: 'Figures and rules',
  http: 'Requests and answers',
  outbound: 'Outgoing connections',
  sources: 'Sources',
  storage: 'Databases',
};
