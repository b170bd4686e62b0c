import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueWith } from '../../../../../test/harness/catalogue.ts';
import { official } from '../../../../../test/harness/make.ts';
import { START, temporaryDir } from '../../../../../test/harness/service.ts';
import { DAY_MS, HOUR_MS } from '../../../../core/domain/time.ts';
import { startCompatService, WEEK } from '../official-week.ts';

/** Addresses of other services over a redenomination (contract §12). */

const MIDNIGHT = Date.parse('2026-11-22T04:00:00Z');

/** The week of the tests, on the day after the unit changed. */
async function afterTheChange(later: readonly object[] = []) {
  const catalogueDir = await temporaryDir();
  const reforms = [{ on: '2026-11-22', factor: 1_000, name: 'bolívar de prueba' }];
  await writeFile(join(catalogueDir, 'redenominations.json'), JSON.stringify(reforms));
  // The next rate of the week is in the old unit.
  const records = WEEK.filter((record) => !JSON.stringify(record).includes('2026-11-24'));
  const names = ['dolarapi', 'frankfurter', 'dolarvzla', 'rafnixg', 'bcvtoday'] as const;
  const service = await startCompatService(names, {
    records,
    config: { catalogueDir },
  });
  service.clock.set(MIDNIGHT + HOUR_MS);
  if (later.length > 0) await service.push(...later);
  const header = async (path: string) =>
    (await service.call(path)).headers.get('X-Vesfx-Unit-Changes');
  return { ...service, header };
}

test.each([
  ['/v1/historicos/dolares', '2026-11-22=1000'],
  ['/v1/historicos/dolares/oficial', '2026-11-22=1000'],
  ['/v1/historicos/dolares/paralelo', '2026-11-22=1000'],
  ['/v1/historicos/euros', '2026-11-22=1000'],
  ['/v1/2026-11-18..?base=USD', '2026-11-22=1000'],
  ['/v1/2026-11-18..2026-11-22?base=USD', '2026-11-22=1000'],
  // It begins with the rate in force, of before the change.
  ['/v1/2026-11-22..?base=USD', '2026-11-22=1000'],
  ['/v2/rates?base=USD&from=2026-11-18', '2026-11-22=1000'],
  ['/v1/2026-11-18..2026-11-21?base=USD', '2026-11-22=1000'],
  ['/v2/rates?base=USD&from=2026-11-18&to=2026-11-21', '2026-11-22=1000'],
  ['/public/exchange-rate/list', '2026-11-22=1000'],
  ['/rates/history', '2026-11-22=1000'],
  ['/api/v1/history.json', '2026-11-22=1000'],
  ['/rates/2026-11-20', '2026-11-22=1000'],
  ['/api/v1/history/2026-11-20.json', '2026-11-22=1000'],
  ['/rates/2026-11-22', null],
  ['/v1/latest?base=USD', null],
  ['/v2/rates?base=USD', null],
  ['/v1/dolares', null],
])(
  'the series %s is in the unit of each day, and its header names %s (§10)',
  async (path, named) => {
    const { header } = await afterTheChange();
    expect(await header(path)).toBe(named);
  },
);

test('a series that begins after the change names none', async () => {
  const at = new Date(MIDNIGHT).toISOString();
  const next = official('2026-11-24', { USD: 0.81 }, { captured_at: at });
  const { header, clock } = await afterTheChange([next]);
  clock.set(START + 4 * DAY_MS);
  expect(await header('/v1/2026-11-24..?base=USD')).toBeNull();
  expect(await header('/v1/2026-11-22..?base=USD')).toBe('2026-11-22=1000');
});

test.each([
  ['/v1/2026-11-22?base=USD', 0.8045],
  ['/v1/2026-11-21?base=USD', 804.5],
])('a rate that is still in force on the day asked for is in its unit: %s', async (path, rate) => {
  const { call } = await afterTheChange();
  expect((await call(path)).json.rates.VES).toBe(rate);
});

/** The dollar and the parallel rate of March 2020, stored in the bolívar of October 2021. */
const MARCH_2020 = [
  official('2020-03-30', { USD: 0.0778934605 }, { captured_at: '2020-03-30T04:00:00Z' }),
  {
    ...{ kind: 'quote', market: 'parallel', mid: 0.0821 },
    ...{ updated_at: '2020-03-30T16:00:00Z', captured_at: '2020-03-30T16:00:00Z' },
  },
  official('2021-09-30', { USD: 4.181781835 }, { captured_at: '2021-09-30T04:00:00Z' }),
  official('2021-10-04', { USD: 4.18123457 }, { captured_at: '2021-10-04T04:00:00Z' }),
];

/** No plan limits the history, so that series reach these days. */
async function sinceMarch2020() {
  const catalogueDir = await catalogueWith({
    plans: ({ Gratis }) => Object.assign(Gratis ?? {}, { history_days: null, official_days: null }),
  });
  const options = { records: MARCH_2020, config: { catalogueDir } };
  return startCompatService(['dolarapi', 'frankfurter'], options);
}

test.each([
  ['/v1/2020-03-30?base=USD', 77_893.4605],
  ['/v1/2020-03-30?base=USD&amount=2', 155_786.921],
  ['/v2/rates?base=USD&date=2020-03-30', 77_893.4605],
  ['/v2/rate/USD/VES?date=2020-03-30', 77_893.4605],
  ['/v1/historicos/dolares/oficial/2020/03/30', 77_893.4605],
  ['/v1/historicos/dolares/paralelo/2020/03/30', 82_100],
  ['/v1/historicos/dolares/2020/03/30', 77_893.4605],
])(
  '%s is in the bolívar of that day, and its header names the reform since',
  async (path, rate) => {
    const { call } = await sinceMarch2020();
    const { json, headers } = await call(path);
    const [first] = [json].flat();
    expect(first.rates?.VES ?? first.rate ?? first.promedio).toBe(rate);
    expect(headers.get('X-Vesfx-Unit-Changes')).toBe('2021-10-01=1000000');
  },
);

test.each([
  ['/v1/2021-09-30..2021-10-04?base=USD', '2021-10-01=1000000'],
  ['/v2/rates?base=USD&from=2021-09-30&to=2021-10-04', '2021-10-01=1000000'],
  ['/v1/historicos/dolares/oficial', '2021-10-01=1000000'],
])('the series %s is in the unit of each day over 1 October 2021', async (path, named) => {
  const { call } = await sinceMarch2020();
  const { json, headers } = await call(path);
  expect(headers.get('X-Vesfx-Unit-Changes')).toBe(named);
  const text = JSON.stringify(json);
  expect(text).toContain('4181781.835');
  expect(text).toContain('4.18123457');
});
