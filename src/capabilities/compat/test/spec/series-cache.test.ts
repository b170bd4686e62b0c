import { expect, test, vi } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import { START, startTestService } from '../../../../../test/harness/service.ts';
import type { ServiceName } from '../../compat.ts';
import { answering } from '../official-week.ts';

const MINUTE_MS = 60_000;

test.each<readonly [ServiceName, string, string, string]>([
  ['dolarapi', '/v1/historicos/dolares', '/v1/historicos/dolares?x=1', '805.5'],
  ['dolarapi', '/v1/historicos/dolares/oficial', '/v1/historicos/dolares/oficial?x=1', '805.5'],
  [
    'frankfurter',
    '/v1/2026-11-10..?base=USD&symbols=VES',
    '/v1/2026-11-10..?symbols=VES&base=usd',
    '805.5',
  ],
  [
    'frankfurter',
    '/v2/rates?from=2026-11-10&base=VES',
    '/v2/rates?base=VES&from=2026-11-10',
    '0.001241464929',
  ],
])(
  'contract §12: a series of %s at %s is read once for each version of the records, and each answer costs a unit',
  async (name, path, samePath, corrected) => {
    const service = await startTestService({ config: answering([name]) });
    await service.push(
      official('2026-11-19', { USD: 800, EUR: 900 }),
      official('2026-11-20', { USD: 804.5, EUR: 905 }),
      quote('parallel', 890),
    );
    const key = await service.keyFor('Escala');
    const other = await service.keyFor('Escala');
    const read = vi.spyOn(service.service.store, 'officialRates');
    const ask = async (from = path, by = key) => {
      const { status, text } = await service.call(from, { key: by });
      expect(status).toBe(200);
      return text;
    };
    const first = await ask();
    const reads = read.mock.calls.length;
    expect(reads).toBeGreaterThan(0);
    expect([await ask(samePath), await ask(path, other)]).toEqual([first, first]);
    expect(read.mock.calls.length).toBe(reads);
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage.units_used).toBe(2);
    // A correction is seen at once.
    await service.push(official('2026-11-20', { USD: 805.5, EUR: 906 }));
    const second = await ask();
    expect(first).not.toContain(corrected);
    expect(second).toContain(corrected);
    // A capture that lies ahead is not awaited for longer than a minute.
    const before = read.mock.calls.length;
    service.clock.set(START + MINUTE_MS);
    expect(await ask()).toBe(second);
    expect(read.mock.calls.length).toBeGreaterThan(before);
  },
);
