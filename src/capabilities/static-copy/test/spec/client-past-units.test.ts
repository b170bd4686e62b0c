import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listening } from '../../../../../test/harness/listening.ts';
import { official } from '../../../../../test/harness/make.ts';
import { reformCatalogue } from '../../../../../test/harness/reform.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { type HistoryOptions, Vesfx, VesfxError } from '../../../../client/vesfx.ts';
import { StaticCopy } from '../../copy.ts';
import { EndpointFiles } from '../../copy-content.ts';
import { DiskFolder } from '../../copy-folder.ts';

/** Days of before a reform in the client (contract §1), of a service and of its static copy. */

const CHANGE = [{ on: '2026-11-22', factor: 1_000 }];
const SOBERANO = { on: '2018-08-20', factor: 100_000 };
const DIGITAL = { on: '2021-10-01', factor: 1_000_000 };

afterEach(() => {
  vi.useRealTimers();
});

/** A client of a service, and one of a copy that the service writes now. */
async function clientsOf(service: TestService) {
  const dir = join(await temporaryDir(), 'copy');
  const { service: parts, clock } = service;
  const content = new EndpointFiles({
    ...{ ...parts, thresholds: parts.thresholds, chosen: parts.markets.list },
    publicUrl: undefined,
  });
  const write = () => new StaticCopy(new DiskFolder(dir, clock)).update(content, clock.now());
  await write();
  const server = createServer(async ({ url = '' }, response) => {
    const text = await readFile(join(dir, url), 'utf8').catch(() => undefined);
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  const vesfx = new Vesfx({ baseUrl: service.url, key: await service.keyFor('Escala') });
  const copy = new Vesfx({ static: await listening(server) });
  /** Both at a time of the clock. */
  const at = async (instant: string) => {
    clock.set(Date.parse(instant));
    await write();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
  };
  return { vesfx, copy, at };
}

/** Friday is the last banking day of the old bolívar; Monday is a bank holiday. */
async function weekOfReform() {
  const catalogueDir = await reformCatalogue();
  const service = await startTestService({ config: { catalogueDir } });
  await service.push(
    ...[
      official('2026-11-19', { USD: 800, EUR: 930 }, { captured_at: '2026-11-18T20:10:00.000Z' }),
      official('2026-11-20', { USD: 804, EUR: 931 }, { captured_at: '2026-11-19T20:10:00.000Z' }),
      official('2026-11-24', { USD: 0.801, EUR: 0.93 }, { captured_at: '2026-11-20T20:10:00Z' }),
    ],
  );
  return clientsOf(service);
}

describe('the official rate of a day in the client (contract §1)', () => {
  test.each([
    ['2018-08-17', 248_487, [SOBERANO, DIGITAL]],
    ['2020-03-30', 77_893.4605, [DIGITAL]],
    ['2021-09-30', 4_181_781.835, [DIGITAL]],
    ['2021-10-01', 4.181781835, undefined],
  ])('officialOn(%s) names the reforms since', async (date, rate, changes) => {
    const service = await startTestService();
    const stored = {
      '2018-08-17': 2.48487e-6,
      '2020-03-30': 0.0778934605,
      '2021-09-30': 4.181781835,
    };
    await service.push(
      ...Object.entries(stored).map(([day, USD]) =>
        official(day, { USD }, { captured_at: `${day}T04:00:00.000Z` }),
      ),
    );
    const { vesfx, copy } = await clientsOf(service);
    for (const client of [vesfx, copy]) {
      const answer = await client.officialOn(date);
      expect(answer).toMatchObject({ date, rate });
      expect(answer.unit_changes).toEqual(changes);
    }
  });

  test.each(['2026-11-21T12:00:00Z', '2026-11-22T04:00:00Z', '2026-11-24T12:00:00Z'])(
    'a copy answers by both rules as the service does, at %s',
    async (now) => {
      const { vesfx, copy, at } = await weekOfReform();
      await at(now);
      const days = [
        '2026-11-19',
        '2026-11-20',
        '2026-11-21',
        '2026-11-22',
        '2026-11-23',
        '2026-11-24',
      ];
      for (const date of days) {
        for (const rule of ['value_date', 'next_banking_day'] as const) {
          for (const currency of ['USD', 'EUR']) {
            const answer = await vesfx.officialOn(date, { rule, currency });
            const copied = await copy.officialOn(date, { rule, currency });
            expect(answer).toMatchObject(copied);
            expect(answer.unit_changes).toEqual(copied.unit_changes);
          }
          const { mid, as_of: asOf } = await copy.rate('reference', { date, rule });
          const rate = await vesfx.rate('reference', { date, rule });
          const { captured_at: _, ...known } = rate.as_of;
          expect({ mid, as_of: asOf }).toEqual({ mid: rate.mid, as_of: known });
          const pair = { from: 'VES', to: 'USD', amount: 1_000, date, rule } as const;
          expect((await copy.convert(pair)).to).toEqual((await vesfx.convert(pair)).to);
          const { rate: price, unit_changes: changes } = await vesfx.officialOn(date, { rule });
          expect([price, changes]).toEqual([mid, known.unit_changes]);
        }
      }
    },
  );

  test('the rate of the next banking day is in the bolívar of the day', async () => {
    const { vesfx, copy, at } = await weekOfReform();
    const rule = 'next_banking_day';
    for (const client of [vesfx, copy]) {
      await at('2026-11-21T12:00:00Z');
      const eve = await client.officialOn('2026-11-21', { rule });
      expect(eve).toMatchObject({ rate: 801, value_date: '2026-11-24', carried_days: 0 });
      expect(eve).not.toHaveProperty('unit_changes');
      await at('2026-11-22T04:00:00Z');
      const past = await client.officialOn('2026-11-21', { rule });
      expect(past).toMatchObject({ rate: 801, unit_changes: CHANGE });
      expect(await client.officialOn('2026-11-22', { rule })).toMatchObject({ rate: 0.801 });
    }
  });

  test('the error of a day that cannot be answered names the day, not a range', async () => {
    const { vesfx, copy, at } = await weekOfReform();
    await at('2026-11-21T12:00:00Z');
    for (const client of [vesfx, copy]) {
      const error = await client.officialOn('2026-11-25').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(VesfxError);
      expect(error).toMatchObject({
        ...{
          code: 'invalid_format',
          field: 'date',
          message: expect.stringContaining('2026-11-25'),
        },
        details: { rule: 'future_day', today: '2026-11-21', last_value_date: '2026-11-24' },
      });
      expect((await client.officialOn('2026-11-24')).rate).toBe(0.801);
    }
    const malformed = await vesfx.officialOn('2026-02-30').catch((reason: unknown) => reason);
    expect(malformed).toMatchObject({ code: 'invalid_format', field: 'date', status: 400 });
    expect(malformed).toMatchObject({ message: expect.not.stringMatching(/\b(?:from|to)\b/) });
    // A fault of another value keeps its name.
    const currency = await vesfx.officialOn('2026-11-20', { currency: 'U' }).catch((one) => one);
    expect(currency).toMatchObject({ code: 'invalid_format', field: 'currency' });
  });

  test('so does the error of a day beyond the plan', async () => {
    const service = await startTestService();
    const vesfx = new Vesfx({ baseUrl: service.url, key: await service.keyFor('Gratis') });
    const error = await vesfx.officialOn('2026-01-05').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      ...{ code: 'history_out_of_retention', field: 'date', status: 403 },
      details: { max_days: 30, earliest: '2026-10-22' },
    });
  });
});

test('contract §10: every point of a range is in the bolívar of its day, or with adjusted in that of today', async () => {
  const { vesfx, at } = await weekOfReform();
  await at('2026-11-24T12:00:00Z');
  const range = { from: '2026-11-20', to: '2026-11-24' };
  const rates = async (options: HistoryOptions) =>
    (await Array.fromAsync(vesfx.history('reference', options))).map(({ rate }) => rate);
  expect(await rates(range)).toEqual([804, 0.801]);
  expect(await rates({ ...range, adjusted: 'true' })).toEqual([0.804, 0.801]);
});
