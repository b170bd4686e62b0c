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
  /** The goals that this try misses. */
  readonly misses: readonly string[];
}

export function emptyRow(kind: string, voices: string, family = kind): Row {
  return {
    ...{ kind, family, voices, tries: 0, published: 0, publishedMinutes: 0, furthestPercent: 0 },
    ...{ withheld: 0, withheldMinutes: 0, unmarked: 0, failures: new Map() },
  };
}

export function addOutcome(row: Row, outcome: Outcome): void {
  const { start, minutes, published, furthestPercent, withheld, isUnmarked, misses } = outcome;
  row.tries += 1;
  if (published > 1) row.published += 1;
  if (withheld > 0) row.withheld += 1;
  if (isUnmarked) row.unmarked += 1;
  row.publishedMinutes = Math.max(row.publishedMinutes, published);
  row.furthestPercent = Math.max(row.furthestPercent, furthestPercent);
  row.withheldMinutes = Math.max(row.withheldMinutes, withheld);
  for (const miss of misses) {
    const known = row.failures.get(miss);
    if (known === undefined) row.failures.set(miss, { tries: 1, start, minutes });
    else {
      known.tries += 1;
      if (minutes < known.minutes) Object.assign(known, { start, minutes });
    }
  }
}

/** One row for each family and voices. */
export function summed(rows: readonly Row[]): readonly Row[] {
  const groups = Map.groupBy(rows, ({ family, voices }) => `${family}, ${voices}`);
  return [...groups.values()].map((group) => {
    const [{ family, voices } = emptyRow('', '')] = group;
    const sum = (of: (row: Row) => number) => group.reduce((all, row) => all + of(row), 0);
    const most = (of: (row: Row) => number) => Math.max(...group.map(of));
    return {
      ...emptyRow(family, voices),
      tries: sum(({ tries }) => tries),
      published: sum(({ published }) => published),
      publishedMinutes: most(({ publishedMinutes }) => publishedMinutes),
      furthestPercent: most(({ furthestPercent }) => furthestPercent),
      withheld: sum(({ withheld }) => withheld),
      withheldMinutes: most(({ withheldMinutes }) => withheldMinutes),
      unmarked: sum(({ unmarked }) => unmarked),
    };
  });
}

const COLUMNS = [
  'Kind',
  'Wrong',
  'Tries',
  'Published',
  'Longest, minutes',
  'Furthest off, %',
  'Right ones withheld',
  'Longest, minutes',
  'Not marked in time',
] as const;

/** The rows as a table of Markdown. */
export function table(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => [
    row.kind,
    row.voices,
    row.tries,
    row.published,
    row.publishedMinutes,
    row.furthestPercent.toFixed(1),
    row.withheld,
    row.withheldMinutes,
    row.unmarked,
  ]);
  return [line(COLUMNS), line(COLUMNS.map(() => '-')), ...cells.map(line)].join('\n');
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
