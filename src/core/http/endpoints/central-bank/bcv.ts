import { z } from 'zod';
import { type BankTable, judgeBankRows, OTHER_CURRENCIES } from '../../../domain/bcv.ts';
import { ERRORS } from '../../../domain/errors/error-codes.ts';
import { type Sentence, sentence } from '../../../domain/errors/sentence.ts';
import { ApiError } from '../../../domain/errors.ts';
import { isoInstant } from '../../../domain/time.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import { day, timestamp, ves } from '../../pipeline/schemas.ts';
import { fieldGroup, flag, natural, optional, rowsOf, text } from '../fields.ts';

const NO_TABLE = sentence(
  'No table of banks is stored yet.',
  'Todavía no hay guardada ninguna tabla de bancos.',
);

/** The error while nothing of the central bank is stored. */
export function nothingPublished(message: Sentence): ApiError {
  return new ApiError('bcv_snapshot_unavailable', { details: { reason: 'no_data' }, message });
}

const publicationReadAt = field(
  timestamp,
  'When the service read the publication.',
  'Cuándo leyó la publicación el servicio.',
  'Capturada (UTC)',
);

export const bankTableSchema = z.object({
  indicator_date: field(
    day,
    'The day of the publication.',
    'El día de la publicación.',
    'Fecha del indicador',
  ),
  bank_rates: rowsOf(
    'A row for each bank, those of the day first.',
    'Una fila por cada banco, primero los del día.',
    'Bank rate',
    {
      bank: text('Name of the bank, as published.', 'Nombre del banco, como se publicó.', 'Banco'),
      buy: optional(
        ves,
        'VES that the bank pays per dollar; absent when not published.',
        'VES que el banco paga por un dólar; ausente si no se publicó.',
        'Compra (Bs.)',
      ),
      sell: optional(
        ves,
        'VES that the bank charges per dollar; absent when not published.',
        'VES que el banco cobra por un dólar; ausente si no se publicó.',
        'Venta (Bs.)',
      ),
      date: field(
        day,
        'The day that the row is for.',
        'El día al que corresponde la fila.',
        'Fecha',
      ),
      stale: flag(
        'Whether the row is from a day other than the publication.',
        'Si la fila es de un día distinto del de la publicación.',
        'Desactualizada',
      ),
      days_behind: natural(
        'Days between the row and the publication.',
        'Días entre la fila y la publicación.',
        'Días de atraso',
      ),
    },
  ),
  captured_at: publicationReadAt,
});

function exampleBank(rates: object, date: string, days_behind: number) {
  return { ...rates, date, stale: days_behind > 0, days_behind };
}

export const listBankRates = endpoint({
  path: '/v1/fx/bcv/banks',
  section: '4.10',
  summary: sentence("The central bank's table of banks", 'La tabla de bancos del Banco Central'),
  description: sentence(
    'The rates at which each bank buys and sells USD. Source: Banco Central de Venezuela.',
    'Tasas a las que cada banco compra y vende dólares. Fuente: Banco Central de Venezuela.',
  ),
  operation: {
    id: 'listBankRates',
    tag: 'Central bank',
    schema: 'BankTable',
    answers: oneExample('Two banks of the table', 'Dos bancos de la tabla', {
      indicator_date: '2026-11-20',
      bank_rates: [
        exampleBank({ bank: 'Banesco', buy: 769.9, sell: 771.5 }, '2026-11-20', 0),
        exampleBank({ bank: 'Banco Exterior', buy: 766.2, sell: 768.05 }, '2026-11-19', 1),
      ],
      captured_at: FIGURES.publishedAt,
    }),
  },
  scope: 'official',
  answer: bankTableSchema,
  encoding: { root: 'bank_table', rows: 'bank_rates' },
  errors: ['bcv_snapshot_unavailable'],
  maxAgeSec: 60,
  lastModified: ({ captured_at }) => Date.parse(captured_at),
  memo: () => '',
  handle({ snapshot: { bankTable } }) {
    if (bankTable === undefined) throw nothingPublished(NO_TABLE);
    return bankTableView(bankTable);
  },
});

/** The table in the format of §2.8. */
export function bankTableView(bankTable: BankTable) {
  return {
    indicator_date: bankTable.indicatorDate,
    bank_rates: judgeBankRows(bankTable).map(({ bank, buy, sell, date, stale, daysBehind }) => ({
      bank,
      buy,
      sell,
      date,
      stale,
      days_behind: daysBehind,
    })),
    captured_at: isoInstant(bankTable.capturedAt),
  };
}

const otherRates = fieldGroup(
  'The official rates of the publication, by currency.',
  'Las tasas oficiales de la publicación, por moneda.',
  {
    EUR: optional(
      ves,
      'VES per euro; absent when not published.',
      'VES por un euro; ausente si no se publicó.',
      'EUR (Bs.)',
    ),
    CNY: optional(
      ves,
      'VES per Chinese yuan; absent when not published.',
      'VES por un yuan chino; ausente si no se publicó.',
      'CNY (Bs.)',
    ),
    TRY: optional(
      ves,
      'VES per Turkish lira; absent when not published.',
      'VES por una lira turca; ausente si no se publicó.',
      'TRY (Bs.)',
    ),
    RUB: optional(
      ves,
      'VES per Russian rouble; absent when not published.',
      'VES por un rublo ruso; ausente si no se publicó.',
      'RUB (Bs.)',
    ),
  },
);

export const listBcvCurrencies = endpoint({
  path: '/v1/fx/bcv/currencies',
  section: '4.11',
  summary: sentence("The central bank's other currencies", 'Las otras monedas del Banco Central'),
  description: sentence(
    'The latest captured publication; its value date may be in the future. Source: Banco Central de Venezuela.',
    'La última publicación capturada; su fecha valor puede ser futura. Fuente: Banco Central de Venezuela.',
  ),
  operation: {
    id: 'listBcvCurrencies',
    tag: 'Central bank',
    schema: 'BcvCurrencies',
    answers: oneExample('The last publication', 'La última publicación', {
      reference_value_date: '2026-11-24',
      reference_value_date_text: 'Martes, 24 Noviembre 2026',
      rates: { EUR: 894.49018618, CNY: 114.59868274, TRY: 16.17805313, RUB: 9.34265448 },
      captured_at: FIGURES.publishedAt,
    }),
  },
  scope: 'official',
  answer: z.object({
    reference_value_date: field(
      day,
      'The value date; it may be in the future.',
      'La fecha valor; puede ser futura.',
      'Fecha valor',
    ),
    reference_value_date_text: text(
      'The value date in words, as published.',
      'La fecha valor en palabras, como se publicó.',
      'Fecha valor publicada',
    ),
    rates: otherRates,
    captured_at: publicationReadAt,
  }),
  encoding: { root: 'currencies' },
  errors: ['bcv_snapshot_unavailable'],
  maxAgeSec: 60,
  lastModified: ({ captured_at }) => Date.parse(captured_at),
  memo: () => '',
  handle({ snapshot: { publication } }) {
    if (publication === undefined) {
      throw nothingPublished(ERRORS.bcv_snapshot_unavailable.message);
    }
    return {
      reference_value_date: publication.valueDate,
      // Records without the label use the date as text.
      reference_value_date_text: publication.valueDateText ?? publication.valueDate,
      rates: Object.fromEntries(
        OTHER_CURRENCIES.flatMap((code) => {
          const value = publication.rates[code];
          return value === undefined ? [] : [[code, value]];
        }),
      ),
      captured_at: isoInstant(publication.capturedAt),
    };
  },
});
