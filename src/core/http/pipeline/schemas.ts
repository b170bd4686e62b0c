import { z } from 'zod';
import { refused } from '../../app/schema-sentences.ts';
import {
  AMOUNT_LIMIT,
  amountFault,
  MAX_AMOUNT,
  parseAmount,
} from '../../domain/calculations/convert.ts';
import type { Sentence } from '../../domain/errors/sentence.ts';
import { fault, type ValueFault } from '../../domain/errors/value-rules.ts';
import { BASES, type Base, MARKET_TYPES } from '../../domain/markets.ts';
import { parseCaracasDay, parseUtcDay } from '../../domain/time.ts';
import { field, said } from './said.ts';

/** Schemas of parameters. Each turns text as sent into a value, or says what is wrong. */

/** What the reference says of a parameter. Programs that read the document get its type from here. */
type Described = {
  /** Absent where no document has the parameter: addresses of other services. */
  readonly said?: Sentence;
  readonly example?: string | number;
  readonly type?: 'number' | 'integer';
  readonly format?: 'date';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
};

/**
 * A text parameter with its own parser, which returns `undefined` for text that it refuses.
 * @param wrong What is wrong with such a text.
 */
export function parsed<Value>(
  parse: (text: string) => Value | undefined,
  wrong: ValueFault | ((text: string) => ValueFault),
  meta: Described,
) {
  return z
    .string()
    .meta(meta)
    .transform((text, context): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue(refused(typeof wrong === 'function' ? wrong(text) : wrong));
      return z.NEVER;
    });
}

/** Whether a parameter is a day: its text is read as one. */
export function isDayText(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isDayText(schema.unwrap());
  return schema instanceof z.ZodPipe && z.globalRegistry.get(schema.in)?.['format'] === 'date';
}

export const amountText = parsed(parseAmount, amountFault, {
  ...said(
    `The amount to convert: greater than 0 and at most ${AMOUNT_LIMIT.en}, with a point for decimals.`,
    `El monto que se convierte: mayor que 0 y hasta ${AMOUNT_LIMIT.es}, con punto decimal.`,
  ),
  example: 125.5,
  type: 'number',
  exclusiveMinimum: 0,
  maximum: Number(MAX_AMOUNT),
});

/** Upper-cases ASCII letters only: letters of other scripts can turn into ASCII. */
export function upperCase(text: string): string {
  return /[a-z]/.test(text) ? text.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : text;
}

/**
 * The pair of a conversion: VES and one of `bases`, in any letter case. Whether the pair is valid is
 * checked once both are known.
 */
export function currencyPair(bases: readonly Base[]) {
  const codes = [...bases, 'VES'];
  const currencyText = (whose: string, whoseEs: string) =>
    z
      .string()
      .transform(upperCase)
      .meta({
        ...said(
          `${whose}: ${bases.join(', ')} or VES, in any letter case.`,
          `${whoseEs}: ${bases.join(', ')} o VES, en mayúsculas o minúsculas.`,
        ),
        example: 'USD',
        enum: codes,
      });
  return {
    from: currencyText('Currency of the amount', 'Moneda del monto'),
    to: currencyText('Currency of the result', 'Moneda del resultado'),
  };
}

export const NOT_A_DAY = fault(
  'not_a_day',
  'must be a date that exists, YYYY-MM-DD',
  'debe ser una fecha que exista, AAAA-MM-DD',
);

export function utcDayText(en: string, es: string) {
  return parsed(parseUtcDay, NOT_A_DAY, {
    ...said(en, es),
    example: '2026-11-20',
    format: 'date',
  });
}

/** The range of a series. */
export const rangeFields = {
  from: utcDayText(
    'First UTC day of the range; by default, as far back as your plan reaches.',
    'Primer día UTC del rango; por defecto, tan atrás como llega su plan.',
  ).optional(),
  to: utcDayText(
    'Last UTC day of the range; today by default.',
    'Último día UTC del rango; por defecto, hoy.',
  ).optional(),
};

export function caracasDayText(en: string, es: string) {
  return parsed(parseCaracasDay, NOT_A_DAY, {
    ...said(en, es),
    example: '2026-11-20',
    format: 'date',
  });
}

export const marketText = z
  .string()
  .meta({ ...said('Id or alias of a market.', 'Id o alias de un mercado.'), example: 'parallel' });

// limit: Markets of changes or coverage | 50 | 400
const MAX_NAMED_MARKETS = 50;

