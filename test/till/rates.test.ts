import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileStorage } from '../../examples/till/file-storage.js';
import { type RateSettings, Rates, READ_EVERY_MS } from '../../examples/till/rates.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { official } from '../harness/make.ts';
import { startTestService, temporaryDir } from '../harness/service.ts';

/** The rates of the till: what examples/till/rates.js promises to whoever copies it. */

/** Of a till that is never switched off, in the month in which it reads most. */
const UNITS_IN_31_DAYS = 1_094;

const caracas = (text: string) => Date.parse(`${text}:00-04:00`);
/** Friday; Monday 23 November is a bank holiday, so the next value date is Tuesday. */
const FRIDAY = caracas('2026-11-20T08:00');
const TUESDAY = caracas('2026-11-24T00:00');

/** When the service read the first rates. */
const READ = { captured_at: new Date(FRIDAY - MINUTE_MS).toISOString() };

/** A storage in memory, which may fail. */
function memory() {
  let kept: string | null = null;
  let isFull = false;
  return {
    load: () => kept,
    save(text: string) {
      if (isFull) throw new Error('the disk is full');
      kept = text;
    },
    fills: (full: boolean) => {
      isFull = full;
    },
    write: (text: string) => {
      kept = text;
    },
  };
}

async function shop(more: Partial<RateSettings> = {}) {
  const service = await startTestService({ start: FRIDAY });
  await service.push(
    official('2026-11-19', { USD: 886.4754, EUR: 1026.1839 }, READ),
    official('2026-11-20', { USD: 889.5754, EUR: 1029.7725 }, READ),
  );
  const key = await service.keyFor('Gratis');
  const storage = memory();
  let isCut = false;
  let aheadMs = 0;
  let requests = 0;
  const settings: RateSettings = {
    ...{ url: service.url, key, storage },
    now: () => service.clock.now() + aheadMs,
    fetch: (...args) => {
      requests += 1;
      return isCut ? Promise.reject(new TypeError('cut')) : fetch(...args);
    },
    ...more,
  };
  return {
    service,
    storage,
    settings,
    rates: await Rates.open(settings),
    requests: () => requests,
    cuts: (cut: boolean) => {
      isCut = cut;
    },
    setsClock: (ahead: number) => {
      aheadMs = ahead;
    },
    publish: (valueDate: string, rate: number) =>
      service.push(
        official(
          valueDate,
          { USD: rate },
          { captured_at: new Date(service.clock.now()).toISOString() },
        ),
      ),
  };
}

