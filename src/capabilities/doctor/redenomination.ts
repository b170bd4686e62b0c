import type { Source } from '../../core/app/ports/sources.ts';
import type { Store } from '../../core/app/ports/store.ts';
import { buildSnapshot, type Snapshot } from '../../core/app/snapshot.ts';
import { isRatioOver } from '../../core/domain/calculations/ratio.ts';
import type { CatalogueRules } from '../../core/domain/judgement.ts';
import { currencyOf, OFFICIAL_RATES } from '../../core/domain/markets.ts';
import {
  laterDay,
  type Redenomination,
  type Redenominations,
  type Units,
  unitAt,
  unitOfDay,
} from '../../core/domain/redenomination.ts';
import { PUSHED } from '../../core/domain/source-health.ts';
import { type CaracasDay, type Instant, startOfCaracasDay } from '../../core/domain/time.ts';
import { MAX_ACCOUNTS_SEARCHED } from './accounts.ts';
import { type Finding, ok, warning } from './finding.ts';

/** A figure of now, and in the unit of the day that is asked for. */
interface Rebased<Figure> {
  readonly now: Figure;
  readonly becomes: Figure;
}

export interface DryRun {
  readonly redenominations: readonly Redenomination[];
  readonly figures: readonly (Rebased<number> & {
    /** A market, or the code of a currency without one. */
    readonly name: string;
    readonly valueDate?: CaracasDay | undefined;
  })[];
  /** Only enabled sources. */
  readonly bounds: readonly (Rebased<readonly [number, number]> & {
    readonly source: string;
    readonly market: string;
  })[];
  /** The fixed markups of the accounts, which only a person can change. */
  readonly markups: readonly (Rebased<number> & {
    readonly account: string;
    readonly tag: string;
  })[];
  readonly findings: readonly Finding[];
}

interface Parts extends CatalogueRules {
  readonly sources: readonly Source[];
  readonly redenominations: Redenominations;
  readonly store: Store;
  readonly now: Instant;
}

/** What becomes of an installation by the redenominations after today, up to a day. Writes nothing. */
export async function dryRun(day: CaracasDay, parts: Parts): Promise<DryRun> {
  const { store, markets, redenominations, thresholds, now } = parts;
  const units = { from: unitAt(now), to: unitOfDay(day) };
  const reforms = redenominations.after(units);
  const records = await store.currentRecords(units.from);
  const snapshot = buildSnapshot(records, markets, {
    ...{ now, startedAt: now, redenominations, thresholds },
  });
  const { markups, isWhole } = await fixedMarkups(store, units, redenominations);
  const found = {
    redenominations: reforms,
    figures: figuresOf(snapshot, units, redenominations),
    bounds: boundsOf(parts, day),
    markups,
  };
  if (reforms.length === 0) return { ...found, findings: [noneUntil(units, redenominations)] };
  const findings = [
    ...figuresOutside(found),
    ...publishedInOldUnit(snapshot, parts, day),
    ...pushedFigures(snapshot),
    ...markupsToChange(found, isWhole),
    ok(
      'redenomination',
      'Nothing else needs a change: conversions, the index, the bank table, markups in percent, "ticket_ves" of sources and judgement follow the day. Stored figures and history stay as they are.',
    ),
  ];
  return { ...found, findings };
}

function noneUntil({ from, to }: Units, { list }: Redenominations): Finding {
  const newest = list.at(-1);
  const known = newest === undefined ? 'It has none.' : `Its last one is of ${newest.on}.`;
  return warning(
    'redenomination',
    `The catalogue has no redenomination after today, ${from}, up to ${to}. ${known}`,
    'Write it into redenominations.json: [{"on", "factor", "name"}].',
  );
}

function figuresOf(
  { official, quotes }: Snapshot,
  units: Units,
  { rebased }: Redenominations,
): DryRun['figures'] {
  const rates = [...official].flatMap(([currency, { inForce, next }]) =>
    [inForce, next].flatMap((rate) => {
      if (rate === undefined) return [];
      const from = unitOfDay(laterDay(units.from, rate.valueDate));
      const becomes = rebased(rate.rate, { from, to: laterDay(from, units.to) });
      const name = OFFICIAL_RATES[currency];
      return [{ name, valueDate: rate.valueDate, now: rate.rate, becomes }];
    }),
  );
  const others = quotes.filter(({ market }) => currencyOf(market.id) === undefined);
  return [
    ...rates,
    ...others.map(({ market, mid }) => ({
      name: market.id,
      now: mid,
      becomes: rebased(mid, units),
    })),
  ];
}

