import { VesfxError } from '../../client/errors.ts';
import { objectIn } from '../../client/http-client.ts';
import type { DocumentedError } from '../docs/api-document.ts';
import { countText, durationText } from '../frame/format.ts';
import { type ConsoleReader, filled } from './console-data.ts';

/** What went wrong, for people. @throws the error itself if it does not come from the API. */
export function failureIn(error: unknown, reader: ConsoleReader): string {
  if (!(error instanceof VesfxError)) throw error;
  return failureText(error, reader);
}

/** What went wrong, in the language of the reader. The API's own messages are English. */
export function failureText(error: VesfxError, reader: ConsoleReader): string {
  const { language, texts } = reader;
  const failures: Readonly<Record<string, string>> = texts.failures;
  switch (error.code) {
    case 'invalid_format':
    case 'missing_field':
      return fieldText(error, reader);
    case 'feature_not_in_plan':
      return planText(error, reader);
    case 'scope_missing':
      return scopeText(error, reader);
    case 'rate_limit_exceeded': {
      const { scope, retryAfterSec = 60 } = error;
      if (scope === 'account') return texts.tooManyToday;
      return filled(texts.failures.rate_limit_exceeded, {
        wait: durationText(retryAfterSec, language),
      });
    }
    case 'unexpected_answer':
      // A newer service may send a code that this page does not know.
      if (error.details?.['code'] !== undefined) return texts.failures.other;
      return texts.failures.unexpected_answer;
    default:
      return failures[error.code] ?? texts.failures.other;
  }
}

/** The rule of a field. Fields of no form get the message of the API. */
function fieldText({ field, message }: VesfxError, reader: ConsoleReader): string {
  const { texts } = reader;
  const rules: Readonly<Record<string, string>> = texts.fieldRules;
  const rule = rules[field ?? ''];
  if (rule !== undefined) return rule;
  return `${texts.failures.invalid_format} ${filled(texts.serviceSaid, { message })}`;
}

function planText({ details = {} }: VesfxError, reader: ConsoleReader): string {
  const { language, texts } = reader;
  const { max, feature, required_plan: plan } = details;
  const more = typeof plan === 'string' ? ` ${filled(texts.morePlan, { plan })}` : '';
  if (typeof max !== 'number') return texts.failures.feature_not_in_plan + more;
  const said = feature === 'markup' ? texts.tooManyRules : texts.tooManyKeys;
  return filled(said, { max: countText(max, language) }) + more;
}

function scopeText({ details = {} }: VesfxError, reader: ConsoleReader): string {
  const { texts } = reader;
  const { scope } = details;
  if (scope === 'full') return texts.onlyFull;
  // The API also asks for this scope if the caller's key lasts less than the one to be rotated.
  if (scope === 'account.write') return texts.cannotChange;
  const names: Readonly<Record<string, string>> = texts.scopeNames;
  const name = typeof scope === 'string' ? names[scope] : undefined;
  return name === undefined ? texts.failures.scope_missing : filled(texts.scopeLacks, { name });
}

/** An error answer as the playground shows it. */
export interface AnsweredError {
  /**
   * In the reader's language, with the field as code; undefined if the answer itself is in that
   * language.
   */
  readonly meaning: string | undefined;
  /** The named parameter or field of the body. */
  readonly field: string | undefined;
}

interface Exchange {
  /** Body of the request; undefined for a request without one. */
  readonly sent: string | undefined;
  /** Body of the answer. */
  readonly answered: string;
  /** The API's errors, from the OpenAPI document in the reader's language. */
  readonly errors: readonly DocumentedError[];
}

/** An answer without a code comes not from the API, but from a machine such as a proxy. */
export function answeredError(
  { sent, answered, errors }: Exchange,
  { language, texts }: ConsoleReader,
): AnsweredError {
  const { code, field } = objectIn(answered) ?? {};
  if (typeof code !== 'string') {
    return { meaning: texts.failures.unexpected_answer, field: undefined };
  }
  if (code === 'invalid_format' && sent !== undefined && objectIn(sent) === undefined) {
    return { meaning: texts.bodyNotJson, field: undefined };
  }
  const namedError = errors.find((error) => error.code === code);
  const meaning = language === 'es' ? namedError?.message : undefined;
  if (typeof field !== 'string') return { meaning, field: undefined };
  return { meaning: meaning?.replace(/\.$/, `: \`${field}\`.`), field };
}
