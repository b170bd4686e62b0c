import { type Instant, MINUTE_MS } from '../../src/core/domain/time.ts';
import type { Chance } from '../chance.ts';

/** What a fault changed of what was read: how often, by how much and for how long. */
export class Injected {
  readings = 0;
  percent = 0;
  #from: Instant | undefined;
  #to: Instant = 0;

  add(at: Instant, percent: number): void {
    this.readings += 1;
    this.percent = Math.max(this.percent, percent);
    this.#from ??= at;
    this.#to = Math.max(this.#to, at);
  }

  /** From the first changed reading to the last, at least one. */
  get minutes(): number {
    return this.#from === undefined ? 0 : Math.max(1, (this.#to - this.#from) / MINUTE_MS);
  }
}

/** For how many minutes something is so, and was so at most. */
export class Stretch {
  minutes = 0;
  longest = 0;

  add(isSo: boolean, minutes: number): void {
    this.minutes = isSo ? this.minutes + minutes : 0;
    this.longest = Math.max(this.longest, this.minutes);
  }
}

/** What is counted over the tries of one kind. */
const COUNTED = {
  tries: 0,
  /** Tries in which wrong figures were published for more than a minute. */
  published: 0,
  /** Tries in which right figures were withheld. */
  withheld: 0,
  /** Tries in which a wrong figure was neither in doubt nor stale after a quarter of an hour. */
  unmarked: 0,
  /** Tries in which right figures that a second source confirmed were marked. */
  marked: 0,
  /** Changed readings. */
  injected: 0,
  /** Tries that were not made, or whose fault never began. */
  unbegun: 0,
};

/** What is largest in a try, and among the tries of one kind. */
const LARGEST = {
  publishedMinutes: 0,
  /** How far from the truth a published wrong figure was. */
  furthestPercent: 0,
  withheldMinutes: 0,
  /** For how long a confirmed right figure was marked. */
  markedMinutes: 0,
  injectedPercent: 0,
  injectedMinutes: 0,
};

/** What the tries of one kind showed. */
export type Row = typeof COUNTED &
  typeof LARGEST & {
    readonly kind: string;
    /** The kinds that it is told with when they are summed up. */
    readonly family: string;
    /** Which readings are wrong, and who speaks beside them. */
    readonly voices: string;
    /** Whether it has no fault: the control. */
    readonly isFaultless: boolean;
    /** The rules that held something in it, by their codes. */
    readonly heldBy: Set<string>;
    /** What fell short of the goals, with the start of the shortest such try. */
    readonly failures: Map<string, Failure>;
  };

interface Failure {
  tries: number;
  start: string;
  minutes: number;
}

/** What one try showed. */
export interface Outcome extends Partial<typeof LARGEST> {
  readonly start: string;
  /** Length of the fault. */
  readonly minutes: number;
  readonly isUnmarked?: boolean;
  /** What the fault changed; nothing in a control without a fault. */
  readonly injected: Injected;
  /** The rules that held something, by their codes. */
  readonly heldBy: ReadonlySet<string>;
  /** The goals that this try misses. */
  readonly misses: readonly string[];
}

export function emptyRow(
  kind: string,
  voices: string,
  { family = kind, isFaultless = false } = {},
): Row {
  const none = { heldBy: new Set<string>(), failures: new Map<string, Failure>() };
  return { kind, family, voices, isFaultless, ...COUNTED, ...LARGEST, ...none };
}

/** Adds to a row what was counted, and raises what is largest. */
function addTo(row: Row, counted: Partial<typeof COUNTED>, largest: Partial<typeof LARGEST>): void {
  for (const name of keysOf(COUNTED)) row[name] += counted[name] ?? 0;
  for (const name of keysOf(LARGEST)) row[name] = Math.max(row[name], largest[name] ?? 0);
}

/** The cast is safe: the objects of this file have no other keys. */
function keysOf<Of extends object>(of: Of): readonly (keyof Of)[] {
  return Object.keys(of) as (keyof Of)[];
}

