import type { VesfxError } from '../../client/errors.ts';
import { SPANISH_ERRORS } from '../docs/api-errors-es.ts';
import { countText, durationText } from '../frame/format.ts';
import type { Language } from '../frame/language.ts';
import { CONSOLE_TEXTS, filled } from './texts.ts';

/** What went wrong, in the language of the reader. The API's own messages are English. */
export function failureText(error: VesfxError, language: Language): string {
  const texts = CONSOLE_TEXTS[language];
  const failures: Readonly<Record<string, string>> = texts.failures;
  switch (error.code) {
    case 'invalid_format':
    case 'missing_field':
      return fieldText(error, language);
    case 'feature_not_in_plan':
      return planText(error, language);
    case 'scope_missing':
      return scopeText(error, language);
    case 'rate_limit_exceeded': {
      const { scope, retryAfterSec = 60 } = error;
      if (scope === 'account') return texts.tooManyToday;
      return filled(texts.failures.rate_limit_exceeded, {
        wait: durationText(retryAfterSec, language),
      });
    }
    default:
      return failures[error.code] ?? texts.failures.other;
  }
}

/** The rule of the field. Only the API can explain a field that no form has. */
function fieldText({ field, message }: VesfxError, language: Language): string {
  const texts = CONSOLE_TEXTS[language];
  const rules: Readonly<Record<string, string>> = texts.fieldRules;
  const rule = rules[field ?? ''];
  if (rule !== undefined) return rule;
  return `${texts.failures.invalid_format} ${filled(texts.serviceSaid, { message })}`;
}

function planText({ details = {} }: VesfxError, language: Language): string {
  const texts = CONSOLE_TEXTS[language];
  const { max, feature, required_plan: plan } = details;
  const more = typeof plan === 'string' ? ` ${filled(texts.morePlan, { plan })}` : '';
  if (typeof max !== 'number') return texts.failures.feature_not_in_plan + more;
  const said = feature === 'markup' ? texts.tooManyRules : texts.tooManyKeys;
  return filled(said, { max: countText(max, language) }) + more;
}

function scopeText({ details = {} }: VesfxError, language: Language): string {
  const texts = CONSOLE_TEXTS[language];
  const { scope } = details;
  if (scope === 'full') return texts.onlyFull;
  // The API also names it for a key that lasts less than the one it would rotate.
  if (scope === 'account.write') return texts.cannotChange;
  const names: Readonly<Record<string, string>> = texts.scopeNames;
  const name = typeof scope === 'string' ? names[scope] : undefined;
  return name === undefined ? texts.failures.scope_missing : filled(texts.scopeLacks, { name });
}

/** An error answer as the playground shows it. */
export interface AnsweredError {
  /** In the reader's language, with the field as code; undefined where the answer has its own. */
  readonly meaning: string | undefined;
  /** The parameter or body field that it names. */
  readonly field: string | undefined;
}

/** @returns undefined for a body that is no error of the API. */
export function answeredError(body: string, language: Language): AnsweredError | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || !('code' in parsed)) return undefined;
  const { code, field } = parsed as { readonly code: unknown; readonly field?: unknown };
  const meanings: Readonly<Record<string, string>> = SPANISH_ERRORS;
  const meaning = language === 'es' && typeof code === 'string' ? meanings[code] : undefined;
  if (typeof field !== 'string') return { meaning, field: undefined };
  return { meaning: meaning?.replace(/\.$/, `: \`${field}\`.`), field };
}
