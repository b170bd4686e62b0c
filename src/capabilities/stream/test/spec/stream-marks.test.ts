import { expect, test } from 'vitest';
import { ACCEPTED, HELD, judgingMarkets } from '../../../../../test/harness/judging.ts';
import { START } from '../../../../../test/harness/service.ts';
import { SECOND_MS } from '../../../../core/domain/time.ts';
import { type OpenedStream, openedStream } from '../opened.ts';

/** A stream of an account and one of the board, open while things happen. */
async function marking() {
  const found = await judgingMarkets('cash', 'binance');
  const { service } = found;
  const key = await service.keyFor('Escala');
  const open = (query = '') => openedStream(`${service.url}/v1/fx/stream${query}`, { key });
  /** The first event in which the market has the mark, or has it no longer. */
  const until = async (stream: OpenedStream, mark: string, id: string, is = true) => {
    for (;;) {
      const { data } = await stream.next();
      if (data[mark].includes(id) === is) return data;
    }
  };
  const headers = async () => {
    const { headers: told } = await service.call('/v1/fx/rates', { key });
    const listOf = (name: string) => (told.get(`X-Vesfx-${name}`) ?? '').split(',').filter(Boolean);
    return { in_doubt: listOf('In-Doubt'), stale: listOf('Stale'), frozen: listOf('Frozen') };
  };
  return { ...found, open, until, headers };
}

test('contract §23 a rate that becomes doubtful while the stream is open is named in every event, as the headers of the rates name it', async () => {
  const { open, until, read, headers } = await marking();
  const [all, other] = [await open(), await open('?markets=binance')];
  const first = (await all.next()).data;
  expect([first.in_doubt, first.frozen]).toEqual([[], []]);
  expect((await other.next()).data.in_doubt).toEqual([]);
  for (const minute of [1, 6]) expect(await read(1_900, minute, { market: 'cash' })).toEqual(HELD);
  expect(await read(1_900, 11, { market: 'cash' })).toEqual(ACCEPTED);
  const doubtful = await until(all, 'in_doubt', 'cash');
  expect(doubtful.rates).toMatchObject([{ market: 'cash', mid: 1_900 }]);
  expect(doubtful).toMatchObject(await headers());
  // Of another market: the mark is still there, and only where its market is.
  expect(await read(1_001, 12, { market: 'binance' })).toEqual(ACCEPTED);
  const next = await until(all, 'in_doubt', 'cash');
  expect(next.rates).toMatchObject([{ market: 'binance' }]);
  const { data } = await other.next();
  expect([data.rates, data.in_doubt]).toMatchObject([[{ market: 'binance' }], []]);
});

test('contract §23 a rate that becomes stale is an event without a row, and one that comes again ends the mark', async () => {
  const { service, open, until, read, headers } = await marking();
  const stream = await open('?markets=binance');
  const { rates, stale, in_doubt } = (await stream.next()).data;
  expect([stale, in_doubt]).toEqual([[], []]);
  const [{ stale_after_sec: maxAge }] = rates;
  service.clock.set(START + (maxAge + 1) * SECOND_MS);
  const old = await until(stream, 'stale', 'binance');
  expect(old.rates).toEqual([]);
  expect((await headers()).stale).toContain('binance');
  const minute = Math.ceil(maxAge / 60) + 1;
  expect(await read(1_000, minute, { market: 'binance' })).toEqual(ACCEPTED);
  expect((await until(stream, 'stale', 'binance', false)).rates).toMatchObject([
    { market: 'binance' },
  ]);
});
