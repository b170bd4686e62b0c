import { VesfxError } from '../../client/errors.ts';
import { asObject, objectIn } from '../../client/http-client.ts';
import type { DocumentedError } from '../docs/api-document.ts';
import { countText, durationText } from '../frame/format.ts';
import { type ConsoleReader, filled } from './console-data.ts';

type Sentences = Readonly<Record<string, string>>;

/**
 * What went wrong, in the language of the reader: the API's own messages are English.
 * @throws the error itself if it does not come from the API.
 */
export function failureIn(error: unknown, { language, texts }: ConsoleReader): string {
  if (!(error instanceof VesfxError)) throw error;
  const { code, field = '', message, retryAfterSec = 60, details = {} } = error;
  const failures: Sentences = texts.failures;
  switch (code) {
    case 'invalid_format':
    case 'missing_field': {
      // Fields of no form get the message of the API.
      const said = `${texts.failures.invalid_format} ${filled(texts.serviceSaid, { message })}`;
      const { [field]: rule }: Sentences = texts.fieldRules;
      return toldBy(message, texts) ?? rule ?? said;
    }
    case 'feature_not_in_plan': {
      const { max, feature, required_plan: plan } = details;
      const more = typeof plan === 'string' ? ` ${filled(texts.morePlan, { plan })}` : '';
      if (typeof max !== 'number') return texts.failures[code] + more;
      const said = feature === 'markup' ? texts.tooManyRules : texts.tooManyKeys;
      return filled(said, { max: countText(max, language) }) + more;
    }
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
  const { code, field, message, details } = objectIn(answered) ?? {};
  if (typeof code !== 'string') return { meaning: texts.failures.unexpected_answer };
  if (code === 'invalid_format' && sent !== undefined && objectIn(sent) === undefined) {
    return { meaning: texts.bodyNotJson };
  }
  const said = errors.find((error) => error.code === code)?.message;
  const meaning = language === 'es' ? said : undefined;
  const { required_plan: plan, earliest } = asObject(details) ?? {};
  const more = typeof plan === 'string' ? { plan } : {};
  const name = typeof field === 'string' ? field : '';
  const isVague = code === 'invalid_format' || code === 'resource_not_found';
  const rule = isVague ? ruleFor(name, String(message), texts) : undefined;
  // Without a rule the answer itself says why, in English.
  const quoted =
    isVague && meaning !== undefined
      ? filled(texts.serviceSaid, { message: String(message) })
      : undefined;
  const named = name === '' ? meaning : meaning?.replace(/\.$/, `: \`${name}\`.`);
  const first = typeof earliest === 'string' ? filled(texts.earliest, { day: earliest }) : rule;
  const whole = sentences(named, first ?? quoted);
  if (name === '') return { meaning: whole, ...more };
  const reason = first ?? sentences(meaning, quoted) ?? String(message);
  return { meaning: whole, reason, field: name, ...more };
}

/** What a parameter may be, by its name or by the part of the API's message that tells. */
function ruleFor(name: string, message: string, texts: ConsoleReader['texts']): string | undefined {
  return toldBy(message, texts) ?? texts.parameterRules[name];
}

function toldBy(message: string, { messageRules }: ConsoleReader['texts']): string | undefined {
  return Object.entries(messageRules).find(([part]) => message.includes(part))?.[1];
}

const sentences = (...all: readonly (string | undefined)[]): string | undefined =>
  all.filter(Boolean).join(' ') || undefined;
