import { describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../core/app/access/access.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { MINUTE_MS } from '../../core/domain/time.ts';
import type { Channel } from './channels.ts';
import { STREAM_BEHIND_BYTES, STREAM_HEARTBEAT_MS } from './limits.ts';
import { Reader, type ReaderParts } from './reader.ts';
import { State } from './state.ts';

const MARKETS = ['parallel', 'binance'];

function stateOf(version: number, rates: Readonly<Record<string, number>>): State {
  const rows = Object.entries(rates).map(
    ([market, mid]) => [market, JSON.stringify({ market, mid })] as const,
  );
  const around = { fetchedAt: '2026-11-21T12:00:00.000Z', index: undefined, official: undefined };
  const marked = { in_doubt: [], stale: [], frozen: [] };
  const written = { ...around, marked, version: `${version}.20261121`, rows: new Map(rows) };
  return new State(written, MARKETS);
}

/** A reader whose client reads or not, with what it was sent. */
function reading(more: Partial<ReaderParts> = {}) {
  const sent: string[] = [];
  const time = { now: 0 };
  const sink = {
    unread: 0,
    write: (events: Buffer) => void sent.push(String(events)),
    end: vi.fn((last?: Buffer) => void (last && sent.push(String(last)))),
  };
  const channel: Channel = {
    ...{ key: 'Escala', markets: MARKETS, readers: 1 },
    state: stateOf(1, { parallel: 880, binance: 870 }),
  };
  const onClosed = vi.fn();
  const reader = new Reader({
    ...{ channel, named: undefined, holder: undefined, lastEventId: undefined },
    ...{ now: () => time.now, lifeMs: 60 * MINUTE_MS, pay: () => undefined },
    ...{ errorText: ({ code }: ApiError) => `{"code":"${code}"}`, onClosed },
    ...more,
  });
  reader.begin(sink);
  const tell = (version: number, rates: Readonly<Record<string, number>>) => {
    channel.state = stateOf(version, rates);
    reader.tell();
  };
  return { reader, sink, sent, time, tell, onClosed };
}

const dataOf = (event = '') => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null');

describe('contract §23 a reader that does not read', () => {
  test('gets nothing with 64 KB unread, then one event with all changes since its last one', () => {
    const { reader, sink, sent, tell } = reading();
    sink.unread = STREAM_BEHIND_BYTES;
    tell(2, { parallel: 881, binance: 870 });
    tell(3, { parallel: 882, binance: 870 });
    tell(4, { parallel: 882 });
    expect(sent.length).toBe(2);
    sink.unread = 0;
    reader.drained();
    expect(sent.length).toBe(3);
    expect(dataOf(sent[2])).toMatchObject({
      rates: [{ market: 'parallel', mid: 882 }],
      removed: ['binance'],
    });
  });

  test('with one byte less unread it is told at once', () => {
    const { sink, sent, tell } = reading();
    sink.unread = STREAM_BEHIND_BYTES - 1;
    tell(2, { parallel: 881, binance: 870 });
    expect(sent.length).toBe(3);
  });

  test('gets nothing of a change that was taken back meanwhile', () => {
    const { reader, sink, sent, tell } = reading();
    sink.unread = STREAM_BEHIND_BYTES;
    tell(2, { parallel: 881, binance: 870 });
    tell(3, { parallel: 880, binance: 870 });
    sink.unread = 0;
    reader.drained();
    expect(sent.length).toBe(2);
  });

  test('gets no comments either', () => {
    const { reader, sink, sent, time } = reading();
    sink.unread = STREAM_BEHIND_BYTES;
    time.now = STREAM_HEARTBEAT_MS;
    reader.tick(Buffer.from(': \n\n'));
    expect(sent.length).toBe(2);
    sink.unread = 0;
    reader.tick(Buffer.from(': \n\n'));
    expect(sent.length).toBe(3);
  });
});

test('many readers of one state share its bytes', () => {
  const [before, after] = [stateOf(1, { parallel: 880 }), stateOf(2, { parallel: 881 })];
  expect(after.since(before)).toBe(after.since(before));
  expect(after.whole).toBe(after.whole);
});

describe('contract §23 the unit of a later minute', () => {
  // The reader passes its holder on, and reads nothing of it.
  const holder = { presented: 'key', address: '192.0.2.1', caller: {} as Caller };

  test('that the store has to give is waited for, and the newest state is sent then', async () => {
    const paid = Promise.withResolvers<void>();
    const pay = vi.fn(() => paid.promise);
    const { sent, time, tell } = reading({ holder, pay });
    time.now = MINUTE_MS;
    tell(2, { parallel: 881, binance: 870 });
    tell(3, { parallel: 882, binance: 870 });
    expect([sent.length, pay.mock.calls.length]).toEqual([2, 1]);
    paid.resolve();
    await vi.waitFor(() => expect(sent.length).toBe(3));
    expect(dataOf(sent[2]).rates).toEqual([{ market: 'parallel', mid: 882 }]);
  });

  test('that the store cannot give now is asked for again', async () => {
    const pay = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('away'));
    const { reader, sent, time, tell } = reading({ holder, pay });
    time.now = MINUTE_MS;
    tell(2, { parallel: 881, binance: 870 });
    await vi.waitFor(() => {
      pay.mockResolvedValue();
      reader.tick(Buffer.from(': \n\n'));
      expect(sent.length).toBe(3);
    });
  });

  test('that the month does not have ends the stream with its error', async () => {
    const pay = async () => {
      throw new ApiError('quota_exceeded');
    };
    const { sink, sent, time, tell } = reading({ holder, pay });
    time.now = MINUTE_MS;
    tell(2, { parallel: 881, binance: 870 });
    await vi.waitFor(() => expect(sink.end).toHaveBeenCalledOnce());
    expect(sent.at(-1)).toBe('event: error\ndata: {"code":"quota_exceeded"}\n\n');
  });
});

test('a stream that is over says so once, whether or not it began', () => {
  const { reader, onClosed, sent, tell } = reading();
  reader.closed();
  reader.closed();
  tell(2, { parallel: 881 });
  expect([onClosed.mock.calls.length, sent.length]).toEqual([1, 2]);
});