describe('the rates of a till', () => {
  test('before a first reading there is none, and nothing is sold with it', async () => {
    const { rates, cuts } = await shop();
    cuts(true);
    expect(rates.quote()).toMatchObject({ state: 'none', sell: 'no', rate: null });
    await rates.read();
    expect(rates.quote()).toMatchObject({ state: 'none', sell: 'no', trouble: 'network_error' });
  });

  test('without a network the published rate begins at 00:00 in Caracas of its value date, not before', async () => {
    const { service, rates, cuts, publish } = await shop();
    service.clock.set(caracas('2026-11-20T17:00'));
    await publish('2026-11-24', 888.0754);
    await rates.read();
    cuts(true);
    const at = (instant: number) => rates.quote(instant);
    // The whole weekend and the bank holiday.
    for (const instant of [FRIDAY + 12 * HOUR_MS, FRIDAY + 2 * DAY_MS, TUESDAY - 1]) {
      expect(at(instant)).toMatchObject({
        ...{ state: 'current', sell: 'yes', rate: '889.5754', valueDate: '2026-11-20' },
        next: { rate: '888.0754', valueDate: '2026-11-24', begins: TUESDAY, isInDoubt: false },
      });
    }
    expect(at(TUESDAY)).toMatchObject({
      ...{ state: 'current', sell: 'yes', rate: '888.0754', valueDate: '2026-11-24', next: null },
    });
    expect(at(TUESDAY + DAY_MS - 1).state).toBe('current');
    // Wednesday's was never read.
    expect(at(TUESDAY + DAY_MS)).toMatchObject({
      ...{ state: 'unpublished', sell: 'marked', rate: '888.0754', expected: '2026-11-25' },
    });
  });

  test('without a next rate the old one stays, marked from the midnight that expected another', async () => {
    const { service, rates, publish } = await shop();
    await rates.read();
    expect(rates.quote(TUESDAY - 1)).toMatchObject({ state: 'current', next: null });
    const old = { state: 'unpublished', sell: 'marked', rate: '889.5754', expected: '2026-11-24' };
    expect(rates.quote(TUESDAY)).toMatchObject({ ...old, readAt: FRIDAY });
    // The network was never cut, and the bank published nothing.
    service.clock.set(TUESDAY + HOUR_MS);
    await rates.readIfDue();
    expect(rates.quote()).toMatchObject({ ...old, readAt: TUESDAY + HOUR_MS });
    await publish('2026-11-24', 888.0754);
    service.clock.advance(READ_EVERY_MS);
    await rates.readIfDue();
    expect(rates.quote()).toMatchObject({ state: 'current', rate: '888.0754', expected: null });
  });

  test('by the rule of the next banking day a closed day has the rate of that day', async () => {
    const { service, rates, settings, publish } = await shop({ rule: 'next_banking_day' });
    await rates.read();
    const saturday = caracas('2026-11-21T00:00');
    expect(rates.quote(saturday - 1)).toMatchObject({ state: 'current', rate: '889.5754' });
    expect(rates.quote(saturday)).toMatchObject({ state: 'unpublished', expected: '2026-11-24' });
    service.clock.set(caracas('2026-11-20T17:00'));
    await publish('2026-11-24', 888.0754);
    await rates.read();
    expect(rates.quote(saturday - 1)).toMatchObject({
      rate: '889.5754',
      next: { begins: saturday },
    });
    expect(rates.quote(saturday)).toMatchObject({ state: 'current', rate: '888.0754' });
    const wrong = { ...settings, rule: 'both' as 'value_date' };
    await expect(Rates.open(wrong)).rejects.toThrow(RangeError);
  });

  test('a rate older than the service allows is stale, and not sold with', async () => {
    const { rates } = await shop();
    await rates.read();
    const began = caracas('2026-11-20T00:00');
    expect(rates.quote(began + 132 * HOUR_MS)).toMatchObject({ sell: 'marked' });
    expect(rates.quote(began + 132 * HOUR_MS + 1)).toMatchObject({
      ...{ state: 'stale', sell: 'no', reasons: ['stale', 'unpublished'] },
    });
  });

  test('a held rate is named and never used, and one in doubt asks a supervisor', async () => {
    const answers = await shop();
    await answers.rates.read();
    const doubt = {
      currency: 'USD',
      value_date: '2026-11-24',
      rate: 1002.3928,
      reasons: ['moved'],
    };
    const changed = async (change: (answer: { in_doubt?: object[] }) => void) => {
      const rates = await Rates.open({
        ...answers.settings,
        fetch: async (address, how) => {
          const response = await fetch(address, how);
          if (!String(address).endsWith('/official')) return response;
          const body = await response.json();
          change(body);
          return Response.json(body);
        },
      });
      await rates.read();
      return rates;
    };
    const held = await changed((answer) => {
      answer.in_doubt = [{ ...doubt, currency: 'EUR' }, doubt];
    });
    const named = { held: { rate: '1002.3928', valueDate: '2026-11-24', reasons: ['moved'] } };
    expect(held.quote()).toMatchObject({
      state: 'current',
      rate: '889.5754',
      next: null,
      ...named,
    });
    expect(held.quote(TUESDAY)).toMatchObject({ state: 'unpublished', rate: '889.5754', ...named });
    const inForce = await changed((answer) => {
      answer.in_doubt = [{ ...doubt, value_date: '2026-11-20', rate: 889.5754 }];
    });
    expect(inForce.quote()).toMatchObject({ state: 'in_doubt', sell: 'ask', held: null });
    await answers.publish('2026-11-24', 888.0754);
    const next = await changed((answer) => {
      answer.in_doubt = [{ ...doubt, rate: 888.0754 }];
    });
    expect(next.quote()).toMatchObject({ state: 'current', next: { isInDoubt: true } });
    expect(next.quote(TUESDAY)).toMatchObject({ state: 'in_doubt', sell: 'ask' });
  });

  test('a clock of the till that contradicts the service is told, and asks a supervisor', async () => {
    const { rates, setsClock, publish, service } = await shop();
    await publish('2026-11-24', 888.0754);
    const stateAt = async (ahead: number) => {
      setsClock(ahead);
      await rates.read();
      return rates.quote().state;
    };
    expect(await stateAt(0)).toBe('current');
    expect(await stateAt(TUESDAY + MINUTE_MS - service.clock.now())).not.toBe('clock');
    expect(await stateAt(TUESDAY + MINUTE_MS + 1 - service.clock.now())).toBe('clock');
    expect(await stateAt(-MINUTE_MS)).toBe('current');
    expect(await stateAt(-MINUTE_MS - 1)).toBe('clock');
    expect(await stateAt(0)).toBe('current');
    // Set back since the last reading.
    setsClock(-MINUTE_MS - 1);
    expect(rates.quote()).toMatchObject({ state: 'clock', sell: 'ask' });
  });

  test('a restart without a network goes on with what was kept, and with nothing of another service', async () => {
    const { rates, settings, storage, cuts } = await shop();
    await rates.read();
    cuts(true);
    const again = await Rates.open(settings);
    expect(again.quote()).toEqual(rates.quote());
    for (const other of [{ url: 'https://rates.example' }, { currency: 'EUR' as const }]) {
      expect((await Rates.open({ ...settings, ...other })).quote().state).toBe('none');
    }
    for (const broken of ['', '{', 'null', '[]', '{"format":0}']) {
      storage.write(broken);
      expect((await Rates.open(settings)).quote().state, broken).toBe('none');
    }
  });

  test('a full disk does not stop the till, which says that it kept nothing', async () => {
    const { rates, storage } = await shop();
    storage.fills(true);
    await rates.read();
    expect(rates.quote()).toMatchObject({ state: 'current', rate: '889.5754', isSaved: false });
    storage.fills(false);
    await rates.read();
    expect(rates.quote().isSaved).toBe(true);
  });

  test('a file keeps the rates whole, beside which nothing stays', async () => {
    const folder = await temporaryDir();
    const path = join(folder, 'till.json');
    const { rates, settings } = await shop({ storage: fileStorage(path) });
    await rates.read();
    expect((await Rates.open(settings)).quote()).toEqual(rates.quote());
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 40));
    expect((await Rates.open(settings)).quote().state).toBe('none');
  });

  test.each([
    ['no JSON', () => new Response('<html>')],
    ['no rate', () => Response.json({ rates: {} })],
    ['a rate as text', () => answerWith({ rate: '889' })],
    ['a rate of 0', () => answerWith({ rate: 0 })],
    ['a rate without its day', () => answerWith({ value_date: '20/11/2026' })],
    ['a rate without its moment', () => answerWith({ effective_at: 'soon' })],
  ])('%s changes nothing: the rate of before stays', async (_, answer) => {
    const { rates, settings } = await shop();
    await rates.read();
    const before = rates.quote();
    const other = await Rates.open({ ...settings, fetch: async () => answer() });
    await other.read();
    expect(other.quote()).toEqual({ ...before, trouble: 'bad_answer' });
  });

  test('it tries again a minute after a failure, at once when the network is back, an hour after a refusal', async () => {
    const { service, rates, settings, cuts } = await shop();
    cuts(true);
    await rates.read();
    expect(rates.nextReadingAt()).toBe(FRIDAY + MINUTE_MS);
    rates.online();
    expect(rates.nextReadingAt()).toBeLessThanOrEqual(service.clock.now());
    cuts(false);
    await rates.readIfDue();
    expect(rates.quote()).toMatchObject({ state: 'current', trouble: null });
    const refused = await Rates.open({ ...settings, key: 'vfx_live_wrong' });
    await refused.read();
    refused.online();
    expect(refused.nextReadingAt()).toBe(FRIDAY + HOUR_MS);
    expect(refused.quote()).toMatchObject({ state: 'current', trouble: 'invalid_api_key' });
    const busy = await Rates.open({
      ...settings,
      fetch: async () =>
        Response.json(
          { code: 'quota_exceeded' },
          { status: 429, headers: { 'Retry-After': '7200' } },
        ),
    });
    await busy.read();
    busy.online();
    expect(busy.nextReadingAt()).toBe(FRIDAY + 2 * HOUR_MS);
  });

  test('31 days of a till that is never switched off fit the free plan', async () => {
    let units = 0;
    const { service, rates, publish } = await shop({
      fetch: (...args) => {
        units += 1;
        return fetch(...args);
      },
    });
    const { json } = await service.call('/v1/fx/calendar?from=2026-11-20&to=2026-12-21', {
      key: await service.keyFor('Escala'),
    });
    // Each rate comes at the end of the afternoon: the till then reads most.
    const published = new Map<number, string>(
      json.days
        .filter((day: { business_day: boolean }) => day.business_day)
        .map((day: { date: string; next_value_date: string }) => [
          caracas(`${day.date}T19:29`),
          day.next_value_date,
        ]),
    );
    for (let minute = 0; minute < 31 * 24 * 60; minute += 1) {
      service.clock.set(FRIDAY + minute * MINUTE_MS);
      const valueDate = published.get(service.clock.now());
      if (valueDate !== undefined) await publish(valueDate, 889 + minute / 100_000);
      await rates.readIfDue();
    }
    expect(rates.quote()).toMatchObject({ state: 'current', trouble: null });
    // The number that the guide names.
    expect(units).toBe(UNITS_IN_31_DAYS);
    expect(units).toBeLessThanOrEqual(1_500);
  });
});

/** An answer whose rate in force has these fields. */
function answerWith(row: object): Response {
  const in_force = {
    rate: 889,
    value_date: '2026-11-20',
    effective_at: '2026-11-20T04:00:00.000Z',
  };
  return Response.json({ rates: { USD: { in_force: { ...in_force, ...row } } } });
}