/** @param outcome Undefined when there was no place for the try. */
export function addOutcome(row: Row, outcome: Outcome | undefined): void {
  if (outcome === undefined || (outcome.injected.readings === 0 && !row.isFaultless)) {
    row.unbegun += 1;
    return;
  }
  const { start, minutes, misses, injected, isUnmarked, heldBy } = outcome;
  const { publishedMinutes = 0, withheldMinutes = 0, markedMinutes = 0 } = outcome;
  const counted = {
    tries: 1,
    published: Number(publishedMinutes > 1),
    withheld: Number(withheldMinutes > 0),
    unmarked: Number(isUnmarked === true),
    marked: Number(markedMinutes > 0),
    injected: injected.readings,
  };
  const { percent: injectedPercent, minutes: injectedMinutes } = injected;
  addTo(row, counted, { ...outcome, injectedPercent, injectedMinutes });
  for (const code of heldBy) row.heldBy.add(code);
  for (const miss of misses) {
    const known = row.failures.get(miss) ?? { tries: 0, start, minutes };
    const shortest = minutes < known.minutes ? { start, minutes } : known;
    row.failures.set(miss, { ...shortest, tries: known.tries + 1 });
  }
}

/** What a run tries, and how often. */
export interface Plan {
  readonly tries: number;
  readonly chance: Chance;
  /** Whether a kind is part of the run; by default each is. */
  readonly isWanted?: (kind: string) => boolean;
}

/** Tries a kind, unless it is not part of the run. @returns its row. */
export async function rowOf(
  row: Row,
  { tries, isWanted }: Pick<Plan, 'tries' | 'isWanted'>,
  tryOnce: (number: number) => Promise<Outcome | undefined>,
): Promise<readonly Row[]> {
  if (isWanted?.(row.kind) === false) return [];
  for (let number = 0; number < tries; number += 1) addOutcome(row, await tryOnce(number));
  return [row];
}

/** The rows that tested nothing: none of their tries changed a reading. */
export function neverBegan(rows: readonly Row[]): string {
  return rows
    .filter(({ injected, isFaultless }) => injected === 0 && !isFaultless)
    .map(({ kind, voices, unbegun }) => `- ${kind}, ${voices}: ${unbegun} tries`)
    .join('\n');
}

/** One row for each family and voices. */
export function summed(rows: readonly Row[]): readonly Row[] {
  const groups = Map.groupBy(rows, ({ family, voices }) => `${family}, ${voices}`);
  return [...groups.values()].map((group) => {
    const [{ family, voices, isFaultless } = emptyRow('', '')] = group;
    const sum = emptyRow(family, voices, { isFaultless });
    for (const row of group) addTo(sum, row, row);
    return sum;
  });
}

const COLUMNS: readonly (readonly [string, (row: Row) => string | number])[] = [
  ['Kind', ({ kind }) => kind],
  ['Wrong', ({ voices }) => voices],
  ['Tries', ({ tries }) => tries],
  ['Wrong readings', ({ injected }) => injected],
  ['By up to, %', ({ injectedPercent }) => injectedPercent.toFixed(1)],
  ['For up to, minutes', ({ injectedMinutes }) => Math.round(injectedMinutes)],
  ['Published', ({ published }) => published],
  ['Longest, minutes', ({ publishedMinutes }) => publishedMinutes],
  ['Furthest off, %', ({ furthestPercent }) => furthestPercent.toFixed(1)],
  ['Right ones withheld', ({ withheld }) => withheld],
  ['Longest, minutes', ({ withheldMinutes }) => withheldMinutes],
  ['Not marked in time', ({ unmarked }) => unmarked],
  ['Right ones marked', ({ marked }) => marked],
  ['Longest, minutes', ({ markedMinutes }) => markedMinutes],
];

/** The rows as a table of Markdown. */
export function table(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => COLUMNS.map(([, cell]) => cell(row)));
  const names = COLUMNS.map(([name]) => name);
  return [line(names), line(names.map(() => '-')), ...cells.map(line)].join('\n');
}

/** Each rule with the kinds of which it held a reading. */
export function rulesTable(rows: readonly Row[], rules: readonly string[]): string {
  const kinds = (code: string) =>
    new Set(rows.filter(({ heldBy }) => heldBy.has(code)).map(({ family }) => family));
  const lines = rules.map((code) => `| \`${code}\` | ${[...kinds(code)].join('; ') || 'none'} |`);
  return ['| Rule | Kinds of which it held a reading |', '| - | - |', ...lines].join('\n');
}

/** The goals that rows miss, or some of these, with the shortest try of each. */
export function missedGoals(rows: readonly Row[], goals?: readonly string[]): string {
  return rows
    .flatMap(({ kind, voices, tries, failures }) =>
      [...failures]
        .filter(([goal]) => goals?.includes(goal) !== false)
        .map(
          ([goal, one]) =>
            `- ${kind}, ${voices}: ${goal}, ${one.tries} of ${tries}; shortest: ${one.start}, ${one.minutes} min`,
        ),
    )
    .join('\n');
}
