import { z } from 'zod';
import { notFound } from '../../../core/domain/errors.ts';
import { parseCaracasDay } from '../../../core/domain/time.ts';
import { upperCase } from '../../../core/http/routing/schemas.ts';
import { allCurrentRates, allRatesOnDay } from '../cross-rates.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { crossPairs } from '../frankfurter-pairs.ts';
import { newestPairs } from '../official-table.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of fawazahmed0's currency-api (contract §12), with the official rates. */

const at = addressesWith(refusalWith('error'));

/** `currency-api@latest` or `currency-api@2026-11-20`. */
const VERSION = /^currency-api@(?:latest|(\d{4}-\d{2}-\d{2}))$/;
/** `usd.json` or `usd.min.json`. */
const FILE = /^([a-z]{3})(?:\.min)?\.json$/;

const dayOf = (version: string) => parseCaracasDay(VERSION.exec(version)?.[1] ?? '');

async function answerOf(call: ForeignCall, file: string, version = 'currency-api@latest') {
  const [, code] = FILE.exec(file) ?? [];
  const [isVersion, dayText] = VERSION.exec(version) ?? [];
  const day = dayOf(version);
  if (code === undefined || isVersion === undefined || (dayText !== undefined && !day)) {
    throw notFound('unknown_path');
  }
  const request = { base: upperCase(code), quotes: undefined, amount: 1 };
  const { date, rates } = newestPairs(
    await (day ? allRatesOnDay(call, request, day) : allCurrentRates(call, request)),
  );
  const others = [...rates].map(([quote, rate]) => [quote.toLowerCase(), rate]);
  return { date, [code]: { [code]: 1, ...Object.fromEntries(others) } };
}

/** The pairs of the answer without the bolívar. The cast is safe: the field of the file's code holds the rates. */
function derivedOf(answer: object, { input: { file } }: { input: { readonly file: string } }) {
  const code = FILE.exec(file)?.[1] ?? '';
  const { [code]: rates = {} } = answer as Readonly<Record<string, object>>;
  return crossPairs(upperCase(code), Object.keys(rates).map(upperCase));
}

export const fawazahmed0Addresses = [
  at('/npm/@fawazahmed0/:version/v1/currencies/:file', {
    query: z.object({ version: z.string(), file: z.string() }),
    official: true,
    derived: derivedOf,
    day: ({ input }) => dayOf(input.version),
    handle: (call) => answerOf(call, call.input.file, call.input.version),
  }),
  at('/v1/currencies/:file', {
    query: z.object({ file: z.string() }),
    official: true,
    derived: derivedOf,
    handle: (call) => answerOf(call, call.input.file),
  }),
];
