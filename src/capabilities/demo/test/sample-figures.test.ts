import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../../scripts/reference.ts';
import { hasCapability } from '../../../../test/harness/capabilities.ts';
import { read } from '../../../../test/harness/repository.ts';
import type { TestService } from '../../../../test/harness/service.ts';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import type { ApiDocument } from '../../../core/http/openapi/api-document.ts';
import { startDemonstration } from './demonstration.ts';

/** A reader who compares two samples of one day must find one official rate: that of the demonstration. */

const document: ApiDocument = referenceDocument('http://127.0.0.1:8080');

const CURRENCIES = new Set(['USD', 'EUR', 'CNY', 'TRY', 'RUB']);
const OF_MARKET: Readonly<Record<string, string>> = { reference: 'USD', eur_reference: 'EUR' };

/** An official rate that a sample shows, as `USD 2026-11-20 771.0714`. */
type Shown = string;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The pairs of fields in which answers have a rate and its day. */
const PAIRS = [
  ['rate', 'value_date'],
  ['rate', 'effective_date'],
  ['mid', 'effective_date'],
  ['next_banking_day_rate', 'next_banking_day'],
  ['is', 'value_date'],
  ['close', 'close_value_date'],
] as const;

/** @param currency Of the official rates in it; undefined for those of another market. */
function ratesIn(value: unknown, currency: string | undefined = 'USD'): readonly Shown[] {
  if (Array.isArray(value)) return value.flatMap((one) => ratesIn(one, currency));
  if (!isFields(value)) return [];
  const named = typeof value['currency'] === 'string' ? value['currency'] : currency;
  const own = typeof value['market'] === 'string' ? OF_MARKET[value['market']] : named;
  const pairs = PAIRS.flatMap(([rate, day]) => {
    const isShown = own !== undefined && typeof value[rate] === 'number' && value[day];
    return isShown ? [`${own} ${value[day]} ${value[rate]}`] : [];
  });
  // A figure in doubt is none of the day.
  const { in_doubt: _, ...others } = value;
  const inside = Object.entries(others).flatMap(([name, one]) =>
    ratesIn(one, CURRENCIES.has(name) ? name : own),
  );
  return [...pairs, ...tableOf(value), ...inside];
}

/** A publication as it is loaded: the rates by currency. */
const tableOf = ({ rates, value_date: day }: Fields): readonly Shown[] =>
  isFields(rates) && typeof day === 'string'
    ? Object.entries(rates).map(([currency, rate]) => `${currency} ${day} ${rate}`)
    : [];

/** A rate in the text of a program, with its day after it or, as in a table, before it. */
const IN_TEXT =
  /^.*?(?:(?<before>2026-\d\d-\d\d)\b\D.*?)?(?<rate>\b7\d\d\.\d{4})\b(?:.*?(?<after>2026-\d\d-\d\d))?/gm;

function ratesOfPage(page: string): readonly Shown[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].flatMap(([, kind = '', text = '']) => {
    // A block may have several answers, each from the beginning of a line.
    if (kind === 'json') return ratesIn(text.split(/\n(?=\{)/).map((one) => JSON.parse(one)));
    if (kind !== 'text' && kind !== 'csv') return [];
    return [...text.matchAll(IN_TEXT)].flatMap(({ groups = {} }) => {
      // The day after a rate is its value date: the one before may be a Sunday.
      const day = groups['after'] ?? groups['before'];
      return day === undefined ? [] : [`USD ${day} ${groups['rate']}`];
    });
  });
}

/** The examples of every answer of the reference. */
function ratesOfReference({ paths, components }: ApiDocument): readonly Shown[] {
  const examples = [paths, components].flatMap(function found(value: unknown): unknown[] {
    if (Array.isArray(value)) return value.flatMap(found);
    if (!isFields(value)) return [];
    const own = isFields(value['examples']) ? Object.values(value['examples']) : [];
    return [...own, ...Object.values(value).flatMap(found)];
  });
  return examples.flatMap((one) => (isFields(one) ? ratesIn(one['value']) : []));
}

const PLACES: Readonly<Record<string, readonly Shown[]>> = {
  'README.md': ratesOfPage(read('README.md')),
  'README.es.md': ratesOfPage(read('README.es.md')),
  'docs/operating.md': ratesOfPage(read('docs/operating.md')),
  'docs/operating.es.md': ratesOfPage(read('docs/operating.es.md')),
  '/openapi.json': ratesOfReference(document),
};

/** The guides of a service, by address, as its list for language models names them. */
async function guidesOf({ call }: TestService): Promise<Record<string, readonly Shown[]>> {
  const shown: Record<string, readonly Shown[]> = {};
  for (const language of hasCapability('site') ? LANGUAGES : []) {
    const { text } = await call(`/llms.txt?lang=${language}`);
    const paths = [...text.matchAll(/\(\S+?(\/docs\/[\w-]+\.md\?\S+)\)/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(10);
    const guides = paths.filter((path) => !path.startsWith('/docs/reference.'));
    const texts = await Promise.all(guides.map(async (path) => (await call(path)).text));
    shown[`guides (${language})`] = texts.flatMap(ratesOfPage);
  }
  return shown;
}

describe('the samples of the documents, the reference, the guides and the README', () => {
  test('show for a day the official rate that the demonstration has for it', async () => {
    const service = await startDemonstration();
    const key = await service.keyFor('Escala');
    const published = new Set<Shown>();
    for (const currency of CURRENCIES) {
      const path = `/v1/fx/official/history?currency=${currency}&from=2026-10-01&to=2026-11-24`;
      const { rows } = (await service.call(path, { key })).json;
      for (const { value_date, rate } of rows) published.add(`${currency} ${value_date} ${rate}`);
    }
    const places = { ...PLACES, ...(await guidesOf(service)) };
    for (const [place, shown] of Object.entries(places)) {
      expect([place, shown.length > 0]).toEqual([place, true]);
      expect([place, shown.filter((one) => !published.has(one))]).toEqual([place, []]);
    }
  });
});
