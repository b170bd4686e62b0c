import { expect, test } from 'vitest';
import { documentedEndpoints } from '../../../../scripts/reference.ts';
import { exampleAddress } from '../../../../test/harness/example-address.ts';
import { startDemonstration } from './demonstration.ts';

/** The fields of a value with their paths. Items of a list, and currencies, count together. */
function fieldsOf(value: unknown, above = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, above));
  return Object.entries(value).flatMap(([name, one]) => {
    const path = `${above}.${/^[A-Z]{3}$/.test(name) ? 'CODE' : name}`;
    return [path, ...fieldsOf(one, path)];
  });
}

/** The example of the board is a part of it, an account is empty at first, and a stream does not end. */
const LEFT_OUT = /^\/board|\/account|\/stream$/;

const asked = documentedEndpoints.filter(
  ({ method, path }) => method === 'GET' && !LEFT_OUT.test(path),
);

test('the examples of the reference have every field that the demonstration answers', async () => {
  expect(asked.length).toBeGreaterThan(15);
  const { keyFor, call } = await startDemonstration();
  const key = await keyFor('Escala');
  for (const endpoint of asked) {
    const address = exampleAddress(endpoint, 'all');
    const { status, json } = await call(address, { key });
    expect([address, status]).toEqual([address, 200]);
    const examples = Object.values(endpoint.operation?.answers ?? {}).map(({ value }) => value);
    const shown = new Set(fieldsOf(examples));
    const lacking = new Set(fieldsOf(json).filter((field) => !shown.has(field)));
    expect([address, [...lacking]]).toEqual([address, []]);
  }
});
