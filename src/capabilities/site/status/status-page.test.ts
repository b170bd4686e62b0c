import { describe, expect, test } from 'vitest';
import type { SourceHealth } from '../../../core/domain/source-health.ts';
import { caracasDayOf, HOUR_MS, isoInstant, MINUTE_MS } from '../../../core/domain/time.ts';
import { LANGUAGES, type Language } from '../../../core/domain/words/language.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { viewOf } from '../frame/page-view.ts';
import { STATUS_TEXTS } from '../texts/texts.ts';
import { dayStrip } from './day-strip.ts';
import { statusPage } from './status-page.ts';
import type { StatusView } from './status-view.ts';

const NOW = Date.parse('2026-11-22T15:00:00Z');

const DOWN = isoInstant(NOW - HOUR_MS);

function source(name: string, given: Partial<SourceHealth> = {}): SourceHealth {
  const what = { kind: 'json-feed', enabled: true, markets: [], why: '', days: [] };
  return { ...what, name, condition: 'ok', consecutiveFailures: 0, held: 0, ...given };
}

/** The text of the page, with a space for each tag. */
const written = (language: Language, given: Partial<StatusView>): string =>
  markup(language, given).replace(/(?:<[^>]*>|\s)+/g, ' ');

function markup(language: Language, given: Partial<StatusView>): string {
  const view = viewOf(
    { path: '/status', query: new URLSearchParams({ lang: language }), acceptLanguage: undefined },
    { notice: undefined, assets: (name) => `/assets/${name}`, publicUrl: 'https://example.com' },
  );
  const page = statusPage(view, {
    state: { status: 'ok', reasons: [] },
    sources: [],
    heldRecords: [],
    heldCount: 0,
    readAt: () => undefined,
    inDoubt: [],
    frozen: [],
    collecting: true,
    checkedAt: NOW,
    now: NOW,
    marketName: (id) => `Market ${id}`,
    ...given,
  });
  return page.slice(page.indexOf('<main'), page.indexOf('</main>'));
}

const times = (text: string, part: string) => text.split(part).length - 1;

const TEXTS = {
  es: {
    simulated: 'simulada',
    many: '9 veces, la última hace 1 min',
    stopped: 'Detenida',
    paused: 'En pausa',
    unread: 'Sin leer',
    unused: 'Sin uso',
    works: 'Funciona',
    notReading: 'Este servicio no está leyendo fuentes',
    operator: 'El operador debe volver a iniciar la lectura de las fuentes.',
    allFail: 'Fallan todas las fuentes en uso',
    comeFrom: 'en su lugar usa CriptoYa',
    off: 'El operador no la usa.',
    official: 'Tasa oficial del BCV',
    replaces: 'Por ahora reemplaza a Yadio.',
    from: 'Mientras tanto las tasas llegan de DolarApi.',
    some: 'Mientras tanto algunas tasas llegan de DolarApi',
    lastGood: 'Mientras tanto mostramos la última tasa válida',
    one: 'Las tasas están al día, pero una fuente tiene problemas.',
    fresh: 'Las tasas están al día, pero hay fuentes con problemas.',
    notUpdated: 'Las tasas no se están actualizando.',
    partly: 'Algunas cifras no están al día.',
    down: 'La base de datos no responde: puede faltar lo más reciente.',
    soon: 'en 1 s',
    pauseEnds: 'Fin de la pausa en 2 min',
    never: 'nunca',
    days: 'hace 89 días',
    laterAccepted: 'hace 1 min · las lecturas siguientes se aceptaron',
    fewFailed: '22/11/2026: casi sin fallas (95 correctas, 5 fallidas)',
    noneFailed: '22/11/2026: sin fallas (95 correctas, 0 fallidas)',
    someFailed: '22/11/2026: con algunas fallas (94 correctas, 5 fallidas)',
  },
  en: {
    simulated: 'simulated',
    many: '9 times, last 1 min ago',
    stopped: 'Stopped',
    paused: 'Paused',
    unread: 'Not read yet',
    unused: 'Not used',
    works: 'Working',
    notReading: 'This service is not reading any source',
    operator: 'The operator must start reading the sources again.',
    allFail: 'All sources in use are failing',
    comeFrom: 'but CriptoYa instead',
    off: 'The operator does not use it.',
    official: 'Official BCV rate',
    replaces: 'It stands in for Yadio for now.',
    from: 'Meanwhile the rates come from DolarApi.',
    some: 'Meanwhile some rates come from DolarApi',
    lastGood: 'Meanwhile we show the last good rate',
    one: 'The rates are up to date, but one source has problems.',
    fresh: 'The rates are up to date, but some sources have problems.',
    notUpdated: 'The rates are not being updated.',
    partly: 'Some figures are not up to date.',
    down: 'The database is not responding: the latest may be missing.',
    soon: 'in 1 s',
    pauseEnds: 'End of the pause in 2 min',
    never: 'never',
    days: '89 days ago',
    laterAccepted: '1 min ago · later readings were accepted',
    fewFailed: '22 Nov 2026: few failures (95 good, 5 failed)',
    noneFailed: '22 Nov 2026: no failures (95 good, 0 failed)',
    someFailed: '22 Nov 2026: some failures (94 good, 5 failed)',
  },
};

