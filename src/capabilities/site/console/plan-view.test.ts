import { describe, expect, test } from 'vitest';
import type { Account } from '../../../client/types.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { planView, projected, unitsView } from './plan-view.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

const ACCOUNT = {
  name: 'Tienda',
  plan: 'Escala',
  limits: {
    units_per_month: 1_500_000,
    requests_per_minute: 6_000,
    bulk_calls_per_hour: 300,
    history_days: null,
    official_days: null,
    keys_max: 50,
    public_keys_max: 40,
    markups_max: 100,
    streams_max: 50,
    webhooks_max: 50,
    formats: ['json', 'csv', 'xml'],
    features: ['markets', 'spread', 'bulk_convert', 'route', 'markup'],
  },
  usage: {
    month: '2026-11',
    units_used: 24,
    units_remaining: 1_499_976,
    resets_at: '2026-12-01T00:00:00.000Z',
  },
  keys: [],
} as unknown as Account;

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** What a reader sees of an account, without the markup. */
function seen(account: Account, language: 'es' | 'en'): string {
  return markupOf([unitsView(account, NOW, reader(language)), planView(account, reader(language))])
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
}

function using(used: number): Account {
  return { ...ACCOUNT, usage: { ...ACCOUNT.usage, units_used: used } };
}

describe('the plan in the console', () => {
  test.each([
    [
      'es',
      'Unidades de noviembre de 2026 24 de 1.500.000 Menos de 0,1 %.',
      'Quedan 1.499.976. A este ritmo, al cierre del mes unas 36 Se renuevan (hora de Caracas) 30/11/2026, 20:00',
    ],
    [
      'en',
      'Units of November 2026 24 of 1,500,000 Less than 0.1%.',
      '1,499,976 left. At this rate, by the end of the month about 36 Units reset (Caracas time) 30 Nov 2026, 20:00',
    ],
  ] as const)('says in %s what the month has used, in words', (language, used, left) => {
    const text = seen(ACCOUNT, language);
    expect(text).toContain(used);
    expect(text).toContain(left);
    expect(text).not.toMatch(/2026-11|11\/2026:/);
  });

  test.each([
    [0, '0 %.'],
    [1_499, 'Menos de 0,1 %.'],
    [1_500, '0,1 %.'],
    [187_500, '12,5 %.'],
    [1_500_000, '100 %.'],
  ])('%i units of 1.500.000 are %s: a little is never shown as nothing', (used, share) => {
    expect(seen(using(used), 'es')).toContain(share);
  });

  test('says that the units are used up, and warns when a tenth is left', () => {
    const view = (left: number) =>
      markupOf(
        unitsView(
          { ...ACCOUNT, usage: { ...ACCOUNT.usage, units_remaining: left } },
          NOW,
          reader('es'),
        ),
      );
    expect(view(0)).toContain('se rechaza toda consulta que cueste unidades');
    expect(view(1)).not.toContain('se rechaza');
    expect(view(150_000)).toContain('class="low"');
    expect(view(150_001)).not.toContain('class="low"');
  });

  test.each([
    ['es', 'Catálogo de mercados · Brecha · Conversión por lote', 'Días de historial sin límite'],
    ['en', 'Market catalogue · Premium · Bulk conversion', 'Days of history no limit'],
  ] as const)(
    'names limits and features in %s as the documentation does',
    (language, features, days) => {
      const text = seen(ACCOUNT, language);
      expect(text).toContain(features);
      expect(text).toContain(days);
      expect(text).toContain('JSON, CSV, XML');
      expect(text).toMatch(/(?:Máximo de claves publicables|Maximum publishable keys) 40/);
      expect(text).not.toMatch(/bulk_convert|\bspread\b/);
    },
  );

  test('names the limit of batches only to a plan that has them', () => {
    const withFeature = (feature: 'bulk_convert' | 'spread') =>
      seen({ ...ACCOUNT, limits: { ...ACCOUNT.limits, features: [feature] } }, 'es');
    expect(withFeature('bulk_convert')).toContain('Lotes por hora 300');
    expect(withFeature('spread')).not.toContain('Lotes por hora');
  });

  const START = Date.parse('2026-11-01T00:00:00Z');
  const month = { month: '2026-11', limit: 300, resets: Date.parse('2026-12-01T00:00:00Z') };

  test.each([
    [2, 10, { units: 150, endsOn: undefined }],
    [22.5, 122, { units: (122 / 22.5) * 30, endsOn: undefined }],
    [10, 150, { units: 450, endsOn: '2026-11-21' }],
    [10, 300, { units: 900, endsOn: undefined }],
    [1.9, 10, undefined],
    [10, 0, undefined],
    [31, 10, undefined],
  ])('after %d days with %i units the month is projected as %j', (days, used, projection) => {
    expect(projected({ ...month, used, now: START + days * 86_400_000 })).toEqual(projection);
  });

  test('marks a projection of 80 % and one of more than the plan has, with the day', () => {
    const at = (used: number) =>
      markupOf(
        unitsView(
          { ...using(used), limits: { ...ACCOUNT.limits, units_per_month: 300 } },
          NOW,
          reader('es'),
        ),
      );
    expect(at(100)).toContain('<span class="nowrap calm">unas 147');
    expect(at(170)).toContain('<span class="nowrap late">unas 249');
    expect(at(250)).toMatch(/<span class="nowrap bad">unas 366.*Se agotarían el.*25\/11\/2026/);
  });
});
