import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import type { Market } from '../domain/markets.ts';
import type { Quote } from '../domain/quotes.ts';
import type { SourceHealth } from '../domain/source-health.ts';
import { STATE_REASONS } from '../domain/state-names.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { SourcesHealth } from './collecting/source-health.ts';
import { serviceState } from './service-state.ts';
import type { DatabaseCondition } from './store-monitor.ts';

const { markets } = loadCatalogue('catalog');

const NOW: Instant = Date.parse('2026-11-20T16:00:00Z');

function market(id: string): Market {
  const found = markets.find(id);
  if (found === undefined) throw new Error(`there is no market ${id}`);
  return found;
}

const quote = (id: string, age = 0, more: Partial<Quote> = {}): Quote => ({
  market: market(id),
  mid: 900,
  updatedAt: NOW - age,
  ...more,
});

const OFFICIAL = quote('reference', 12 * HOUR_MS);
const PARALLEL = quote('parallel');

function source(name: string, given: Partial<SourceHealth> = {}): SourceHealth {
  const what = { kind: 'json-feed', enabled: true, markets: [], why: '', days: [] };
  return { ...what, name, condition: 'ok', consecutiveFailures: 0, held: 0, ...given };
}

const WRITABLE: DatabaseCondition = { state: 'ok', since: 0 };

function stateOf(
  quotes: readonly Quote[],
  {
    dropped = [],
    ...health
  }: Partial<SourcesHealth> & { readonly dropped?: readonly Quote[] } = {},
) {
  const known = {
    health: {
      ...{ sources: [], collecting: false, leaseEnd: 0, heldRecords: [], heldCount: 0 },
      ...health,
    },
    at: NOW,
    isCurrent: true,
  };
  return serviceState({ snapshot: { quotes, dropped }, known, database: WRITABLE, now: NOW });
}

const namesOf = (...given: Parameters<typeof stateOf>) =>
  stateOf(...given).reasons.map(({ name }) => name);