describe.each(LANGUAGES)('the status page, in %s', (language) => {
  const texts = TEXTS[language];

  test('held records that are alike stand in one line, with how many and the age of the newest', () => {
    const alike = { subject: 'saldo', source: 'simulated', reason: 'venues_differ' };
    const heldRecords = [
      ...Array.from({ length: 9 }, (_, place) => ({
        ...alike,
        heldAt: NOW - (9 - place) * MINUTE_MS,
      })),
      { ...alike, reason: 'moved', heldAt: NOW - HOUR_MS },
    ];
    const text = written(language, { heldRecords, heldCount: 10 });
    expect(times(text, 'Market saldo')).toBe(2);
    expect(text).toContain(`${texts.simulated} · ${texts.many}`);
    // The id of the source is no word of a page.
    expect(times(text, texts.simulated)).toBe(2);
  });

  test('sources of one market stand in one card, each with its state', () => {
    const market = { markets: ['parallel'] };
    const yadio = source('yadio', { ...market, condition: 'failing', consecutiveFailures: 3 });
    const dolarapi = source('dolarapi', { ...market, fallbackFor: 'yadio' });
    const text = written(language, { sources: [dolarapi, yadio] });
    expect(times(text, 'Market parallel')).toBe(1);
    for (const words of ['Yadio', 'DolarApi', texts.replaces]) expect(text).toContain(words);
  });

  test('a held record says that later readings of its market were accepted, as the board does', () => {
    const heldRecords = [
      { subject: 'saldo', source: 'simulated', reason: 'venues_differ', heldAt: NOW - MINUTE_MS },
    ];
    const at = (readAt: number) =>
      written(language, { heldRecords, heldCount: 1, readAt: () => readAt });
    expect(at(NOW)).toContain(texts.laterAccepted);
    expect(at(NOW - HOUR_MS)).not.toContain(texts.laterAccepted);
  });

  test('a held record has a space before its source', () => {
    const heldRecords = [
      { subject: 'saldo', source: 'simulated', reason: 'venues_differ', heldAt: NOW },
    ];
    const text = markup(language, { heldRecords, heldCount: 1 }).replace(/<[^>]*>/g, '');
    expect(text).toMatch(new RegExp(`\\w · ${texts.simulated}`));
  });

  test('a held record names its source only where the subject does not', () => {
    const record = {
      subject: 'bcv.official',
      source: 'bcv-official',
      reason: 'moved',
      heldAt: NOW,
    };
    const held = (given: object) =>
      written(language, {
        heldRecords: [{ ...record, ...given }],
        heldCount: 1,
        sources: [source('bcv-official', { kind: 'bcv-official', condition: 'off' })],
      });
    expect(times(held({}), texts.official)).toBe(2);
    expect(held({ source: 'criptoya' })).toContain('· CriptoYa ·');
  });

  test('a source whose turn has passed is stopped, whenever it was last read', () => {
    const stopped = { condition: 'waiting', overdueSince: NOW - HOUR_MS } as const;
    const sources = [
      source('yadio', { ...stopped, nextRunAt: NOW - HOUR_MS }),
      source('dolarapi', { ...stopped, fallbackFor: 'yadio', lastSuccessAt: NOW - HOUR_MS }),
    ];
    const text = written(language, { sources, collecting: false });
    expect(times(text, texts.stopped)).toBe(2);
    expect(text).not.toContain(texts.works);
  });

  test('a source on a pause was read before: it is not called unread', () => {
    const waiting = { condition: 'waiting' } as const;
    const paused = { ...waiting, pausedUntil: NOW + HOUR_MS, lastSuccessAt: NOW - HOUR_MS };
    expect(written(language, { sources: [source('a', paused)] })).toContain(texts.paused);
    expect(written(language, { sources: [source('a', waiting)] })).toContain(texts.unread);
    const pushed = source('operator', { ...waiting, kind: 'operator' });
    expect(written(language, { sources: [pushed] })).toContain(texts.unused);
  });

  test('a source that was never read shows no times and no days, only when it will be read', () => {
    const unread = source('yadio', { condition: 'waiting', nextRunAt: NOW });
    const text = written(language, { sources: [unread] });
    expect(text).toContain(texts.soon);
    expect(text).not.toContain(texts.never);
    expect(text).not.toContain(texts.days);
    const day = { source: 'yadio', day: caracasDayOf(NOW), successes: 0, failures: 1, changes: 0 };
    const failed = source('yadio', { condition: 'failing', days: [day] });
    const failing = written(language, { sources: [failed] });
    expect(failing).toContain(texts.never);
    expect(failing).toContain(texts.days);
  });

  test('a day with a failure among many good readings is not called free of failures', () => {
    const day = { source: 'yadio', day: caracasDayOf(NOW), changes: 0 };
    const reader = { now: NOW, language, words: STATUS_TEXTS[language] };
    const shown = (successes: number, failures: number) =>
      markupOf(dayStrip([{ ...day, successes, failures }], reader));
    expect(shown(95, 5)).toContain(`<i class="good" title="${texts.fewFailed}"`);
    expect(shown(95, 0)).toContain(`<i class="good" title="${texts.noneFailed}"`);
    expect(shown(94, 5)).toContain(`<i class="some" title="${texts.someFailed}"`);
  });

  test('a fallback on a pause says when the pause ends', () => {
    const paused = { condition: 'waiting', pausedUntil: NOW + 2 * MINUTE_MS } as const;
    const fallback = source('dolarapi', { ...paused, fallbackFor: 'yadio' });
    expect(written(language, { sources: [fallback] })).toContain(texts.pauseEnds);
  });

  test('a failing source says whether another one brings its rates meanwhile', () => {
    const market = { markets: ['parallel'] };
    const yadio = source('yadio', { ...market, condition: 'failing', consecutiveFailures: 1 });
    const dolarapi = source('dolarapi', { ...market, fallbackFor: 'yadio' });
    const others = [source('criptoya', { condition: 'failing', markets: ['binance'] }), yadio];
    const text = (failing: readonly string[], sources: readonly SourceHealth[]) => {
      const reason = { name: 'sources_failing', since: DOWN, sources: failing } as const;
      return written(language, { state: { status: 'degraded', reasons: [reason] }, sources });
    };
    const replaced = text(['yadio'], [yadio, dolarapi]);
    expect(replaced).toContain(texts.from);
    expect(replaced).toContain(texts.replaces);
    expect(replaced).toContain(texts.one);
    const two = text(['criptoya', 'yadio'], [...others, dolarapi]);
    expect(two).toContain(texts.some);
    expect(two).toContain(texts.fresh);
    for (const condition of ['failing', 'waiting'] as const) {
      expect(text(['yadio'], [yadio, { ...dolarapi, condition }])).toContain(texts.lastGood);
    }
  });

  test('the verdict says whether the figures are affected, and whether new ones come', () => {
    const reasons = {
      allFail: { name: 'all_sources_failing', since: DOWN, sources: [] },
      stopped: { name: 'collecting_stopped', since: DOWN },
      stale: { name: 'quotes_stale', since: DOWN, markets: ['parallel'] },
      down: { name: 'database_unavailable', since: DOWN },
    } as const;
    const verdict = (...names: (keyof typeof reasons)[]) =>
      written(language, {
        state: { status: 'degraded', reasons: names.map((name) => reasons[name]) },
      });
    expect(verdict('allFail')).toContain(texts.fresh);
    expect(verdict('stopped')).toContain(texts.fresh);
    expect(verdict('down')).toContain(texts.down);
    expect(verdict('stale')).toContain(texts.partly);
    expect(verdict('stale', 'down')).toContain(texts.partly);
    expect(verdict('stale', 'allFail')).toContain(texts.notUpdated);
    expect(verdict('stale', 'stopped')).toContain(texts.notUpdated);
  });

  test('contract §8: a witness is called one, with the service that it reads', () => {
    const sources = [source('bcv-today', { role: 'witness', adds: 'second_voice' })];
    expect(written('es', { sources })).toContain('Testigo de la tasa oficial Funciona BCV Today');
    expect(written('en', { sources })).toContain('Witness of the official rate');
  });

  test('a source that is off says which one brings its markets instead', () => {
    const off = source('binance', { condition: 'off', enabled: false, markets: ['binance'] });
    const other = (given: Partial<SourceHealth>) => source('criptoya', given);
    const both = other({ markets: ['binance', 'okx'] });
    expect(written(language, { sources: [both, off] })).toContain(texts.comeFrom);
    for (const one of [other({ markets: ['okx'] }), { ...both, enabled: false }]) {
      expect(written(language, { sources: [one, off] })).toContain(texts.off);
    }
  });

  test('the cause stands first, and what is done about several problems is said once', () => {
    const reasons = [
      { name: 'publications_missed', since: DOWN, count: 3 },
      { name: 'quotes_stale', since: DOWN, markets: ['parallel'] },
      { name: 'all_sources_failing', since: DOWN, sources: [] },
      { name: 'collecting_stopped', since: DOWN },
    ] as const;
    const state = { status: 'degraded', reasons } as const;
    const stopped = written(language, { state, collecting: false });
    expect(stopped).not.toContain(texts.notReading);
    expect(times(stopped, texts.operator)).toBe(1);
    expect(markup(language, { state, collecting: false })).not.toContain('<p></p>');
    expect(stopped.indexOf(texts.operator)).toBeLessThan(stopped.indexOf('Market parallel'));
    const failing = written(language, {
      state: {
        status: 'degraded',
        reasons: [
          { name: 'quotes_stale', since: DOWN, markets: ['parallel'] },
          { name: 'all_sources_failing', since: DOWN, sources: [] },
        ],
      },
    });
    expect(failing.indexOf(texts.allFail)).toBeLessThan(failing.indexOf('Market parallel'));
    expect(failing).toContain(texts.allFail);
    // Nobody was ever meant to read them.
    const never = { ...state, reasons: reasons.slice(0, 2) };
    const unread = written(language, { state: never, collecting: false });
    expect(times(unread, texts.notReading)).toBe(1);
    expect(unread.indexOf(texts.notReading)).toBeGreaterThan(unread.indexOf('Market parallel'));
  });
});
