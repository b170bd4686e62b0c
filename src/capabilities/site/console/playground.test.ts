import { expect, test } from 'vitest';
import { addressOf, type TriedOperation } from './playground.ts';

const parameter = (name: string, place: 'path' | 'query') => ({
  ...{ name, in: place, required: place === 'path', description: '' },
});

const HISTORY: TriedOperation = {
  ...{ name: 'GET /rates/{market}/history', method: 'GET', path: '/rates/{market}/history' },
  ...{ id: 'history', summary: '', group: '', cost: 1 },
  parameters: [parameter('market', 'path'), parameter('from', 'query'), parameter('to', 'query')],
};

test.each([
  [{ market: 'bcv', from: '2026-11-01', to: '' }, '/rates/bcv/history?from=2026-11-01'],
  [{ market: 'a/b', from: '', to: '' }, '/rates/a%2Fb/history'],
  [{ market: '', from: '', to: '' }, '/rates/{market}/history'],
])('the address of %j in the playground is %s', (values, address) => {
  expect(addressOf(HISTORY, values)).toBe(address);
});
