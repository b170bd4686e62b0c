import { describe, expect, test } from 'vitest';
import { KeyUses } from '../../src/core/app/access/key-uses.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { recordedLog } from '../harness/service.ts';
import { account, apiKey, ENGINES, type Site, storeForEachTest } from './engines.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const LIMITS = { maxLive: null, maxPerDay: null };

describe.each(ENGINES)('the last use of keys on $name', ({ create, shortWaitMs }) => {
  let site: Site;
  let store: Store;

  const keep = async (opened: { site: Site; store: Store }) => {
    ({ site, store } = opened);
    await store.createAccount(account());
    for (const id of ['key-1', 'key-2']) {
      await store.createKey(apiKey({ id, digest: id.padEnd(64, '0') }), NOON, LIMITS);
    }
  };
  storeForEachTest(create, keep, { waitMs: shortWaitMs });

  const lastUses = async () => [
    (await store.findKey('key-1'))?.lastUsedAt,
    (await store.findKey('key-2'))?.lastUsedAt,
  ];

  test('is unknown at first, and then the newest of all processes, whatever their order', async () => {
    expect(await lastUses()).toEqual([undefined, undefined]);
    const other = await site.open();
    await store.noteKeyUse(['key-1', 'key-2', 'key-gone'], NOON);
    await Promise.all([
      other.noteKeyUse(['key-2', 'key-1'], NOON - MINUTE_MS),
      store.noteKeyUse(['key-1'], NOON + MINUTE_MS),
    ]);
    expect(await lastUses()).toEqual([NOON + MINUTE_MS, NOON]);
    const page = await store.listKeys('acc-1', { now: NOON, limit: 10 });
    expect(page?.keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([NOON + MINUTE_MS, NOON]);
  });

  test('is noted once a minute, and what could not be written waits without a loss', async () => {
    const log = recordedLog();
    const calls: string[] = [];
    const noteKeyUse: Store['noteKeyUse'] = (ids, at) => {
      calls.push(`${ids.join()} ${(at - NOON) / MINUTE_MS}`);
      return store.noteKeyUse(ids, at);
    };
    const uses = new KeyUses({ store: { noteKeyUse }, log });
    for (let sec = 0; sec < 60; sec += 1) uses.note('key-1', NOON + sec * 1_000);
    uses.note('key-2', NOON + 59_999);
    const release = await site.holdLock();
    await uses.close();
    expect(await lastUses()).toEqual([undefined, undefined]);
    uses.note('key-2', NOON + MINUTE_MS);
    release();
    await uses.close();
    await uses.close();
    expect(calls).toEqual(['key-1,key-2 0', 'key-1 0', 'key-2 1']);
    expect(await lastUses()).toEqual([NOON, NOON + MINUTE_MS]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});
