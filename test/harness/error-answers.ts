import { expect } from 'vitest';
import { VALUE_RULES } from '../../src/core/domain/errors/value-rules.ts';
import type { CallOptions, Reply, TestService } from './service.ts';

/** Words that no Spanish sentence has. Names of parameters and headers are no words of it. */
export const ENGLISH =
  /(?<![\p{L}_])(?:the|must|is|are|of|that|with|and|be|at|most|least|was|has|have|this|your|for|in|on|it|its|only|than|or|by|many|address|does|accept|did|you|mean)(?![\p{L}_])/iu;

/** A name of the API that begins a sentence as if it were a word of it; before a colon it is a label. */
const BARE_NAME = /^[a-z][\w.]* /;

/** Codes whose errors are about a value. */
const OF_VALUES = new Set(['missing_field', 'invalid_format', 'invalid_base', 'invalid_against']);

/** The rule that an error about a value names; it must be one of the table. */
export function ruleIn({ status, json }: Reply, what: string): string | undefined {
  if (status !== 400 || !OF_VALUES.has(json.code)) return undefined;
  expect(Object.keys(VALUE_RULES), `${what}: ${json.message}`).toContain(json.details?.rule);
  return json.details.rule;
}

/**
 * The error that readers of both languages get: only the message may differ. Undefined for a request
 * that succeeds.
 */
export async function errorInBothLanguages(
  service: Pick<TestService, 'call'>,
  path: string,
  options: CallOptions = {},
) {
  const ask = (language: string) =>
    service.call(path, {
      ...options,
      headers: { ...options.headers, 'Accept-Language': language },
    });
  const what = `${options.method ?? 'GET'} ${path} ${JSON.stringify(options.body)}`;
  const spanish = await ask('es-VE,es;q=0.9,en;q=0.5');
  if (spanish.status < 400) return undefined;
  const english = await ask('en');
  const { message: es, ...told } = spanish.json;
  const { message: en, ...toldInEnglish } = english.json;
  expect([what, spanish.status, withoutId(told)]).toEqual([
    what,
    english.status,
    withoutId(toldInEnglish),
  ]);
  return { spanish, english, es, en, what };
}

function withoutId({ details, ...told }: { readonly details?: object }) {
  return { ...told, details: { ...details, request_id: undefined } };
}

/** A message is Spanish where it is asked for, and both say something else. */
export function expectTranslated({ es, en, what }: Record<'es' | 'en' | 'what', string>) {
  expect(es, what).toMatch(/^[`\p{L}\d].*[.?`]$/u);
  expect(es, what).not.toMatch(ENGLISH);
  expect(es, what).not.toMatch(BARE_NAME);
  expect(es, what).not.toBe(en);
}
