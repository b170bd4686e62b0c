import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { START, startTestService } from '../../../../../test/harness/service.ts';
import { serviceState } from '../../../../core/app/service-state.ts';
import type { DatabaseCondition } from '../../../../core/app/store-monitor.ts';
import { loadCatalogue } from '../../../../core/catalogue/catalogue.ts';
import type { Quote } from '../../../../core/domain/quotes.ts';
import type { SourceHealth } from '../../../../core/domain/source-health.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../core/domain/time.ts';
import { LANGUAGES, type Language } from '../../../../core/domain/words/language.ts';
import { stateView } from '../../../../core/http/endpoints/state-view.ts';
import { viewOf } from '../../frame/page-view.ts';
import { statusPage } from '../../status/status-page.ts';

/** The sentences of a page together: no two of them may contradict each other, whatever the state. */

type Pair = readonly [one: RegExp, other: RegExp];

const NO_FIGURE = {
  es: /No hay ninguna cifra|Todavía no hay (?:tasas que|cifras\.)|Ya no hay tasas/,
  en: /There are no figures|There are no rates/,
};
const UNREAD = {
  es: /Ningún proceso está leyendo|no está leyendo fuentes/,
  en: /No process is reading|not reading any source/,
};
const FRESH = {
  es: /(?:tasas|cifras) están al día/,
  en: /(?:rates|figures) are up to date/,
};

/** Sentences of which a page may have one at most. */
const INCOMPATIBLE: Readonly<Record<Language, readonly Pair[]>> = {
  es: [
    [NO_FIGURE.es, /mostramos|muestra su edad|llegan de|volverá|No hay cifra de|no las use/],
    [NO_FIGURE.es, FRESH.es],
    [
      /Falta la tasa oficial/,
      /mostramos la última tasa publicada|No hay cifra de: [^.]*BCV, dólar/,
    ],
    [UNREAD.es, /Seguimos leyendo|Estamos leyendo|Seguimos intentando con cada fuente/],
    [FRESH.es, /desactualizad|atrasada|No hay cifra de|Falta la tasa/],
    [/Fallan todas las fuentes/, /llegan de/],
    [/El operador carga la tasa oficial/, /Seguimos leyendo la página del BCV/],
  ],
  en: [
    [NO_FIGURE.en, /we show|shows its age|come from|will return|No figure for|before you use them/],
    [NO_FIGURE.en, FRESH.en],
    [
      /official dollar rate is missing/,
      /we show the last published rate|No figure for: [^.]*BCV, dollar/,
    ],
    [UNREAD.en, /We keep reading|We are reading|We keep retrying each source/],
    [FRESH.en, /out of date|overdue|No figure for|rate is missing/],
    [/All sources in use are failing/, /come from/],
    [/The operator pushes the official rate/, /We keep reading the page of the BCV/],
  ],
};

function expectNoContradiction(text: string, language: Language): void {
  const found = INCOMPATIBLE[language].flatMap(([one, other]) => {
    const [first, second] = [one.exec(text)?.[0], other.exec(text)?.[0]];
    return first !== undefined && second !== undefined ? [[first, second]] : [];
  });
  expect(found, text).toEqual([]);
}

/** The text of the content, with a space for each tag, without what is hidden. */
const textOf = (page: string) =>
  page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replaceAll(/<script.*?<\/script>|<span class="stale"[^>]* hidden>[^<]*<\/span>/gs, '')
    .replaceAll(/(?:<[^>]*>|\s)+/g, ' ');

const { markets } = loadCatalogue('catalog');

function quoteOf(id: string, age: number): Quote {
  const market = markets.find(id);
  if (market === undefined) throw new Error(`there is no market ${id}`);
  return { market, mid: 900, updatedAt: START - age };
}

const SOURCES = [
  { name: 'bcv-official', kind: 'bcv-official', markets: [] },
  { name: 'yadio', kind: 'json-feed', markets: ['parallel'] },
  { name: 'criptoya', kind: 'json-feed', markets: ['binance', 'okx'] },
  { name: 'dolarapi', kind: 'json-feed', markets: ['parallel'], fallbackFor: 'yadio' },
] as const;

