import { z } from 'zod';
import { notFound } from '../../../core/domain/errors.ts';
import { parseCaracasDay } from '../../../core/domain/time.ts';
import { upperCase } from '../../../core/http/pipeline/schemas.ts';
import { currentCurrencies } from '../currencies.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { markPairs, pairTable } from '../frankfurter-pairs.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of fawazahmed0's currency-api, also of its first version (contract §12), with the official rates. */

const at = addressesWith(refusalWith('error'));

/** `currency-api@latest`, `@2026-11-20` or `@2026.11.20`; or, of the first version, the last part alone. */
const VERSION = /^(?:currency-api@)?(?:latest|(?<day>\d{4}-\d\d-\d\d|\d{4}\.\d{1,2}\.\d{1,2}))$/;
/** `usd.json` or `usd.min.json`. */
const FILE = /^([a-z]{3})(?:\.min)?\.json$/;

const file = z.object({ version: z.string().optional(), file: z.string() });
const pairFile = file.extend({ base: z.string() });

type VersionCall = Pick<ForeignCall<{ readonly version?: string | undefined }>, 'input'>;

function day({ input: { version = 'latest' } }: VersionCall) {
  const text = VERSION.exec(version)?.groups?.['day'] ?? '';
  return parseCaracasDay(text.replaceAll('.', '-').replaceAll(/-(?=\d(?:-|$))/g, '-0'));
}

/** The day of a version; undefined for the latest. */
function requireDay(call: VersionCall) {
  const found = day(call);
  const version = VERSION.exec(call.input.version ?? 'latest');
  if (version?.groups?.['day'] ? !found : !version) throw notFound('unknown_path');
  return found;
}

async function ratesOf(call: ForeignCall<z.output<typeof file>>, base: string, quotes?: string[]) {
  const found = await pairTable(call, { base, quotes, amount: 1 }, requireDay(call));
  markPairs(call, base, found.rates.keys());
  return found;
}

function codeOf(name: string): string {
  const [, code] = FILE.exec(name) ?? [];
  if (code === undefined) throw notFound('unknown_path');
  return code;
}

const lowered = <Value>(pairs: Iterable<readonly [string, Value]>) =>
  Object.fromEntries([...pairs].map(([code, value]) => [code.toLowerCase(), value]));

const OLD_PLACE = '/gh/fawazahmed0/currency-api@1/:version';

export const fawazahmed0Addresses = [
  ...['/npm/@fawazahmed0/:version/v1', OLD_PLACE, '/v1'].flatMap((place) => [
    at(`${place}/currencies/:file`, {
      ...{ query: file, official: true, day },
      async handle(call) {
        const code = codeOf(call.input.file);
        const { date, rates } = await ratesOf(call, upperCase(code));
        return { date, [code]: { [code]: 1, ...lowered(rates) } };
      },
    }),
    ...['', '.min'].map((kind) =>
      at(`${place}/currencies${kind}.json`, {
        ...{ query: file.pick({ version: true }), official: true },
        async handle(call) {
          requireDay(call);
          return lowered(await currentCurrencies(call));
        },
      }),
    ),
  ]),
  at(`${OLD_PLACE}/currencies/:base/:file`, {
    ...{ query: pairFile, official: true, day },
    async handle(call) {
      const quote = codeOf(call.input.file);
      const { date, rates } = await ratesOf(call, upperCase(call.input.base), [upperCase(quote)]);
      return { date, ...lowered(rates) };
    },
  }),
];