function boundsOf({ sources, now }: Parts, day: CaracasDay): DryRun['bounds'] {
  return sources
    .filter(({ enabled }) => enabled)
    .flatMap(({ name: source, markets, between }) =>
      markets.flatMap((market) => {
        const [before, after] = [between(market, now), between(market, startOfCaracasDay(day))];
        return before && after ? [{ source, market, now: before, becomes: after }] : [];
      }),
    );
}

async function fixedMarkups(
  store: Store,
  units: Units,
  { rebased }: Redenominations,
): Promise<{ readonly markups: DryRun['markups']; readonly isWhole: boolean }> {
  const accounts = await store.listAccounts();
  const markups: DryRun['markups'][number][] = [];
  for (const { id: account } of accounts.slice(0, MAX_ACCOUNTS_SEARCHED)) {
    for (const { kind, tag, value } of await store.listMarkups(account)) {
      if (kind !== 'fixed') continue;
      markups.push({ account, tag, now: value, becomes: rebased(value, units) });
    }
  }
  return { markups, isWhole: accounts.length <= MAX_ACCOUNTS_SEARCHED };
}

/** Bounds that somebody already wrote in the new unit are divided once more. */
function figuresOutside({ figures, bounds }: Pick<DryRun, 'figures' | 'bounds'>) {
  return bounds.flatMap(({ source, market, now: [low, high] }): readonly Finding[] => {
    const figure = figures.find(({ name }) => name === market)?.now;
    if (figure === undefined || (figure >= low && figure <= high)) return [];
    const message = `"between" of ${source} is ${low} to ${high} for ${market}, whose figure is ${figure}.`;
    const remedy =
      'Write it in the bolívar of 1 October 2021 in sources.json: the service divides it by itself.';
    return [warning(`source ${source}`, message, remedy)];
  });
}

/** A rate for a day of the new unit must be in it, also when it is stored before. */
function publishedInOldUnit(
  { official }: Snapshot,
  { redenominations, thresholds, now }: Parts,
  day: CaracasDay,
): readonly Finding[] {
  return [...official].flatMap(([currency, { inForce, next }]) => {
    if (inForce === undefined || next === undefined || next.valueDate > day) return [];
    const units = { from: unitAt(now), to: unitOfDay(next.valueDate) };
    if (redenominations.after(units).length === 0) return [];
    const name = OFFICIAL_RATES[currency];
    const expected = redenominations.rebased(inForce.rate, units);
    if (!isRatioOver(next.rate, expected, thresholds.publicationRatio)) return [];
    const message = `${name} is ${next.rate} for ${next.valueDate}; in the unit of that day the rate before it is ${expected}.`;
    const remedy = `If it is in the old unit, set the right one: vesfx rate set ${name} RATE --date ${next.valueDate} --force.`;
    return [warning('figures', message, remedy)];
  });
}

function pushedFigures({ quotes }: Snapshot): readonly Finding[] {
  const pushed = quotes.filter(({ source }) => source === PUSHED).map(({ market }) => market.id);
  if (pushed.length === 0) return [];
  const message = `The operator gives the figures of ${pushed.join(', ')}.`;
  const remedy =
    'From that day on in Caracas give them in the new bolívar, an official rate in that of its value date: vesfx rate set, vesfx import, POST /v1/admin/records.';
  return [warning('figures', message, remedy)];
}

function markupsToChange({ markups }: Pick<DryRun, 'markups'>, isWhole: boolean) {
  const searched = isWhole ? '' : ` Only the first ${MAX_ACCOUNTS_SEARCHED} accounts were read.`;
  if (markups.length === 0 && isWhole) return [];
  const rules = markups.length === 1 ? '1 fixed markup is' : `${markups.length} fixed markups are`;
  return [
    warning(
      'markups',
      `${rules} in bolívares, and no day changes that.${searched}`,
      'On that day set each to its new value, or before it to a percentage: vesfx markup set ACCOUNT TAG.',
    ),
  ];
}