interface Facts {
  /** Age of each market's quote; a market that is absent has none. */
  readonly quotes: Readonly<Record<string, number>>;
  readonly dropped: readonly string[];
  readonly conditions: Readonly<Record<string, SourceHealth['condition']>>;
  readonly missed: number;
  readonly collecting: 'yes' | 'never' | 'stopped';
  readonly isStoreAway: boolean;
  readonly database: DatabaseCondition['state'];
}

const WELL: Facts = {
  quotes: { reference: HOUR_MS, eur_reference: HOUR_MS, parallel: 0, binance: 0, okx: 0 },
  ...{ dropped: [], conditions: {}, missed: 0, collecting: 'yes' },
  ...{ isStoreAway: false, database: 'ok' },
};

/** The status page of a state, as the service composes it. */
function pageOf(facts: Facts, language: Language): string {
  const { quotes, missed, collecting, conditions, database } = facts;
  const sources = SOURCES.map((one): SourceHealth => {
    const condition = conditions[one.name] ?? 'ok';
    const isFailing = condition === 'failing';
    return {
      ...{ ...one, condition, enabled: condition !== 'off', why: '', days: [], held: 0 },
      ...{ consecutiveFailures: isFailing ? 3 : 0, ...(isFailing && { failure: 'unreachable' }) },
    };
  });
  const health = {
    ...{ sources, collecting: collecting === 'yes', leaseEnd: 0, heldRecords: [], heldCount: 0 },
    ...(missed > 0 && { publicationsMissed: { count: missed, since: START - HOUR_MS } }),
    ...(collecting === 'stopped' && { stoppedSince: START - HOUR_MS }),
  };
  const known = { health, at: START - MINUTE_MS, isCurrent: !facts.isStoreAway };
  const snapshot = {
    quotes: Object.entries(quotes).map(([id, age]) => quoteOf(id, age)),
    dropped: facts.dropped.map((id) => quoteOf(id, 9 * DAY_MS)),
  };
  const state = serviceState({
    ...{ snapshot, known, now: START, database: { state: database, since: START - HOUR_MS } },
  });
  const query = new URLSearchParams({ lang: language });
  const view = viewOf(
    { path: '/status', query, acceptLanguage: undefined },
    { notice: undefined, assets: (name) => `/${name}`, publicUrl: 'https://rates.example' },
  );
  const market = (id: string) => markets.find(id);
  return statusPage(view, {
    ...{ ...health, state: stateView(state), readAt: () => undefined, inDoubt: [], frozen: [] },
    ...{ checkedAt: START, now: START },
    marketName: (id) => (language === 'en' ? market(id)?.nameEn : market(id)?.name) ?? id,
  });
}

const EMPTY = { ...WELL, quotes: {} };
const ALL_FAILING: Facts['conditions'] = {
  ...{ 'bcv-official': 'failing', yadio: 'failing', criptoya: 'failing', dolarapi: 'failing' },
};

