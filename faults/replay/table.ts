import { type Instant, MINUTE_MS } from '../../src/core/domain/time.ts';

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

/** What the tries of one kind showed. */
export interface Row {
  readonly kind: string;
  /** The kinds that it is told with when they are summed up. */
  readonly family: string;
  /** Which readings are wrong, and who speaks beside them. */
  readonly voices: string;
  tries: number;
  /** Tries in which wrong figures were published for more than a minute, and the longest. */
  published: number;
  publishedMinutes: number;
  /** How far from the truth a published wrong figure was. */
  furthestPercent: number;
  /** Tries in which right figures were withheld, and the longest. */
  withheld: number;
  withheldMinutes: number;
  /** Tries in which a wrong figure was neither in doubt nor stale after a quarter of an hour. */
  unmarked: number;
  /** Tries in which right figures that a second source confirmed were marked, and the longest. */
  marked: number;
  markedMinutes: number;
  /** Changed readings in all tries, the largest change, and the longest time. */
  injected: number;
  injectedPercent: number;
  injectedMinutes: number;
  /** Tries that were not made, or whose fault never began. */
  unbegun: number;
  /** Whether it has no fault: the control. */
  readonly isFaultless: boolean;
  /** The rules that held something in it, by their codes. */
  readonly heldBy: Set<string>;
  /** What fell short of the goals, with the start of the shortest such try. */
  readonly failures: Map<string, Failure>;
}

interface Failure {
  tries: number;
  start: string;
  minutes: number;
}

/** What one try showed. */
export interface Outcome {
  readonly start: string;
  /** Length of the fault. */
  readonly minutes: number;
  readonly published: number;
  readonly furthestPercent: number;
  readonly withheld: number;
  readonly isUnmarked: boolean;
  /** Longest time for which a confirmed right figure was marked. */
  readonly marked?: number;
  /** What the fault changed; absent for a control without a fault. */
  readonly injected?: Pick<Injected, 'readings' | 'percent' | 'minutes'>;
  /** The rules that held something, by their codes. */
  readonly heldBy?: ReadonlySet<string>;
  /** The goals that this try misses. */
  readonly misses: readonly string[];
}

export function emptyRow(
  kind: string,
  voices: string,
  { family = kind, isFaultless = false } = {},
): Row {
  return {
    ...{ kind, family, voices, tries: 0, published: 0, publishedMinutes: 0, furthestPercent: 0 },
    ...{ withheld: 0, withheldMinutes: 0, unmarked: 0, marked: 0, markedMinutes: 0 },
    ...{ injected: 0, injectedPercent: 0, injectedMinutes: 0, unbegun: 0, isFaultless },
    heldBy: new Set(),
    failures: new Map(),
  };
}

/** @param outcome Undefined when there was no place for the try. */
export function addOutcome(row: Row, outcome: Outcome | undefined): void {
  if (outcome === undefined || (outcome.injected?.readings === 0 && !row.isFaultless)) {
    row.unbegun += 1;
    return;
  }
  const { start, minutes, published, furthestPercent, withheld, isUnmarked, misses } = outcome;
  const { marked = 0, injected = NOTHING } = outcome;
  row.tries += 1;
  row.injected += injected.readings;
  row.injectedPercent = Math.max(row.injectedPercent, injected.percent);
  row.injectedMinutes = Math.max(row.injectedMinutes, injected.minutes);
  if (marked > 0) row.marked += 1;
  row.markedMinutes = Math.max(row.markedMinutes, marked);
  if (published > 1) row.published += 1;
  if (withheld > 0) row.withheld += 1;
  if (isUnmarked) row.unmarked += 1;
  row.publishedMinutes = Math.max(row.publishedMinutes, published);
  row.furthestPercent = Math.max(row.furthestPercent, furthestPercent);
  row.withheldMinutes = Math.max(row.withheldMinutes, withheld);
  for (const code of outcome.heldBy ?? []) row.heldBy.add(code);
  for (const miss of misses) {
    const known = row.failures.get(miss);
    if (known === undefined) row.failures.set(miss, { tries: 1, start, minutes });
    else {
      known.tries += 1;
      if (minutes < known.minutes) Object.assign(known, { start, minutes });
    }
  }
}

const NOTHING = { readings: 0, percent: 0, minutes: 0 };

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
    const sum = (of: (row: Row) => number) => group.reduce((all, row) => all + of(row), 0);
    const most = (of: (row: Row) => number) => Math.max(...group.map(of));
    return {
      ...emptyRow(family, voices, { isFaultless }),
      tries: sum(({ tries }) => tries),
      published: sum(({ published }) => published),
      publishedMinutes: most(({ publishedMinutes }) => publishedMinutes),
      furthestPercent: most(({ furthestPercent }) => furthestPercent),
      withheld: sum(({ withheld }) => withheld),
      withheldMinutes: most(({ withheldMinutes }) => withheldMinutes),
      unmarked: sum(({ unmarked }) => unmarked),
      marked: sum(({ marked }) => marked),
      markedMinutes: most(({ markedMinutes }) => markedMinutes),
      injected: sum(({ injected }) => injected),
      injectedPercent: most(({ injectedPercent }) => injectedPercent),
      injectedMinutes: most(({ injectedMinutes }) => injectedMinutes),
      unbegun: sum(({ unbegun }) => unbegun),
    };
  });
}

const COLUMNS = [
  'Kind',
  'Wrong',
  'Tries',
  'Wrong readings',
  'By up to, %',
  'For up to, minutes',
  'Published',
  'Longest, minutes',
  'Furthest off, %',
  'Right ones withheld',
  'Longest, minutes',
  'Not marked in time',
  'Right ones marked',
  'Longest, minutes',
] as const;

/** The rows as a table of Markdown. */
export function table(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => [
    row.kind,
    row.voices,
    row.tries,
    row.injected,
    row.injectedPercent.toFixed(1),
    Math.round(row.injectedMinutes),
    row.published,
    row.publishedMinutes,
    row.furthestPercent.toFixed(1),
    row.withheld,
    row.withheldMinutes,
    row.unmarked,
    row.marked,
    row.markedMinutes,
  ]);
  return [line(COLUMNS), line(COLUMNS.map(() => '-')), ...cells.map(line)].join('\n');
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
