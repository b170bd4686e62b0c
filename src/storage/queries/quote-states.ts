import type { QuoteState, Step } from '../../domain/judgement/quote-state.ts';
import type { Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { storedJson } from './record-rows.ts';

/** What is remembered of each market without value dates. */
export async function storedStates(db: Queries): Promise<readonly QuoteState[]> {
  const rows = await db.selectFrom('quote_state').selectAll().execute();
  return rows.map((row) => ({
    market: row.market,
    unchangedSince: row.unchanged_since,
    ...(row.supported_mid !== null &&
      row.supported_at !== null && { supported: { mid: row.supported_mid, at: row.supported_at } }),
    ...(row.drifted_at !== null && { driftedAt: row.drifted_at }),
    ...(row.step !== null && { step: storedJson<Step>(row.step) }),
  }));
}

export function stateRow({
  market,
  unchangedSince,
  supported,
  driftedAt,
  step,
}: QuoteState): Tables['quote_state'] {
  return {
    market,
    unchanged_since: unchangedSince,
    supported_mid: supported?.mid ?? null,
    supported_at: supported?.at ?? null,
    drifted_at: driftedAt ?? null,
    step: step === undefined ? null : JSON.stringify(step),
  };
}
