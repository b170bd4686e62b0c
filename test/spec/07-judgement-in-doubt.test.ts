import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, HELD, judgingMarkets } from '../harness/judging.ts';
import { FIVE, quotesAt } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const DAY_MIN = 24 * 60;

/** A service with an official rate and the market at 1000. */
async function market(...ids: readonly string[]) {
  const found = await judgingMarkets(...ids);
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
    /** The operator gives figures of these markets. */
    speak: (voices: readonly string[], mid: number, minute: number) => {
      const at = START + minute * MINUTE_MS;
      found.service.clock.set(at);
      const mids = Object.fromEntries(voices.map((voice) => [voice, mid]));
      return found.service.push(...quotesAt(at, mids));
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
    expect(await read(1_900, 10, { market: 'cash', source: 'a' })).toEqual(HELD);
    expect(await read(1_900, 11, { market: 'cash', source: 'b' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(false);
    // Nor is the next reading: the figures of before count for nothing.
    expect(await read(1_900, 16, { market: 'cash', source: 'a' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(false);
    await read(1_900, 17, { market: 'cucuta' });
    await ingest.release((await held())[0]?.id ?? '');
    await service.service.changePoller.poll();
    expect(await isInDoubt('cucuta')).toBe(false);
  });

  test.each([
    ['its own source', 2_090, 71, 'yadio', true, true],
    ['a second source, within 10 percent and an hour', 2_090, 71, 'another', false, false],
    ['one beyond 10 percent', 2_090.01, 71, 'another', true, true],
    ['one beyond an hour, until it is read again', 2_090, 71.01, 'another', true, false],
  ])('is shown by %s', async (_, mid, minute, source, isFirst, isThen) => {
    const { insist, isInDoubt, read } = await market('cash');
    await insist(1_900, 1, 'cash');
    expect(await read(mid, minute, { market: 'cash', source })).toEqual(ACCEPTED);
    expect(await isInDoubt('cash')).toBe(isFirst);
    await read(1_900, minute + 1, { market: 'cash' });
    expect(await isInDoubt('cash')).toBe(isThen);
  });

  test.each([
    ['after a reading outside the band', 4_001, true],
    ['after none', undefined, false],
  ])('is the first of a market %s', async (_, before, expected) => {
    const { isInDoubt, read } = await market('cash');
    if (before !== undefined) expect(await read(before, 1, { market: 'cucuta' })).toEqual(HELD);
    expect(await read(3_900, 5, { market: 'cucuta' })).toEqual(ACCEPTED);
    expect(await isInDoubt('cucuta')).toBe(expected);
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
    const { insist, isInDoubt, speak } = await market(id);
    await insist(1_900, 1, id);
    const voices = id === 'parallel' ? FIVE.slice(0, 3) : ['parallel'];
    await speak(voices, beyond, 12);
    expect(await isInDoubt(id)).toBe(true);
    await speak(voices, within, 13);
    expect(await isInDoubt(id)).toBe(false);
  });

  test('stays ended when the second voice that ended it is silent', async () => {
    const { insist, isInDoubt, speak, service } = await market('parallel');
    await insist(1_900, 1, 'parallel');
    await speak(FIVE.slice(0, 3), 1_900, 12);
    expect(await isInDoubt('parallel')).toBe(false);
    service.clock.set(START + 5 * 60 * MINUTE_MS);
    expect(await isInDoubt('parallel')).toBe(false);
  });

  test('two venues are no second voice', async () => {
    const { insist, isInDoubt, speak } = await market('parallel');
    await insist(1_900, 1, 'parallel');
    await speak(FIVE.slice(0, 2), 1_900, 12);
    expect(await isInDoubt('parallel')).toBe(true);
  });

  test('is told by the header of every answer that rests on it', async () => {
    const { insist, asked } = await market('parallel');
    await insist(1_900, 1, 'parallel');
    expect((await asked('index')).json.flags).not.toHaveProperty('in_doubt_sources');
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
});
