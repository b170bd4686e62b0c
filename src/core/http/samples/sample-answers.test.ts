import { expect, test } from 'vitest';
import { z } from 'zod';
import { sentence } from '../../domain/errors/sentence.ts';
import type { Documented } from '../openapi/error-codes.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { mayBeSampled, withAnswers } from './sample-answers.ts';

const base = {
  path: '/v1/fx/a',
  section: '4.1',
  summary: sentence('A', 'A'),
  answer: z.object({ text: z.string() }),
  handle: () => ({ text: '' }),
  operation: { id: 'a', tag: 'Rates', answers: oneExample('It', 'Eso', { text: 'declared' }) },
} as const;
const open = endpoint({ ...base, scope: 'rates' });

const answerOf = async (text: string) => {
  const made = await withAnswers(
    open,
    (days) => days,
    async () => ({ text }),
  );
  return (made as Documented).operation.answers['answer'];
};

test('contract §27 an answer of 20,000 characters is a sample, a longer one is not', async () => {
  const around = JSON.stringify({ text: '' }).length;
  const longest = 'x'.repeat(20_000 - around);
  expect((await answerOf(longest))?.value).toEqual({ text: longest });
  expect(await answerOf(`${longest}x`)).toEqual({
    ...{ summary: sentence('It (demonstration)', 'Eso (demostración)') },
    value: { text: 'declared' },
  });
});

test("contract §27 a state that a service seldom has is the demonstration's, which its summary says; of an account it says nothing", async () => {
  const answers = oneExample('It', 'Eso', { text: 'declared' }, { asked: false });
  const operation = { ...base.operation, answers };
  const summaryOf = async (more: object) => {
    const shown = { ...open, operation, ...more };
    const made = await withAnswers(
      shown,
      (days) => days,
      async () => ({ text: 'own' }),
    );
    return (made as Documented).operation.answers['answer']?.summary.en;
  };
  expect(await summaryOf({})).toBe('It (demonstration)');
  expect(await summaryOf({ scope: 'account.read' })).toBe('It');
});

test('contract §27 only what changes nothing and is the same for every key may be asked', () => {
  const of = (more: object) => mayBeSampled({ ...open, ...more });
  expect(of({})).toBe(true);
  expect(of({ method: 'POST' })).toBe(false);
  expect(of({ method: 'POST', bulk: true })).toBe(true);
  expect(of({ streams: true })).toBe(false);
  for (const scope of ['account.read', 'account.write', 'mcp']) expect(of({ scope })).toBe(false);
  expect(of({ scope: undefined, access: 'admin' })).toBe(false);
  expect(of({ scope: undefined, access: 'open' })).toBe(true);
});
