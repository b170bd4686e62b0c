import {
  DRIFTS,
  FAULTS,
  JUMPS,
  LATE_VENUES,
  LEAD,
  MIDNIGHT,
  type QuoteKind,
  TIES,
} from './faults.ts';
import type { Scene } from './quote-feed.ts';
import { Try, type TryPlan } from './quote-try.ts';
import { emptyRow, type Plan, type Row, rowOf } from './table.ts';

/** Of all venues beside the parallel market, unless it says otherwise. */
const scene = (
  name: string,
  against: Scene['against'],
  wrongVenues: number,
  more: Partial<Scene> = {},
): Scene => ({ ...{ name, against, wrongVenues, venues: 'all', hasParallel: true }, ...more });

const EVERY = Number.POSITIVE_INFINITY;
const [IS_WRONG, ABSENT] = [{ isParallelWrong: true }, { hasParallel: false }] as const;
const [LONE, NO_VENUES] = [{ venues: 'one' }, { venues: 'none' }] as const;

const FEW = [scene('one venue', 'most', 1), scene('two venues', 'most', 2)];
const PARALLEL_BESIDE = scene('the parallel, beside venues', 'most', 0, IS_WRONG);
const BESIDE_PARALLEL = [
  scene('all venues, beside the parallel', 'some', EVERY),
  scene('a lone venue, beside the parallel', 'some', EVERY, LONE),
];
const UNOPPOSED = [
  scene('all venues, no parallel', 'nobody', EVERY, ABSENT),
  scene('the parallel alone', 'nobody', 0, { ...IS_WRONG, ...NO_VENUES }),
];
/** As many voices for the wrong figure as for the right one, which the parallel market has. */
const TIED = [
  scene('three of five venues, beside the parallel', 'half', 3),
  scene('two of four venues, beside the parallel', 'half', 2, { count: 4 }),
];
const ALL_IN_TURN = scene('all venues, after the parallel', 'some', EVERY, IS_WRONG);
/** At night the parallel market is not read. */
const NO_PARALLEL = [
  ...UNOPPOSED.slice(0, 1),
  scene('a lone venue, no parallel', 'nobody', EVERY, { ...LONE, ...ABSENT }),
];
const NONE = [
  scene('none', 'nobody', 0),
  scene('none, no parallel', 'nobody', 0, ABSENT),
  scene('none, the parallel alone', 'nobody', 0, NO_VENUES),
];

/** Each kind of fault with the scenes in which it is tried. */
export const QUOTE_KINDS: readonly (readonly [QuoteKind, readonly Scene[]])[] = [
  ...FAULTS.map(
    (kind) => [kind, [...FEW, PARALLEL_BESIDE, ...BESIDE_PARALLEL, ...UNOPPOSED]] as const,
  ),
  ...DRIFTS.map((kind) => [kind, [PARALLEL_BESIDE, ...BESIDE_PARALLEL, ...UNOPPOSED]] as const),
  ...TIES.map((kind) => [kind, TIED] as const),
  [MIDNIGHT, NO_PARALLEL],
  [LEAD, [ALL_IN_TURN]],
  ...LATE_VENUES.map((kind) => [kind, FEW] as const),
  ...JUMPS.map((kind) => [kind, kind.parallelAfterMin === 0 ? NONE : NONE.slice(0, 1)] as const),
];

interface QuotePlan extends TryPlan, Plan {
  /** Durations of the faults in minutes, which the tries take in turn. */
  readonly minutes?: readonly number[];
}

const DURATIONS_MIN = [1, 5, 11, 60, 360, 1_440] as const;
/** A jump of the truth is watched for so long. */
const JUMP_MIN = 90;

const FAMILIES: Readonly<Record<QuoteKind['size'], string>> = {
  huge: 'another unit or currency, or a factor of at least 1.5',
  share: 'a factor below 1.5, or another currency scaled into the band',
  old: 'old figures or times',
  drift: 'small steps',
  move: 'the truth jumps by 12 % to 200 %',
};

function familyOf({ size, change }: QuoteKind): string {
  return size === 'move' && change ? 'frozen or late while the truth jumps' : FAMILIES[size];
}

/** Injects each kind of fault at chosen instants of the series. */
export async function replayQuotes(plan: QuotePlan): Promise<readonly Row[]> {
  const { minutes: durations = DURATIONS_MIN } = plan;
  const rows: Row[] = [];
  for (const [kind, scenes] of QUOTE_KINDS) {
    for (const scene of scenes) {
      const row = emptyRow(kind.name, scene.name, { family: familyOf(kind) });
      const chance = plan.chance.of(`${kind.name} ${scene.name}`);
      const tried = await rowOf(row, plan, (number) => {
        const length = durations[number % durations.length] ?? 1;
        const minutes = kind.minutes ?? (kind.move === undefined ? length : JUMP_MIN);
        return new Try({ ...plan, chance }, kind, scene, minutes).run();
      });
      rows.push(...tried);
    }
  }
  return rows;
}
