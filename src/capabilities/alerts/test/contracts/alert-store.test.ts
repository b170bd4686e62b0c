import { describe, expect, test } from 'vitest';
import { ENGINES, type Site, storeForEachTest } from '../../../../../test/contracts/engines.ts';
import { alertStore } from '../../alert-store.ts';
import type { AlertStore } from '../../alert-types.ts';

const PAUSE = { pauseMs: 60_000 };
const RAISED = { raised: ['source:yadio'], cleared: [] };

describe.each(ENGINES)('alerts on $name', ({ create }) => {
  let site: Site;
  let store: AlertStore;

  storeForEachTest(create, (opened) => {
    site = opened.site;
    store = alertStore(opened.store.engine);
  });

  test('one of two processes that see the same problem reports it', async () => {
    const other = alertStore((await site.open()).engine);
    const turns = await Promise.all(
      [store, other].map((one) => one.recordReport(RAISED, { now: 1_000_000, ...PAUSE })),
    );
    expect(turns.sort()).toEqual([false, true]);
    expect(await other.reportedAlerts()).toEqual(['source:yadio']);
  });

  test('a second message waits exactly until the pause is over', async () => {
    const next = { raised: ['disk'], cleared: ['source:yadio'] };
    await store.recordReport(RAISED, { now: 1_000_000, ...PAUSE });
    expect(await store.recordReport(next, { now: 1_059_999, ...PAUSE })).toBe(false);
    expect(await store.reportedAlerts()).toEqual(['source:yadio']);
    expect(await store.recordReport(next, { now: 1_060_000, ...PAUSE })).toBe(true);
    expect(await store.reportedAlerts()).toEqual(['disk']);
  });

  test('a clock that is set back stops no alerts for longer than the pause (contract §14)', async () => {
    const next = { raised: ['disk'], cleared: [] };
    await store.recordReport(RAISED, { now: 1_000_000, ...PAUSE });
    expect(await store.recordReport(next, { now: 940_001, ...PAUSE })).toBe(false);
    expect(await store.recordReport(next, { now: 940_000, ...PAUSE })).toBe(true);
  });

  test('an alert that could not be sent is sent again', async () => {
    await store.recordReport(RAISED, { now: 1_000_000, ...PAUSE });
    await store.undoReport(RAISED);
    expect(await store.reportedAlerts()).toEqual([]);
    await store.recordReport(RAISED, { now: 1_100_000, ...PAUSE });
    const over = { raised: [], cleared: ['source:yadio'] };
    await store.recordReport(over, { now: 1_200_000, ...PAUSE });
    await store.undoReport(over);
    expect(await store.reportedAlerts()).toEqual(['source:yadio']);
  });
});
