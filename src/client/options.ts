import { MAX_KEPT_ANSWERS } from './answer-cache.ts';
import { MAX_RETRIES, MAX_RETRY_WAIT_MS } from './retry.ts';

/** Largest `timeoutMs`. */
// limit: Wait for an answer | 1 h | a `TypeError`
export const MAX_ANSWER_WAIT_MS = 3_600_000;

export interface VesfxOptions extends RequestOptions {
  /** Address of the service. A path in it is kept: `https://example.net/rates` is fine. */
  readonly baseUrl: string | URL;
  /** Your key. Only `status()` and `calculate()` work without one. */
  readonly key?: string | undefined;
  readonly static?: undefined;
}

export interface StaticOptions extends RequestOptions {
  /** Address of a static copy, the folder of its `index.json`. Nothing else is needed. */
  readonly static: string | URL;
  readonly baseUrl?: undefined;
  readonly key?: undefined;
}

interface RequestOptions {
  /** Timeout of one try including its body, in milliseconds; by default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a 429 or 503; by default 3, at most 10. */
  readonly retries?: number | undefined;
  /** Total wait between tries in ms; by default 60,000. A longer `Retry-After` fails at once. */
  readonly maxRetryWaitMs?: number | undefined;
  /** Answers cached by ETag; by default 100, 0 for none. */
  readonly keptAnswers?: number | undefined;
  /** Language of the service's messages. Default: the language of the process or the browser. */
  readonly language?: Language | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const LANGUAGES = ['es', 'en'] as const;
type Language = (typeof LANGUAGES)[number];

const NAMES = [
  'baseUrl',
  'static',
  'key',
  'timeoutMs',
  'retries',
  'maxRetryWaitMs',
  'keptAnswers',
  'language',
  'fetch',
] as const satisfies readonly (keyof VesfxOptions)[];

/**
 * The validated options of a client, with their defaults.
 * @throws TypeError naming the faulty option, without the key.
 */
export function readOptions(options: VesfxOptions | StaticOptions) {
  const unknown = Object.keys(options).find((name) => !NAMES.some((option) => option === name));
  if (unknown !== undefined) {
    throw new TypeError(`${unknown} is not an option of Vesfx; these are: ${NAMES.join(', ')}.`);
  }
  const isStatic = options.static !== undefined;
  const other = (['baseUrl', 'key'] as const).find((name) => options[name] !== undefined);
  if (isStatic && other !== undefined) throw new TypeError(`static takes no ${other}.`);
  return {
    baseUrl: isStatic
      ? readAddress('static', options.static, 'static copy')
      : readAddress('baseUrl', options.baseUrl, 'service'),
    static: isStatic,
    key: readKey(options.key),
    timeoutMs: readCount(options, 'timeoutMs', { least: 1, most: MAX_ANSWER_WAIT_MS }) ?? 10_000,
    retries: readCount(options, 'retries', { least: 0, most: MAX_RETRIES }) ?? 3,
    maxRetryWaitMs:
      readCount(options, 'maxRetryWaitMs', { least: 0, most: MAX_RETRY_WAIT_MS }) ?? 60_000,
    keptAnswers: readCount(options, 'keptAnswers', { least: 0, most: MAX_KEPT_ANSWERS }) ?? 100,
    language: readLanguage(options.language),
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** Validates the address and removes its final slash, because each path begins with one. */
function readAddress(name: string, address: string | URL, what: string): string {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${name} must be the http or https address of the ${what}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(`${name} must have no user, password, query or fragment.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Reject a key that is not a valid header value, because the error of `fetch` would contain it. */
function readKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('key must be the text of a key, without spaces or line ends.');
}

function readLanguage(language: Language | undefined): Language {
  if (language === undefined) {
    const { locale } = Intl.DateTimeFormat().resolvedOptions();
    return /^es\b/.test(locale) ? 'es' : 'en';
  }
  if (LANGUAGES.includes(language)) return language;
  throw new TypeError(`language must be ${LANGUAGES.join(' or ')}.`);
}

function readCount(
  options: RequestOptions,
  name: 'timeoutMs' | 'retries' | 'maxRetryWaitMs' | 'keptAnswers',
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`);
}
