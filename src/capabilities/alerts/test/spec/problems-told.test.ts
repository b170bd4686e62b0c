import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import {
  ADMIN_TOKEN,
  START,
  startTestService,
  type TestService,
  type TestServiceOptions,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { LEASE_MS } from '../../../../core/app/collecting/collector-lease.ts';
import { StoreUnavailable } from '../../../../core/app/failures.ts';
import { readConfig } from '../../../../core/config.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import { problemFinder } from '../../problem-finder.ts';
import {
  COLLECTOR_LOST_MS,
  type ProblemKind,
  QUOTE_LOST_MS,
  SOURCE_FAILING_MS,
} from '../../problems.ts';

/**
 * A problem is one and the same for the alert, `/metrics` and `/v1/status`, as for `vesfx doctor`. The
 * problems of the database and the disk are in `alerts`, `metrics` and `probes` tests.
 */

/** A service, and its problems as alerts find them from its start on. */
async function startWatched(options: TestServiceOptions = {}) {
  const started = await startTestService(options);
  const { service, dataDir, clock } = started;
  const config = readConfig({ data: dataDir }, {});
  const { monitor } = service;
  return {
    ...started,
    problems: problemFinder({ config, edition: () => service, monitor, clock }),
  };
}
type WatchedService = Awaited<ReturnType<typeof startWatched>>;

/** A service whose official rates the operator pushes: no source of its catalogue is on. */
async function pushedService(): Promise<WatchedService> {
  const catalogueDir = await temporaryDir();
  await writeFile(join(catalogueDir, 'sources.json'), '[]');
  return startWatched({ config: { catalogueDir } });
}

/** Whether an alert is due, and the number of its kind in the metrics. */
async function alertAndMetric(service: WatchedService, kind: ProblemKind) {
  const now = service.clock.now();
  const due = (await service.problems()).filter((one) => one.kind === kind && one.dueAt <= now);
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const metrics = (await service.call('/metrics', { headers })).text;
  const open = new RegExp(`^vesfx_alerts_open\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics);
  return [due.length > 0, Number(open?.[1])] as const;
}

/** Which of the three say it at the time of the service's clock. */
async function toldBy(service: WatchedService, kind: ProblemKind & keyof typeof SAID_BY) {
  const [alert, metric] = await alertAndMetric(service, kind);
  const { json } = await service.call('/v1/status');
  return { alert, metric: metric > 0, status: SAID_BY[kind](json) };
}

interface StatusAnswer {
  readonly reasons: readonly { readonly name: string }[];
  readonly sources: readonly { readonly held: number }[];
}

const reason =
  (...names: readonly string[]) =>
  ({ reasons }: StatusAnswer) =>
    reasons.some(({ name }) => names.includes(name));

const SAID_BY = {
  publication: reason('publications_missed'),
  quote: reason('quotes_stale', 'quotes_missing', 'official_stale', 'no_figures'),
  source: reason('all_sources_failing', 'sources_failing', 'sources_frozen'),
  collector: reason('collecting_stopped'),
  held: ({ sources }: StatusAnswer) => sources.some(({ held }) => held > 0),
};

const ALL = { alert: true, metric: true, status: true };
const NONE = { alert: false, metric: false, status: false };

/** The fetched parallel quote keeps the rest of the state quiet. */
const FIGURES = [official('2026-11-20', { USD: 244 }), quote('parallel', 300)];

/** A source as a collector left it, after a good reading or after failures since an instant. */
async function saveSource({ service }: TestService, failingSince?: Instant): Promise<void> {
  const failure = { reason: 'timeout', message: 'late' } as const;
  await service.store.saveSourceState({
    source: 'yadio',
    lastAttemptAt: START,
    lastSuccessAt: START - HOUR_MS,
    consecutiveFailures: failingSince === undefined ? 0 : 3,
    nextRunAt: START + 5 * MINUTE_MS,
    ...(failingSince !== undefined && { failingSince, failure }),
  });
}

describe('contract §8 a problem is the same for alert, metric and status', () => {
  test('an overdue publication, where the operator pushes the official rates', async () => {
    const service = await pushedService();
    await service.push(...FIGURES);
    const { nextPublication } = await service.service.watch.health();
    service.clock.set((nextPublication?.by ?? 0) - 1);
    expect(await toldBy(service, 'publication')).toEqual(NONE);
    service.clock.advance(SECOND_MS);
    expect(await toldBy(service, 'publication')).toEqual(ALL);
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const { text } = await service.call('/metrics', { headers });
    expect(text).toContain('vesfx_source_publications_missed{source="operator"} 1\n');
    const { json } = await service.call('/v1/status');
    expect(json.sources).toMatchObject([
      { name: 'operator', state: 'late', publications_missed: 1 },
    ]);
    const [told] = (await service.problems()).filter(({ kind }) => kind === 'publication');
    expect(told?.text).toContain('vesfx rate set reference RATE');
  });

  test('an overdue publication, where a source reads them: it is that source that is late', async () => {
    const service = await startWatched();
    await service.push(...FIGURES);
    const { nextPublication } = await service.service.watch.health();
    service.clock.set((nextPublication?.by ?? 0) - 1);
    expect(await toldBy(service, 'publication')).toEqual(NONE);
    service.clock.advance(SECOND_MS);
    expect(await toldBy(service, 'publication')).toEqual(ALL);
    const ids = (await service.problems()).map(({ id }) => id);
    expect(ids).toContain('publication:bcv-official');
    expect(ids).not.toContain('publication:operator');
  });

  test('a market without a fresh quote: the alert waits, as the alarm does', async () => {
    const service = await pushedService();
    await service.push(...FIGURES);
    const staleAfterSec = service.service.markets.find('parallel')?.staleAfterSec ?? 0;
    service.clock.advance(staleAfterSec * SECOND_MS);
    expect(await toldBy(service, 'quote')).toEqual(NONE);
    service.clock.advance(SECOND_MS);
    const waiting = { ...ALL, alert: false, metric: false };
    expect(await toldBy(service, 'quote')).toEqual(waiting);
    service.clock.advance(QUOTE_LOST_MS - 1);
    expect(await toldBy(service, 'quote')).toEqual(waiting);
    service.clock.advance(1);
    expect(await toldBy(service, 'quote')).toEqual(ALL);
  });

  test('nothing is published', async () => {
    const service = await pushedService();
    service.clock.advance(QUOTE_LOST_MS);
    expect(await toldBy(service, 'quote')).toEqual(ALL);
    await service.push(official('2026-11-20', { USD: 244 }));
    expect(await toldBy(service, 'quote')).toEqual(NONE);
  });

  test('a source that fails, also while nobody reads it', async () => {
    const service = await startWatched();
    await service.push(...FIGURES);
    await saveSource(service);
    expect(await toldBy(service, 'source')).toEqual(NONE);
    await saveSource(service, START);
    service.clock.advance(SOURCE_FAILING_MS - 1);
    expect(await toldBy(service, 'source')).toEqual({ ...ALL, alert: false, metric: false });
    service.clock.advance(1 + SECOND_MS);
    expect(await toldBy(service, 'source')).toEqual(ALL);
    service.clock.advance(HOUR_MS);
    expect(await toldBy(service, 'source')).toEqual(ALL);
  });

  test('no process reads sources that were read', async () => {
    const service = await startWatched();
    await service.push(...FIGURES);
    await service.service.store.takeLease('collector', START, START + LEASE_MS);
    await saveSource(service);
    service.clock.set(START + LEASE_MS - 1);
    expect(await toldBy(service, 'collector')).toEqual(NONE);
    service.clock.set(START + LEASE_MS + COLLECTOR_LOST_MS - 1);
    expect(await toldBy(service, 'collector')).toEqual({ ...ALL, alert: false, metric: false });
    service.clock.set(START + LEASE_MS + COLLECTOR_LOST_MS + SECOND_MS);
    expect(await toldBy(service, 'collector')).toEqual(ALL);
  });

  test('no process reads the sources, and there is none to read: no problem for any of them', async () => {
    const service = await pushedService();
    await service.push(...FIGURES);
    await service.service.store.takeLease('collector', START, START + LEASE_MS);
    service.clock.advance(HOUR_MS);
    expect(await toldBy(service, 'collector')).toEqual(NONE);
  });

  test('a held record', async () => {
    const service = await pushedService();
    await service.push(...FIGURES);
    const push = (mid: number) =>
      service.call('/v1/admin/records', {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
        body: JSON.stringify(quote('binance', mid)),
      });
    await push(300);
    expect(await toldBy(service, 'held')).toEqual(NONE);
    await push(9_000);
    service.clock.advance(SECOND_MS);
    expect(await toldBy(service, 'held')).toEqual(ALL);
  });

  test('the database, which every process sees for itself', async () => {
    const service = await startWatched();
    await service.push(...FIGURES);
    const { store } = service.service;
    vi.spyOn(store, 'versions').mockRejectedValue(new StoreUnavailable('Away.'));
    const state = () => service.service.monitor.condition.state;
    await expect.poll(state).toBe('unavailable');
    expect(await alertAndMetric(service, 'database')).toEqual([false, 0]);
    service.clock.advance(MINUTE_MS);
    expect(await alertAndMetric(service, 'database')).toEqual([true, 1]);
  });
});
