import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, HELD, judging } from '../harness/judging.ts';
import { iso, official, P2P, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const FIVE = P2P.slice(0, 5);
const DAY_MIN = 24 * 60;

/** A service with an official rate and the market at 1000. */
async function market(...ids: readonly string[]) {
  const found = await judging();
  await found.service.push(
    official('2026-11-20', { USD: 800, EUR: 920 }),
    ...ids.map((id) => quote(id, 1_000)),
  );
  const key = await found.service.keyFor('Escala');
  const asked = (path: string) => found.service.call(`/v1/fx/${path}`, { key });
  return {
    ...found,
    asked,
    /** Three readings over ten minutes. */
    async insist(mid: number, minute: number, id: string) {
      for (const more of [0, 5]) {
        expect(await found.read(mid, minute + more, { market: id })).toEqual(HELD);
      }
      expect(await found.read(mid, minute + 10, { market: id })).toEqual(ACCEPTED);
    },
    isInDoubt: async (id: string) => {
      const { json, headers } = await asked(`rates/${id}?details=true`);
      const named = headers.get('X-Vesfx-In-Doubt') === id;
      expect(named).toBe(json.in_doubt === true);
      return named;
    },
  };
}

describe('a quote in doubt (contract §8)', () => {
  test('is one that jumped and that only insistence published', async () => {
    const { insist, isInDoubt, read, mid } = await market('cash', 'cucuta');
    await insist(1_900, 1, 'cash');
    expect([await mid('cash'), await isInDoubt('cash')]).toEqual([1_900, true]);
    expect(await read(1_090, 12, { market: 'cucuta' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cucuta')).toBe(false);
    expect(await read(1_910, 13, { market: 'cash' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(true);
  });

  test('is not one that an independent source confirmed, nor one that the operator released', async () => {
    const { read, isInDoubt, held, ingest, service } = await market('cash', 'cucuta');
    expect(await read(1_900, 1, { market: 'cash', source: 'a' })).toEqual(HELD);
    expect(await read(1_900, 2, { market: 'cash', source: 'b' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(false);
    await read(1_900, 3, { market: 'cucuta' });
    await ingest.release((await held())[0]?.id ?? '');
    await service.service.changePoller.poll();
    expect(await isInDoubt('cucuta')).toBe(false);
  });

  test('ends when it is restored', async () => {
    const { insist, isInDoubt, read } = await market('cash');
    await insist(1_900, 1, 'cash');
    expect(await read(1_010, 60, { market: 'cash' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(false);
  });

  test('ends after 24 hours, without a new reading', async () => {
    const { insist, isInDoubt, service } = await market('cash');
    await insist(1_900, 1, 'cash');
    // It was published with the reading of minute 11.
    service.clock.set(START + (DAY_MIN + 11) * MINUTE_MS - 1);
    expect(await isInDoubt('cash')).toBe(true);
    service.clock.set(START + (DAY_MIN + 11) * MINUTE_MS);
    expect(await isInDoubt('cash')).toBe(false);
  });

  test.each([
    ['the parallel market', 'parallel', 1_425, 1_424.99],
    ['a P2P venue', FIVE[0] ?? '', 1_520, 1_519.99],
  ])('%s ends it within 25 percent of the parallel figure', async (_, id, within, beyond) => {
    const { insist, isInDoubt, service } = await market(id);
    await insist(1_900, 1, id);
    const voices = id === 'parallel' ? FIVE.slice(0, 3) : ['parallel'];
    const speak = (mid: number, minute: number) => {
      const at = iso(START + minute * MINUTE_MS);
      service.clock.set(START + minute * MINUTE_MS);
      const times = { updated_at: at, captured_at: at };
      return service.push(...voices.map((voice) => quote(voice, mid, times)));
    };
    await speak(beyond, 12);
    expect(await isInDoubt(id)).toBe(true);
    await speak(within, 13);
    expect(await isInDoubt(id)).toBe(false);
  });

  test('two venues are no second voice', async () => {
    const { insist, isInDoubt, service } = await market('parallel');
    await insist(1_900, 1, 'parallel');
    const at = iso(START + 12 * MINUTE_MS);
    service.clock.set(START + 12 * MINUTE_MS);
    const times = { updated_at: at, captured_at: at };
    await service.push(...FIVE.slice(0, 2).map((id) => quote(id, 1_900, times)));
    expect(await isInDoubt('parallel')).toBe(true);
  });

  test('is told by the index of the board, and by the header of every answer that rests on it', async () => {
    const { insist, asked, service } = await market('parallel');
    const board = async () => (await service.call('/board.json')).json;
    expect(await board()).not.toHaveProperty('index_sources');
    await insist(1_900, 1, 'parallel');
    expect((await asked('index')).json.flags).not.toHaveProperty('in_doubt_sources');
    service.clock.advance(2_000);
    expect((await board()).index_sources).toEqual({ in_doubt: ['paralelo'] });
    for (const path of [
      'index',
      'rates',
      'rates/parallel',
      'spread?against=parallel',
      'convert?from=USD&to=VES&amount=1&via=parallel',
    ]) {
      expect((await asked(path)).headers.get('X-Vesfx-In-Doubt')).toBe('parallel');
    }
    expect((await asked('rates/reference')).headers.get('X-Vesfx-In-Doubt')).toBeNull();
    expect((await asked('rates/parallel')).json).not.toHaveProperty('in_doubt');
  });

  test.each([
    ['es', 'sin confirmar'],
    ['en', 'unconfirmed'],
  ])('is marked on the board and on the status page (%s)', async (language, mark) => {
    const { insist, service } = await market('parallel');
    const pageOf = async (path: string) =>
      (await service.call(`${path}?lang=${language}`, { headers: { Accept: 'text/html' } })).text;
    for (const path of ['/', '/status']) expect(await pageOf(path)).not.toContain(mark);
    await insist(1_900, 1, 'parallel');
    service.clock.advance(2_000);
    for (const path of ['/', '/status']) expect((await pageOf(path)).toLowerCase()).toContain(mark);
    const { rates } = (await service.call('/board.json')).json;
    const row = rates.find((rate: { market: string }) => rate.market === 'parallel');
    expect(row.in_doubt).toBe(true);
  });
});
