import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Sentence, sentence } from '../../core/domain/errors/sentence.ts';
import type { ErrorCode } from '../../core/domain/errors.ts';
import { isJsonObject } from '../../core/domain/exact-json.ts';
import type { Language } from '../../core/domain/words/language.ts';
import type { Told } from '../../core/http/pipeline/call.ts';

const CORRECT = sentence(
  'Correct the argument and call again.',
  'Corrija el argumento y consulte de nuevo.',
);
const KEY = sentence('The user must check the key.', 'El usuario debe revisar la clave.');
const PLAN = sentence(
  'Tell the user which plan has it; do not guess the figure.',
  'Diga al usuario qué plan lo tiene; no adivine la cifra.',
);
const ABSENT = sentence(
  'Tell the user that there is no figure; do not guess one.',
  'Diga al usuario que no hay una cifra; no la adivine.',
);
const LATER = sentence('Try again later.', 'Inténtelo más tarde.');

/** What an assistant can do about an error; the rest is for the operator. */
const ADVICE: Partial<Record<ErrorCode, Sentence>> = {
  missing_field: CORRECT,
  invalid_format: CORRECT,
  unknown_parameter: CORRECT,
  missing_api_key: KEY,
  invalid_api_key: KEY,
  scope_missing: KEY,
  account_suspended: KEY,
  feature_not_in_plan: PLAN,
  history_out_of_retention: PLAN,
  resource_not_found: ABSENT,
  markup_not_found: CORRECT,
  rate_not_published: ABSENT,
  reference_unavailable: ABSENT,
  bcv_snapshot_unavailable: ABSENT,
};

/** The result of a call that was refused: code, message, and what to do. */
export function refusedResult(
  { headers, json }: Pick<Told, 'json'> & Partial<Pick<Told, 'headers'>>,
  language: Language,
): CallToolResult {
  const { code, message, details } = isJsonObject(json) ? json : {};
  const more = isJsonObject(details) ? ` ${JSON.stringify(details)}` : '';
  const seconds = headers?.get('retry-after');
  const wait = seconds
    ? sentence(`Try again in ${seconds} s.`, `Inténtelo de nuevo en ${seconds} s.`)
    : undefined;
  const known: Readonly<Record<string, Sentence>> = ADVICE;
  const ofCode = typeof code === 'string' ? known[code] : undefined;
  const advice = (wait ?? ofCode ?? LATER)[language];
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message} ${advice}${more}` }],
  };
}
