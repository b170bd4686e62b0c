import type { StaticRate } from './copy-types.ts';
import type { Index, OfficialCurrency, OfficialRates } from './types.ts';

/** What a static copy has of now, as it is by the clock of the caller. */

const SECOND_MS = 1_000;

/** The official markets and what they quote. */
export const OFFICIAL = { USD: 'reference', EUR: 'eur_reference' } as const;

/** A rate as the copy has it. */
export type CopiedRate = Omit<StaticRate, 'staleness_sec' | 'stale'>;

export interface Latest {
  readonly rates: readonly CopiedRate[];
  readonly index?: Index;
  readonly official?: OfficialRates;
  readonly fetched_at: string;
}

/** The age as the service tells it: whole seconds, stale from the first one over the threshold. */
export function aged(rate: CopiedRate): StaticRate {
  const now = Date.now();
  const since = (time: string) => Math.floor((now - Date.parse(time)) / SECOND_MS);
  return {
    ...rate,
    staleness_sec: Math.max(0, since(rate.updated_at)),
    stale: since(rate.stale_at) > 0,
  };
}

/**
 * The next official rate is in force from its day on, also while a cache still has the copy of the
 * evening before.
 */
export function inForceAt(latest: Latest, now: number): Latest {
  const { official } = latest;
  if (official === undefined) return latest;
  const begun = Object.entries(official.rates).flatMap(([code, { next, in_force }]) =>
    next !== undefined && Date.parse(next.effective_at) <= now ? [{ code, next, in_force }] : [],
  );
  if (begun.length === 0) return latest;
  const changed = begun.map(({ code, next, in_force: before }) => {
    const { change: _, ...previous } = before ?? {};
    const now: object = { in_force: next, ...(before && { previous }) };
    return [code, asCopied<OfficialCurrency>(now)] as const;
  });
  const rates = latest.rates.map((rate) => {
    const { next } = begun.find(({ code }) => code === rate.base) ?? {};
    if (next === undefined || OFFICIAL[rate.base] !== rate.market) return rate;
    const { rate: mid, value_date: effective_date, effective_at: updated_at } = next;
    const staleAt = Date.parse(updated_at) + rate.stale_after_sec * SECOND_MS;
    const stale_at = new Date(staleAt).toISOString();
    // The doubt was about the rate before.
    const { in_doubt: _, ...known } = rate;
    return { ...known, mid, updated_at, effective_date, stale_at };
  });
  const all = { ...official.rates, ...Object.fromEntries(changed) };
  return { ...latest, rates, official: { ...official, rates: all } };
}

/** The export's tests hold its files to these types; a check here doubles the client. */
export function asCopied<Body>(body: unknown): Body {
  return body as Body;
}
