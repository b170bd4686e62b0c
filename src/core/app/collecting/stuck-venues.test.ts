import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Source } from '../ports/sources.ts';
import { stuckVenues } from './stuck-venues.ts';

const { markets } = loadCatalogue('catalog');
const { thresholds } = loadJudgement('catalog');
const NOW = Date.parse('2026-11-20T16:00:00Z');
const LIMIT_MS = thresholds.frozenAfterSec.p2p * 1_000;

const source = (given: Partial<Source> = {}): Source => ({
  name: 'feed',
  kind: 'test',
  enabled: true,
  url: 'https://feed.example/',
  schedule: [],
  origin: () => 'feed',
  between: () => undefined,
  jitterMs: 0,
  timeoutMs: 1_000,
  markets: ['okx', 'parallel'],
  parserVersion: 1,
  read: async () => [],
  parse: async () => [],
  ...given,
});

/** The state of `feed` with figures of `okx` that have been steady for so long. */
const steadyFor = (ms: number): SourceState => ({
  source: 'feed',
  consecutiveFailures: 0,
  lastSuccessAt: NOW,
  standing: {
    okx: { since: NOW, digest: 'x', steady: { since: NOW - ms, mid: 900 } },
    parallel: { since: NOW, digest: 'x', steady: { since: 0, mid: 900 } },
  },
});

/** Venues at 100 when `okx` began to stand, and at these figures now. */
function stuck(state: SourceState, now: Readonly<Record<string, number>>, given = source()) {
  const asked: string[] = [];
  const quotes = Object.entries({ okx: 900, parallel: 1_000, ...now }).map(([market, mid]) => ({
    market,
    mid,
    updatedAt: NOW,
    capturedAt: NOW,
  }));
  const store = {
    lastCaptureBefore: async (market: string, before: number) => {
      asked.push(market);
      return { market, mid: 100, updatedAt: before - 1, capturedAt: before - 1 };
    },
  };
  const known = { states: [state], quotes };
  return stuckVenues([given], known, { markets, thresholds }, store).then((found) => ({
    found,
    asked,
  }));
}

describe('a P2P venue that flickers around one value (contract §8)', () => {
  const moved = { binance: 102, bybit: 98 };

  test('is stuck after longer than `frozenAfterSec`, when the others moved', async () => {
    const { found, asked } = await stuck(steadyFor(LIMIT_MS + 1), moved);
    expect(found).toEqual([{ source: 'feed', market: 'okx', since: NOW - LIMIT_MS - 1 }]);
    // Only venues are compared with, and neither itself nor the parallel market.
    expect(asked).toEqual(['binance', 'bybit']);
  });

  test('is not stuck while the others are quiet too, or too few', async () => {
    expect((await stuck(steadyFor(LIMIT_MS + 1), { binance: 100.9, bybit: 99.1 })).found).toEqual(
      [],
    );
    expect((await stuck(steadyFor(LIMIT_MS + 1), { binance: 150 })).found).toEqual([]);
  });

  test('needs no query before `frozenAfterSec`', async () => {
    expect(await stuck(steadyFor(LIMIT_MS), moved)).toEqual({ found: [], asked: [] });
    const off = await stuck(steadyFor(LIMIT_MS + 1), moved, source({ enabled: false }));
    expect(off).toEqual({ found: [], asked: [] });
  });
});