describe('the state of the service', () => {
  test('is ok while the figures are fresh, whichever source brings them', () => {
    expect(stateOf([OFFICIAL, PARALLEL])).toEqual({ status: 'ok', reasons: [] });
    expect(stateOf([OFFICIAL, PARALLEL], { collecting: true }).status).toBe('ok');
  });

  test('is failing without figures', () => {
    expect(stateOf([])).toEqual({ status: 'failing', reasons: [{ name: 'no_figures' }] });
  });

  test.each([
    [0, 'ok'],
    [1, 'failing'],
  ])(
    'is failing from the second at which the official rate becomes stale: +%i s',
    (more, status) => {
      const official = quote('reference', (market('reference').staleAfterSec + more) * SECOND_MS);
      const state = stateOf([official, PARALLEL]);
      expect(state.status).toBe(status);
      expect(state.reasons.find(({ name }) => name === 'official_stale')).toEqual(
        more === 0 ? undefined : { name: 'official_stale', since: NOW, markets: ['reference'] },
      );
    },
  );

  test('is degraded with a stale quote, failing when none is fresh', () => {
    const old = quote('parallel', 3 * HOUR_MS);
    expect(stateOf([OFFICIAL, old])).toEqual({
      status: 'degraded',
      reasons: [{ name: 'quotes_stale', since: NOW - HOUR_MS + SECOND_MS, markets: ['parallel'] }],
    });
    const none = stateOf([quote('reference', 140 * HOUR_MS), old]);
    expect([none.status, ...none.reasons.map(({ name }) => name)]).toEqual([
      'failing',
      'official_stale',
      'all_quotes_stale',
    ]);
  });

  test('reports a missing official rate', () => {
    expect(stateOf([PARALLEL])).toEqual({
      status: 'degraded',
      reasons: [{ name: 'official_missing', markets: ['reference'] }],
    });
  });

  test('counts the missed publications, and says since when', () => {
    const publicationsMissed = { count: 6, since: NOW - HOUR_MS };
    expect(stateOf([OFFICIAL, PARALLEL], { publicationsMissed })).toEqual({
      status: 'degraded',
      reasons: [{ name: 'publications_missed', since: NOW - HOUR_MS, count: 6 }],
    });
  });

  test('names the markets that should have a quote, and no others', () => {
    const dropped = [quote('cash', 8 * 24 * HOUR_MS, { source: 'feed' })];
    const off = source('feed', { enabled: false, condition: 'off', markets: ['cash'] });
    const read = source('feed', { markets: ['cash', 'parallel'] });
    const never = source('never', { condition: 'waiting', markets: ['cucuta'] });
    const quotes = [OFFICIAL, PARALLEL];
    expect(stateOf(quotes, { sources: [read, never] }).reasons).toEqual([
      { name: 'quotes_missing', markets: ['cash'] },
    ]);
    expect(stateOf(quotes, { dropped }).reasons).toMatchObject([
      { name: 'quotes_missing', since: expect.any(Number), markets: ['cash'] },
    ]);
    expect(namesOf(quotes, { dropped, sources: [off] })).toEqual([]);
  });

  test('distinguishes one failing source from all sources failing', () => {
    const failing = source('a', { condition: 'failing', lastSuccessAt: NOW - MINUTE_MS });
    const never = source('b', { condition: 'failing' });
    const standby = source('c', { condition: 'standby' });
    const pushed = source('operator', { kind: 'operator' });
    const quotes = [OFFICIAL, PARALLEL];
    expect(stateOf(quotes, { sources: [failing, source('b'), standby, pushed] }).reasons).toEqual([
      { name: 'sources_failing', since: NOW - MINUTE_MS, sources: ['a'] },
    ]);
    expect(stateOf(quotes, { sources: [failing, never, standby, pushed] })).toEqual({
      status: 'degraded',
      reasons: [{ name: 'all_sources_failing', sources: ['a', 'b'] }],
    });
  });

  test('all sources fail since the last good reading of any, some since the first that fails', () => {
    const older = source('a', { condition: 'failing', lastSuccessAt: NOW - HOUR_MS });
    const newer = source('b', { condition: 'failing', lastSuccessAt: NOW - MINUTE_MS });
    const sinceOf = (...sources: readonly SourceHealth[]) =>
      stateOf([OFFICIAL, PARALLEL], { sources }).reasons.map(({ name, since }) => [name, since]);
    expect(sinceOf(older, newer)).toEqual([['all_sources_failing', NOW - MINUTE_MS]]);
    expect(sinceOf(older, newer, source('c'))).toEqual([['sources_failing', NOW - HOUR_MS]]);
  });

  test('reports frozen sources, a missing collector and an unreachable database', () => {
    const health = {
      sources: [source('a', { condition: 'frozen' })],
      stoppedSince: NOW - HOUR_MS,
    };
    expect(stateOf([OFFICIAL, PARALLEL], health).reasons).toEqual([
      { name: 'sources_frozen', sources: ['a'] },
      { name: 'collecting_stopped', since: NOW - HOUR_MS },
    ]);
    const snapshot = { quotes: [OFFICIAL, PARALLEL], dropped: [] };
    const others = { sources: [], collecting: true, leaseEnd: NOW, heldRecords: [], heldCount: 0 };
    const away = { health: others, at: NOW - 1, isCurrent: false };
    expect(serviceState({ snapshot, known: away, database: WRITABLE, now: NOW }).reasons).toEqual([
      { name: 'database_unavailable', since: NOW - 1 },
    ]);
    expect(
      serviceState({ snapshot, known: undefined, database: WRITABLE, now: NOW }).reasons,
    ).toEqual([{ name: 'database_unavailable' }]);
  });

  test.each(['read_only', 'disk_full'] as const)('reports a database that is %s', (state) => {
    const health = { sources: [], collecting: true, leaseEnd: NOW, heldRecords: [], heldCount: 0 };
    const facts = {
      snapshot: { quotes: [OFFICIAL, PARALLEL], dropped: [] },
      known: { health, at: NOW, isCurrent: true },
      now: NOW,
    };
    const since = NOW - MINUTE_MS;
    expect(serviceState({ ...facts, database: { state, since } })).toEqual({
      status: 'degraded',
      reasons: [{ name: 'database_not_writable', since }],
    });
    expect(serviceState({ ...facts, database: WRITABLE }).status).toBe('ok');
  });

  test('a publication is overdue with figures and without', () => {
    const publicationsMissed = { count: 1, since: NOW };
    expect(namesOf([], { publicationsMissed })).toEqual(['no_figures', 'publications_missed']);
  });

  test('a source that failed last and is not read any more has not recovered', () => {
    const waiting = source('a', { condition: 'waiting', failingSince: NOW - HOUR_MS });
    const quotes = [OFFICIAL, PARALLEL];
    expect(namesOf(quotes, { sources: [waiting, source('b')] })).toEqual(['sources_failing']);
    expect(namesOf(quotes, { sources: [source('a', { condition: 'waiting' })] })).toEqual([]);
  });

  test('lists its reasons in order', () => {
    const all = namesOf([quote('reference', 140 * HOUR_MS), quote('parallel', 3 * HOUR_MS)], {
      publicationsMissed: { count: 1, since: NOW },
      sources: [source('a', { condition: 'failing', markets: ['cash'] })],
      stoppedSince: NOW,
    });
    const order = all.map((name) => STATE_REASONS.indexOf(name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(all).toHaveLength(6);
  });
});