function parseNames(text: string): readonly string[] | undefined {
  const names = text.split(',');
  return names.length > MAX_NAMED_MARKETS || names.includes('') ? undefined : names;
}

export const marketNames = parsed(
  parseNames,
  (text) =>
    fault(
      text.split(',').length > MAX_NAMED_MARKETS ? 'too_many' : 'malformed',
      `must be ids or aliases of at most ${MAX_NAMED_MARKETS} markets with commas between`,
      `deben ser ids o alias de ${MAX_NAMED_MARKETS} mercados como máximo, separados por comas`,
    ),
  {
    ...said(
      'Ids or aliases of markets, separated by commas; all markets in the plan by default.',
      'Ids o alias de mercados, separados por comas; por defecto, todos los del plan.',
    ),
    example: 'reference,parallel',
  },
);

// Answers

/** ISO 8601 in UTC with milliseconds. Each field says which moment it is. */
export const timestamp = z.iso.datetime().meta({ example: '2026-11-20T04:00:00.000Z' });

export const updatedAt = field(
  timestamp,
  'Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date.',
  'Hora de la cotización: la de su fuente o, si no la da, la de la lectura. En una tasa oficial, las 00:00 en Caracas de su fecha valor.',
  'Actualizada (UTC)',
);

export const fetchedAt = field(
  timestamp,
  'When the service last received figures.',
  'Cuándo recibió cifras el servicio por última vez.',
  'Recibido (UTC)',
);

export const day = z.iso.date().meta({ example: '2026-11-20' });

/** VES per unit of a currency. Each field says which rate it is. */
export const ves = z.number().positive();

export const rateNumber = field(
  ves,
  'The rate: VES per unit of the base currency.',
  'La tasa: VES por una unidad de la moneda base.',
  'Tasa (Bs.)',
);

const seconds = z.int().nonnegative();
export const staleAfterSec = field(
  seconds,
  'Maximum age of a quote, in seconds; an older one is stale.',
  'Edad máxima de una cotización, en segundos; una más antigua está desactualizada.',
  'Desactualizada a partir de (s)',
);
export const quoteAge = field(
  seconds,
  'Age of the quote, in seconds.',
  'Edad de la cotización, en segundos.',
  'Edad (s)',
);

export const marketId = z
  .string()
  .meta({ ...said('Id of the market.', 'Id del mercado.', 'Mercado'), example: 'reference' });

/** Names for a description, each marked as code. */
export const codeList = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const marketType = field(
  z.string(),
  `Type of market: ${codeList(MARKET_TYPES)}; new ones may appear.`,
  `Tipo de mercado: ${codeList(MARKET_TYPES)}; puede haber nuevos.`,
  'Tipo',
);

export const base = field(
  z.enum(BASES),
  'The quoted currency.',
  'La moneda que se cotiza.',
  'Divisa',
);

export const valueDate = field(
  day,
  'Value date of an official rate, in Caracas; absent for other markets.',
  'Fecha valor de una tasa oficial, en Caracas; ausente en los demás mercados.',
  'Fecha valor',
);

/** The range of an answer. */
export const firstDay = field(
  day,
  'First day of the range, included.',
  'Primer día del rango, incluido.',
  'Desde',
);
export const lastDay = field(
  day,
  'Last day of the range, included.',
  'Último día del rango, incluido.',
  'Hasta',
);

export const count = field(
  z.int().nonnegative(),
  'How many items the list has.',
  'Cuántos elementos tiene la lista.',
  'Cantidad',
);

export const stale = field(
  z.boolean(),
  'Whether the quote is older than the maximum age of its market.',
  'Si la cotización supera la edad máxima de su mercado.',
  'Desactualizada',
);

export const currency = field(
  z.string(),
  'Three-letter code of the currency.',
  'Código de tres letras de la moneda.',
  'Moneda',
);

export const percent = field(
  z.number(),
  'The difference in percent, with 4 decimals.',
  'La diferencia en porcentaje, con 4 decimales.',
  'Variación (%)',
);

export const rateChange = field(
  z.object({
    amount: field(
      z.number(),
      'The difference in VES; negative when the rate fell.',
      'La diferencia en VES; negativa si la tasa bajó.',
      'Variación (Bs.)',
    ),
    percent,
  }),
  'Difference from the earlier rate; absent when there is none.',
  'Diferencia con la tasa anterior; ausente si no hay una anterior.',
);

export const money = z
  .object({
    currency,
    amount: field(z.number(), 'The amount, in that currency.', 'El monto, en esa moneda.', 'Monto'),
  })
  .meta({ title: 'Money' });
