import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../domain/errors.ts';
import { MAX_KNOWN_QUERIES, MAX_KNOWN_QUERY_LENGTH } from '../framework/routing/limits.ts';
import { parameterReader } from '../framework/routing/parameters.ts';
import { endpoint } from './endpoint.ts';
import { queryRules } from './field-rules.ts';

const text = z.string().optional();

const sample = endpoint({
  method: 'GET',
  path: '/sample',
  access: 'key',
  scope: 'rates',
  cost: 0,
  query: z.object({ a: text, b: z.string(), 'c-1': text }),
  rejectUnknown: true,
  answer: z.object({}),
  errors: [],
  handle: () => ({}),
});

function outcome(
  query: string,
  reader = parameterReader(sample, () => queryRules(sample)),
): unknown {
  try {
    const { input, format } = reader(query, {}, 0);
    return { input, format };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, ...error.options };
  }
}

test('a repeated query gives the same parameters or the same error', () => {
  const reader = parameterReader(sample, () => queryRules(sample));
  const read = (query: string) => outcome(query, reader);
  const long = `b=${'x'.repeat(MAX_KNOWN_QUERY_LENGTH)}`;
  const queries = [
    'b=1',
    'b=2&a=3',
    'a=3&b=2',
    'b=2&format=csv',
    'b=1&d=2',
    'a=1',
    'b=1&b=1',
    long,
  ];
  // Enough of others in between that the first are forgotten, and again with all of them known.
  const others = Array.from({ length: MAX_KNOWN_QUERIES }, (_, n) => `b=other-${n}`);
  const first = queries.map(read);
  expect(queries.map(read)).toEqual(first);
  for (const query of others) expect(read(query)).toMatchObject({ input: { b: query.slice(2) } });
  expect(queries.map(read)).toEqual(first);
});

/** The same query with each letter, digit and sign of a name or value percent-encoded. */
function encoded(query: string): string {
  return query.replace(/[^=&]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

test('contract §4: unnecessary percent-encoding does not change a query', () => {
  const pair = fc
    .tuple(fc.constantFrom('a', 'b', 'c-1', 'd', ''), fc.stringMatching(/^=?[\w.=-]{0,4}$/))
    .map(([name, value]) => name + value);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
      const query = pairs.join('&');
      expect(outcome(query)).toEqual(outcome(encoded(query)));
    }),
  );
});

test.each([
  ['b=1', { b: '1' }],
  ['b=1&a=2', { a: '2', b: '1' }],
  ['&&b=1=2&&', { b: '1=2' }],
  ['b=1&a', { b: '1' }],
  ['b=1&a=', { b: '1' }],
  ['b=+%2B%20', { b: ' + ' }],
  ['b=%C3%B1%ff', { b: 'ñ\ufffd' }],
  ['b=%zz', { b: '%zz' }],
])('contract §2: the query %j is read as %j', (query, input) => {
  expect(outcome(query)).toEqual({ input, format: 'json' });
});
