import type { Language } from '../../../core/domain/words/language.ts';
import type { Endpoint } from '../../../core/http/pipeline/endpoint.ts';
import { SWITCHING_TEXTS } from '../texts/texts.ts';
import { switchPrograms } from './guides.ts';

/** A service whose addresses this one may have, as its guide shows them. */
interface Switch {
  /** Its name in `VESFX_COMPAT`. */
  readonly service: string;
  /** The base address that programs have. */
  readonly from: string;
  /** What the program asks. */
  readonly path: string;
  /** The path as it is declared, if it has parameters. */
  readonly declared?: string;
  /** The field that the program reads. */
  readonly field: readonly string[];
  /** What it prints, of the sample data. */
  readonly prints: string;
  readonly hasSeries?: true;
  readonly isP2p?: true;
}

const SWITCHES: Readonly<Record<string, Switch>> = {
  'switch-from-dolarapi': {
    ...{ service: 'dolarapi', from: 'https://ve.dolarapi.com', path: '/v1/dolares/oficial' },
    ...{ field: ['promedio'], prints: '771.0714', hasSeries: true },
  },
  'switch-from-pydolarve': {
    ...{ service: 'pydolarve', from: 'https://pydolarve.org' },
    ...{ path: '/api/v1/dollar?page=bcv&monitor=usd', declared: '/api/v1/dollar' },
    ...{ field: ['price'], prints: '771.0714', hasSeries: true },
  },
  'switch-from-criptoya': {
    ...{ service: 'criptoya', from: 'https://criptoya.com', path: '/api/bingxp2p/USDT/VES/1' },
    ...{ declared: '/api/:exchange/:coin/:fiat/:volume', field: ['ask'], prints: '881.04' },
    isP2p: true,
  },
  'switch-from-frankfurter': {
    ...{ service: 'frankfurter', from: 'https://api.frankfurter.dev' },
    ...{ path: '/v1/2026-11-20?base=USD&symbols=VES', declared: '/v1/:date' },
    ...{ field: ['rates', 'VES'], prints: '771.0714', hasSeries: true },
  },
  'switch-from-er-api': {
    ...{ service: 'er-api', from: 'https://open.er-api.com', path: '/v6/latest/USD' },
    ...{ declared: '/v6/latest/:base', field: ['rates', 'VES'], prints: '771.0714' },
  },
  'switch-from-dolarvzla': {
    ...{ service: 'dolarvzla', from: 'https://api.dolarvzla.com', path: '/public/exchange-rate' },
    ...{ field: ['current', 'usd'], prints: '771.0714', hasSeries: true, isP2p: true },
  },
  'switch-from-rafnixg': {
    ...{ service: 'rafnixg', from: 'https://bcv-api.rafnixg.dev', path: '/rates/' },
    ...{ field: ['dollar'], prints: '771.0714', hasSeries: true },
  },
  'switch-from-yadio': {
    ...{ service: 'yadio', from: 'https://api.yadio.io', path: '/exrates/USD' },
    ...{ declared: '/exrates/:base', field: ['USD', 'VES'], prints: '867.15' },
  },
  'switch-from-bcvapi': {
    ...{ service: 'bcvapi', from: 'https://bcvapi.tech', path: '/api/v1/dolar' },
    ...{ field: ['tasa'], prints: '771.0714' },
  },
  'switch-from-bcvtoday': {
    ...{ service: 'bcvtoday', from: 'https://bcv.today', path: '/api/v1/rate.json' },
    ...{ field: ['USD'], prints: '771.0714', hasSeries: true },
  },
  'switch-from-exchangedyn': {
    ...{ service: 'exchangedyn', from: 'https://api.exchangedyn.com' },
    ...{ path: '/markets/quotes/usdves/bcv', field: ['sources', 'BCV', 'quote'] },
    prints: '771.0714',
  },
  'switch-from-dolartoday': {
    ...{ service: 'dolartoday', from: 'https://s3.amazonaws.com', path: '/dolartoday/data.json' },
    ...{ field: ['USD', 'transferencia'], prints: '867.15' },
  },
  'switch-from-fawazahmed0': {
    ...{ service: 'fawazahmed0', from: 'https://cdn.jsdelivr.net' },
    path: '/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.json',
    declared: '/npm/@fawazahmed0/:version/v1/currencies/:file',
    ...{ field: ['usd', 'ves'], prints: '771.0714' },
  },
};

/** The same program in three languages, with its line of before as a comment. */
function programs({ from, path, field, prints }: Switch, url: string): string {
  const quoted = (quote: string) => field.map((name) => `[${quote}${name}${quote}]`).join('');
  const values: Readonly<Record<string, string>> = {
    ...{ from, url, path, prints, field: field.join('.') },
    ...{ 'python-field': quoted('"'), 'php-field': quoted("'") },
  };
  return switchPrograms().replaceAll(/\{\{([a-z-]+)\}\}/g, (_, name) => values[name] ?? '');
}

/** The command that creates the key, and what of the answer matters. */
function keyCommand({ service, hasSeries }: Switch, url: string): string {
  const scopes = hasSeries ? ['rates', 'history'] : ['rates'];
  const asked = { kind: 'publishable', label: service, scopes, allow_no_origin: true };
  return `\`\`\`sh
curl -s -X POST -H "X-API-Key: $VESFX_KEY" -H "Content-Type: application/json" \\
  --data '${JSON.stringify(asked)}' \\
  "${url}/v1/account/keys"
\`\`\`

\`\`\`json
${JSON.stringify(asked, undefined, 2)}
\`\`\``;
}

/** Whether this service has the addresses, how to get the key, and the line that changes. */
export function switchText(
  name: string,
  language: Language,
  {
    publicUrl,
    endpoints,
  }: {
    readonly publicUrl: string;
    readonly endpoints: readonly Pick<Endpoint, 'path' | 'access'>[];
  },
): string {
  const shown = SWITCHES[name];
  if (shown === undefined) throw new Error(`there is no service of ${name}`);
  const { service, path, declared = path, hasSeries, isP2p } = shown;
  const texts = SWITCHING_TEXTS[language];
  const endpoint = endpoints.find((one) => one.path === declared);
  const state = endpoint && (endpoint.access === 'optional' ? texts.open : texts.key);
  return `## ${texts.here}

${[state ?? texts.off.replace('{service}', service), texts.costs, ...(isP2p ? [texts.p2p] : [])].join(' ')}

## ${texts.keyTitle}

${texts.getKey.replace('{series}', hasSeries ? texts.series : '')}

${keyCommand(shown, publicUrl)}

## ${texts.lineTitle}

${texts.line.replace('{url}', publicUrl)}

${programs(shown, publicUrl)}`;
}
