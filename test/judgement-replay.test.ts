import { describe, expect, test } from 'vitest';
import { SHOCK, SHOCK_PUBLICATIONS } from './harness/january-2026.ts';
import { judging } from './harness/judging.ts';
import { official } from './harness/make.ts';

describe('real figures (decisions §8)', () => {
  test('of the shock of January 2026 none is held, although P2P doubled within five days', async () => {
    const { ingestAll, service, held } = await judging();
    service.clock.set(Date.parse('2026-01-12T00:00:00Z'));
    await service.push(
      ...SHOCK_PUBLICATIONS.filter(([date]) => date < '2026-01-12').map(([date, USD, EUR]) =>
        official(date, { USD, EUR }, { captured_at: `${date}T04:00:00Z` }),
      ),
    );
    const records = SHOCK.map(([time, ask, bid]) => ({
      kind: 'quote',
      market: 'binance',
      ask,
      bid,
      updated_at: time,
      captured_at: time,
    }));
    expect(SHOCK.length).toBeGreaterThan(100);
    expect(await ingestAll(records)).toEqual({
      accepted: SHOCK.length,
      held: 0,
      refused: 0,
      duplicate: 0,
    });
    expect(await held()).toEqual([]);
  });
});
