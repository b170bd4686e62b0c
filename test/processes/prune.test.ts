import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, isoInstant } from '../../src/core/domain/time.ts';
import { install } from '../harness/processes.ts';

/** `vesfx prune` as an operator runs it. */

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The longest plan shows 365 days back. */
const shownFrom = today - 365 * DAY_MS;

function captures(day: number, mids: readonly number[]): object[] {
  return mids.map((mid, hour) => {
    const at = isoInstant(day + hour * HOUR_MS);
    return { kind: 'quote', market: 'parallel', mid, captured_at: at, updated_at: at };
  });
}

test('vesfx prune thins captures that no plan shows, and with --dry-run only counts them', async () => {
  const site = await install();
  await site.load([
    ...captures(shownFrom - 2 * DAY_MS, [10, 11, 12]),
    ...captures(shownFrom - DAY_MS, [13, 14]),
    ...captures(shownFrom, [15, 16]),
  ]);
  const markets = [{ market: 'parallel', captures: 5, thinned: 3 }];
  const told = { before: isoInstant(shownFrom), markets, thinned: 3 };
  expect(await site.json(['prune', '--dry-run'])).toEqual({ ...told, dry_run: true });
  expect(await site.json(['prune'])).toEqual({ ...told, dry_run: false, batches: 0 });
  const { code, out, err } = await site.vesfx(['prune']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(
    `market    captures  thinned  left\nparallel  2         0        2\n` +
      `thinned out 0 of the captures before ${isoInstant(shownFrom)}; empty batches removed: 0\n`,
  );
});
