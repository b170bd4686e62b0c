import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { parseAmount } from '../../core/domain/calculations/convert.ts';
import { type Sentence, sentence } from '../../core/domain/errors/sentence.ts';
import { parseCaracasDay } from '../../core/domain/time.ts';
import { MAX_ECHO_LENGTH } from '../../core/http/framework/routing/limits.ts';

type Given = Readonly<Record<string, string>>;

interface Asked extends Prompt {
  /** Whether the assistant can ask with an argument: the text would pass on anything. */
  readonly accepts: Readonly<Record<string, (text: string) => boolean>>;
  /** What the user asks. */
  readonly text: (given: Given) => Sentence;
}

const LANGUAGE = { name: 'language', description: 'es (default) or en' };

const ASKED: readonly Asked[] = [
  {
    name: 'compare_markets',
    title: 'Compare markets / Comparar mercados',
    description: 'What an amount of dollars is worth in every market.',
    arguments: [{ name: 'amount', description: 'Dollars', required: true }, LANGUAGE],
    accepts: {
      amount: (text) => text.length <= MAX_ECHO_LENGTH && parseAmount(text) !== undefined,
    },
    text: ({ amount }) =>
      sentence(
        `Compare what ${amount} USD are worth in bolívares now in every market: get the rates, convert at each market, and make a table with the rate, the result, its age and the difference from the official rate in percent. Say which rates are stale. It is information, not advice.`,
        `Compare cuántos bolívares son ahora ${amount} USD en cada mercado: consulte las tasas, convierta con cada mercado y haga una tabla con la tasa, el resultado, su antigüedad y la diferencia con la tasa oficial en porcentaje. Diga qué tasas están desactualizadas. Es información, no un consejo.`,
      ),
  },
  {
    name: 'invoice_rate',
    title: 'Rate of an invoice / Tasa de una factura',
    description: 'The official rate for an invoice of a day, with its value date.',
    arguments: [
      { name: 'date', description: 'Day of the invoice in Caracas, YYYY-MM-DD', required: true },
      { name: 'currency', description: 'USD (default) or EUR' },
      LANGUAGE,
    ],
    accepts: {
      date: (text) => parseCaracasDay(text) !== undefined,
      currency: (text) => text === 'USD' || text === 'EUR',
    },
    text: ({ date, currency = 'USD' }) =>
      sentence(
        `Which official rate does an invoice in ${currency} of ${date} take? Convert 1 ${currency} to VES with that date, once with each rule. Name both rates and their value dates; they differ only on a day without banks, and then say that the user's accountant decides which rule applies.`,
        `¿Qué tasa oficial lleva una factura en ${currency} del ${date}? Convierta 1 ${currency} a VES con esa fecha, una vez con cada regla. Nombre las dos tasas y sus fechas valor; solo difieren en un día sin bancos, y entonces diga que el contador del usuario decide qué regla se aplica.`,
      ),
  },
];

export const PROMPTS: readonly Prompt[] = ASKED.map(
  ({ text: _, accepts: __, ...prompt }) => prompt,
);

/** @returns undefined when there is no such prompt. */
export function getPrompt(name: string, given: Given): GetPromptResult | undefined {
  const prompt = ASKED.find((one) => one.name === name);
  if (prompt === undefined) return undefined;
  // What is empty is absent.
  const present = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
  for (const { name: argument, description, required } of prompt.arguments ?? []) {
    const text = present[argument];
    const isAccepted = text === undefined ? !required : prompt.accepts[argument]?.(text) !== false;
    if (isAccepted) continue;
    const wrong = text === undefined ? 'is required' : `is not as it must be: ${description}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${argument} ${wrong}.`);
  }
  const text = prompt.text(present)[present['language'] === 'en' ? 'en' : 'es'];
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
