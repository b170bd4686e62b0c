import { VesfxError } from '../../../client/errors.ts';
import { asObject, objectIn } from '../../../client/http-client.ts';
import { countText, durationText } from '../frame/format.ts';
import { type ConsoleReader, filled } from './console-data.ts';

type Sentences = Readonly<Record<string, string>>;

/**
 * What went wrong, in the language of the reader, in which the API was asked for its messages too.
 * @throws the error itself if it does not come from the API.
 */
export function failureIn(error: unknown, { language, texts }: ConsoleReader): string {
  if (!(error instanceof VesfxError)) throw error;
  const { code, field = '', message, retryAfterSec = 60, details = {} } = error;
  const failures: Sentences = texts.failures;
  switch (code) {
    case 'invalid_format':
    case 'missing_field': {
      const { [field]: allowed }: Sentences = texts.fieldRules;
      // Fields of no form get the message of the API.
      return ruleOf(error, texts) ?? allowed ?? message;
    }
    case 'feature_not_in_plan': {
      const { max, feature, required_plan: plan } = details;
      const more = typeof plan === 'string' ? ` ${filled(texts.morePlan, { plan })}` : '';
      if (typeof max !== 'number') return texts.failures[code] + more;
      const most: Sentences = { markup: texts.tooManyRules, webhooks: texts.hooks.tooManyWebhooks };
      const said = most[String(feature)] ?? texts.tooManyKeys;
      return filled(said, { max: countText(max, language) }) + more;
    }
    case 'conflict':
      return field === 'url' ? texts.hooks.sameUrl : texts.failures[code];
    case 'scope_missing': {
      const scope = String(details['scope']);
      if (scope === 'full') return texts.onlyFull;
      // The API also asks for this scope if the caller's key lasts less than the one to be rotated.
      if (scope === 'account.write') return texts.cannotChange;
      const { [scope]: name }: Sentences = texts.scopeNames;
      return name === undefined ? texts.failures[code] : filled(texts.scopeLacks, { name });
    }
    case 'rate_limit_exceeded':
      if (error.scope === 'account') return texts.tooManyToday;
      return filled(texts.failures[code], { wait: durationText(retryAfterSec, language) });
    case 'unexpected_answer':
      // A newer service may send a code that this page does not know.
      return details['code'] === undefined ? texts.failures[code] : texts.failures.other;
    default:
      return failures[code] ?? texts.failures.other;
  }
}

/** An error answer as the playground shows it. */
export interface AnsweredError {
  /** In the reader's language, with the field as code; undefined if only the answer itself says it. */
  readonly meaning?: string | undefined;
  /** Why, without the field. */
  readonly reason?: string | undefined;
  /** The named parameter or field of the body. */
  readonly field?: string;
  /** The cheapest plan that may. */
  readonly plan?: string;
}

/**
 * What a refused request has wrong. An answer without a code comes not from the API, but from a
 * machine such as a proxy.
 * @param answered Body of the answer.
 */
export function answeredError(answered: string, texts: ConsoleReader['texts']): AnsweredError {
  const { code, field, message, details: given } = objectIn(answered) ?? {};
  if (typeof code !== 'string') return { meaning: texts.failures.unexpected_answer };
  const details = asObject(given) ?? {};
  const { required_plan: plan } = details;
  const more = typeof plan === 'string' ? { plan } : {};
  const said = typeof message === 'string' ? message : undefined;
  const rule = ruleOf({ code, field, details }, texts);
  if (typeof field !== 'string') return { meaning: rule ?? said, ...more };
  const expected = rule ?? allowedIn(field, code, texts);
  const meaning = expected === undefined ? said : `\`${field}\`: ${expected}`;
  return { meaning, reason: expected ?? said, field, ...more };
}

interface RefusedValue {
  readonly code: string;
  readonly field?: unknown;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** What a value may be, by the rule that it broke, or by the days that there are. */
function ruleOf(
  { code, field, details = {} }: RefusedValue,
  texts: ConsoleReader['texts'],
): string | undefined {
  const { rule, reason, earliest } = details;
  if (code === 'history_out_of_retention' && typeof earliest === 'string') {
    return filled(texts.earliest, { day: earliest });
  }
  if (reason === 'no_data' && field === 'date') return texts.nothingThatEarly;
  const rules: Sentences = texts.valueRules;
  return rules[String(rule)];
}

/** What a parameter may be, by its name. */
function allowedIn(name: string, code: string, texts: ConsoleReader['texts']): string | undefined {
  return code === 'invalid_format' ? texts.parameterRules[name] : undefined;
}
