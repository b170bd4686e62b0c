import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import {
  type CsvColumn,
  columnsOf,
  envelopeColumns,
  itemSchema,
} from '../../src/core/http/framework/encoding/csv.ts';
import type { Endpoint } from '../../src/core/http/pipeline/endpoint.ts';
import { exampleAddress } from '../harness/example-address.ts';
import { bankTable, fullMarket } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';

/** `locale=es`: the CSV of every endpoint for spreadsheets in Spanish (contract §5). */

const withFormats = allEndpoints({ admin: true }).filter(({ encoding }) => encoding !== undefined);

/** The shapes that an answer may have. */
function shapesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  return schema instanceof z.core.$ZodUnion ? schema._zod.def.options.flatMap(shapesOf) : [schema];
}

/** Every column that the CSV of an endpoint may have. */
function columnsOfCsv({ answer, encoding }: Endpoint): readonly CsvColumn[] {
  const { rows, rowSchema, unrepeated = [], inHeader } = encoding ?? {};
  if (rowSchema !== undefined) return columnsOf(rowSchema);
  return shapesOf(answer).flatMap((schema) => {
    const isList =
      rows !== undefined && schema instanceof z.core.$ZodObject && rows in schema._zod.def.shape;
    if (!isList) return columnsOf(schema, inHeader);
    const own = columnsOf(itemSchema(schema, rows), inHeader);
    const whole = envelopeColumns(schema, own);
    return [...own, ...whole.filter(({ name }) => !unrepeated.includes(name))];
  });
}

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket(), bankTable('2026-11-20', [{ bank: 'Banesco', buy: 888.1 }]));
  const key = await service.keyFor('Escala');
  const ask = (path: string, given = '') =>
    service.call(`${path}${path.includes('?') ? '&' : '?'}${given}`, { key });
  return { service, ask };
}

/** The address of each endpoint, and of answers of another shape, with the endpoint's path. */
const CASES: readonly (readonly [address: string, path: string])[] = [
  ...withFormats.map((one) => [exampleAddress(one, 'required'), one.path] as const),
  ['/v1/fx/rates/reference', '/v1/fx/rates/:market'],
  ['/v1/fx/rates/parallel/history?date=2026-11-21', '/v1/fx/rates/:market/history'],
];

/** A line of CSV whose cells have no separator within. */
const cells = (line: string | undefined, separator: string) => (line ?? '').split(separator);

describe('contract §5 CSV in Spanish', () => {
  test('contract §5 every column of every endpoint has a Spanish header', () => {
    expect(withFormats.length).toBeGreaterThan(10);
    const columns = withFormats.flatMap((endpoint) =>
      columnsOfCsv(endpoint).map(({ name, header }) => ({ path: endpoint.path, name, header })),
    );
    expect(columns.filter(({ header }) => header === undefined)).toEqual([]);
  });

  test('contract §5 no two columns of one answer have the same Spanish header', () => {
    for (const { path, answer, encoding } of withFormats) {
      for (const schema of encoding?.rowSchema ? [encoding.rowSchema] : shapesOf(answer)) {
        const columns = columnsOfCsv({ answer: schema, encoding } as Endpoint);
        const headers = new Set(columns.map(({ header }) => header));
        const names = new Set(columns.map(({ name }) => name));
        expect([path, headers.size]).toEqual([path, names.size]);
      }
    }
  });

  test.each(CASES)(
    'contract §5 locale=es of %s has the rows of the plain CSV, with ; and decimal commas',
    async (address, path) => {
      const { ask } = await serving();
      const plain = await ask(address, 'format=csv');
      const spanish = await ask(address, 'format=csv&locale=es');
      expect([plain.status, spanish.status]).toEqual([200, 200]);
      const english = plain.text.split('\r\n');
      const lines = spanish.text.split('\r\n');
      expect(lines).toHaveLength(english.length);
      const own = withFormats.filter((endpoint) => endpoint.path === path).flatMap(columnsOfCsv);
      const headers = new Map(own.map(({ name, header }) => [name, header]));
      expect(cells(lines[0], ';')).toEqual(cells(english[0], ',').map((name) => headers.get(name)));
      const words: Readonly<Record<string, string>> = { true: 'VERDADERO', false: 'FALSO' };
      const rewritten = (cell: string) => {
        if (/^-?\d+\.\d+$/.test(cell)) return cell.replace('.', ',');
        return words[cell] ?? cell;
      };
      const isPlain = (line: string) => !/[";]/.test(line);
      expect(english.some(isPlain)).toBe(true);
      for (const [position, line] of english.entries()) {
        if (position === 0 || !isPlain(line)) continue;
        // Versions are texts, so "1.0" stays unchanged.
        expect(lines[position]).toBe(cells(line, ',').map(rewritten).join(';'));
      }
    },
  );

  test.each(CASES)(
    'contract §5 locale=en of %s is the plain CSV, and locale does not change JSON or XML',
    async (path) => {
      const { ask } = await serving();
      const stable = (text: string) => text.replaceAll(/\d\d:\d\d:\d\d\.\d{3}Z/g, '');
      for (const format of ['csv', 'xml', 'json']) {
        const plain = await ask(path, `format=${format}`);
        const locales = format === 'csv' ? ['', 'en'] : ['', 'en', 'es'];
        for (const locale of locales) {
          const one = await ask(path, `format=${format}&locale=${locale}`);
          expect(stable(one.text)).toBe(stable(plain.text));
        }
      }
    },
  );

  test.each(['ES', 'es-VE', 'fr', 'es%20', 'es&locale=es'])(
    'contract §4 locale=%s is refused on every endpoint with formats',
    async (locale) => {
      const { ask } = await serving();
      for (const [path] of CASES) {
        const { status, json } = await ask(path, `format=csv&locale=${locale}`);
        expect([path, status, json.code, json.field]).toEqual([
          path,
          400,
          'invalid_format',
          'locale',
        ]);
      }
    },
  );

  test('§4.4 an endpoint without formats does not accept locale', async () => {
    const { ask } = await serving();
    expect((await ask('/v1/fx/markets', 'locale=es')).json).toMatchObject({
      code: 'unknown_parameter',
      field: 'locale',
    });
  });

  test('§9 each locale has its own ETag', async () => {
    const { ask } = await serving();
    const [plain, spanish] = [
      await ask('/v1/fx/rates', 'format=csv'),
      await ask('/v1/fx/rates', 'format=csv&locale=es'),
    ];
    expect(plain.headers.get('etag')).not.toBe(spanish.headers.get('etag'));
  });
});