const STATES: Readonly<Record<string, Facts>> = {
  'all well': WELL,
  empty: EMPTY,
  'empty, and every source fails': { ...EMPTY, conditions: ALL_FAILING },
  'empty, one source fails': { ...EMPTY, conditions: { criptoya: 'failing' } },
  'empty, and nothing is read': { ...EMPTY, collecting: 'never', missed: 2 },
  'nothing left': { ...EMPTY, dropped: ['parallel', 'binance'], collecting: 'stopped' },
  'official only': { ...WELL, quotes: { reference: HOUR_MS, eur_reference: HOUR_MS } },
  'markets only': { ...WELL, quotes: { parallel: 0, binance: 0, okx: 0 } },
  'markets only, and publications are overdue': {
    ...{ ...WELL, quotes: { parallel: 0, binance: 0, okx: 0 }, missed: 3 },
    conditions: { 'bcv-official': 'failing' },
  },
  stale: { ...WELL, quotes: { ...WELL.quotes, parallel: 3 * HOUR_MS } },
  'all stale': { ...WELL, quotes: { reference: 9 * DAY_MS, parallel: 3 * HOUR_MS }, missed: 6 },
  overdue: { ...WELL, missed: 1 },
  'overdue, and the operator pushes it': {
    ...{ ...WELL, missed: 1, conditions: { 'bcv-official': 'off' } },
  },
  'collecting stopped': { ...WELL, collecting: 'stopped' },
  'nobody ever collected': { ...WELL, collecting: 'never' },
  'database away': { ...WELL, isStoreAway: true },
  'database read-only': { ...WELL, database: 'read_only' },
  'a source fails and another replaces it': { ...WELL, conditions: { yadio: 'failing' } },
  'two sources fail, one of them without a figure': {
    ...{ ...WELL, quotes: { reference: HOUR_MS, parallel: 0 } },
    conditions: { yadio: 'failing', criptoya: 'failing' },
  },
  'a source fails, its fallback works, and no figure has come yet': {
    ...{ ...WELL, quotes: {} },
    conditions: { yadio: 'failing' },
  },
  'every source fails': { ...WELL, conditions: ALL_FAILING },
};

describe.each(LANGUAGES)('the status page as a whole, in %s', (language) => {
  test.each(Object.entries(STATES))('%s: no two sentences contradict each other', (_, facts) => {
    expectNoContradiction(textOf(pageOf(facts, language)), language);
  });

  test('nor in any other state', () => {
    const age = fc.constantFrom(0, 3 * HOUR_MS, 9 * DAY_MS);
    const ids = Object.keys(WELL.quotes);
    const condition = fc.constantFrom('ok', 'failing', 'off', 'waiting', 'standby');
    const states: fc.Arbitrary<Facts> = fc.record({
      quotes: fc.dictionary(fc.constantFrom(...ids), age),
      dropped: fc.subarray(['parallel', 'binance', 'okx']),
      conditions: fc.dictionary(fc.constantFrom(...SOURCES.map(({ name }) => name)), condition),
      missed: fc.nat(3),
      collecting: fc.constantFrom('yes', 'never', 'stopped'),
      isStoreAway: fc.boolean(),
      database: fc.constantFrom(...(['ok', 'unavailable', 'read_only'] as const)),
    });
    fc.assert(
      fc.property(states, (facts) => {
        expectNoContradiction(textOf(pageOf(facts, language)), language);
      }),
      { numRuns: 300 },
    );
  });

  test('what was never there does not come back, and the central bank is among what is missing', () => {
    const empty = textOf(pageOf(EMPTY, language));
    expect(empty).not.toMatch(/volverá|will return/);
    const some = textOf(pageOf({ ...WELL, quotes: { parallel: 0 } }, language));
    expect(some).toMatch(/No hay cifra de: [^.]*BCV, euro|No figure for: [^.]*BCV, euro/);
  });
});

describe.each(LANGUAGES)('board and status page of a service, in %s', (language) => {
  const old = { captured_at: iso(START - HOUR_MS), updated_at: iso(START - 3 * HOUR_MS) };
  test.each([
    ['empty', [], 0],
    ['official only', [official('2026-11-20', { USD: 800.5, EUR: 920 })], 0],
    ['markets only', [quote('parallel', 900)], 0],
    ['stale', [official('2026-11-20', { USD: 800.5, EUR: 920 }), quote('parallel', 900, old)], 0],
    ['overdue', [official('2026-11-20', { USD: 800.5, EUR: 920 })], 3 * DAY_MS],
    ['out of date', [official('2026-11-20', { USD: 800.5 }), quote('parallel', 900)], 8 * DAY_MS],
  ] as const)('%s: no two sentences contradict each other', async (_, records, later) => {
    const service = await startTestService();
    if (records.length > 0) await service.push(...records);
    service.clock.advance(later);
    for (const path of ['/', '/status']) {
      const { text } = await service.call(`${path}?lang=${language}`);
      expectNoContradiction(textOf(text), language);
    }
  });
});
