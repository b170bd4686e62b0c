import { z } from 'zod';
import { type BankTable, judgeBankRows, OTHER_CURRENCIES } from '../../domain/bcv.ts';
import { ERRORS } from '../../domain/errors/error-codes.ts';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { isoInstant } from '../../domain/time.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { endpoint } from '../routing/endpoint.ts';
import { oneExample } from '../routing/operation.ts';
import { day, timestamp, ves } from '../routing/schemas.ts';
import { fieldGroup, flag, natural, optional, rowsOf, text } from './fields.ts';

const NO_TABLE = sentence(
  'No table of banks is stored yet.',
  'Todavía no hay guardada ninguna tabla de bancos.',
);

/** The error while nothing of the central bank is stored. */
export function nothingPublished(message: Sentence): ApiError {
  return new ApiError('bcv_snapshot_unavailable', { details: { reason: 'no_data' }, message });
}

const publicationReadAt = timestamp.describe('When the service read the publication.');

export const bankTableSchema = z.object({
  indicator_date: day.describe('The day of the publication.'),
  bank_rates: rowsOf('A row for each bank, those of the day first.', 'Bank rate', {
    bank: text('Name of the bank, as published.'),
    buy: optional(ves, 'VES that the bank pays per dollar; absent when not published.'),
    sell: optional(ves, 'VES that the bank charges per dollar; absent when not published.'),
    date: day.describe('The day that the row is for.'),
    stale: flag('Whether the row is from a day other than the publication.'),
    days_behind: natural('Days between the row and the publication.'),
  }),
  captured_at: publicationReadAt,
});

function exampleBank(rates: object, date: string, days_behind: number) {
  return { ...rates, date, stale: days_behind > 0, days_behind };
}

export const listBankRates = endpoint({
  path: '/v1/fx/bcv/banks',
  section: '4.10',
  summary: "The central bank's table of banks",
  description:
    'The rates at which each bank buys and sells USD. Source: Banco Central de Venezuela.',
  operation: {
    id: 'listBankRates',
    tag: 'Central bank',
    schema: 'BankTable',
    answers: oneExample('A row of the day and an older one', {
      indicator_date: '2026-11-20',
      bank_rates: [
        exampleBank({ bank: 'Banesco', buy: 888.1, sell: 889.9 }, '2026-11-20', 0),
        exampleBank({ bank: 'Banco Exterior', buy: 885.2, sell: 887.05 }, '2026-11-19', 1),
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

const otherRates = fieldGroup('The official rates of the publication, by currency.', {
  EUR: optional(ves, 'VES per euro; absent when not published.'),
  CNY: optional(ves, 'VES per Chinese yuan; absent when not published.'),
  TRY: optional(ves, 'VES per Turkish lira; absent when not published.'),
  RUB: optional(ves, 'VES per Russian rouble; absent when not published.'),
});

export const listBcvCurrencies = endpoint({
  path: '/v1/fx/bcv/currencies',
  section: '4.11',
  summary: "The central bank's other currencies",
  description:
    'The latest captured publication; its value date may be in the future. Source: Banco Central de Venezuela.',
  operation: {
    id: 'listBcvCurrencies',
    tag: 'Central bank',
    schema: 'BcvCurrencies',
    answers: oneExample('Published on a Friday for Tuesday: Monday is a bank holiday', {
      reference_value_date: '2026-11-24',
      reference_value_date_text: 'Martes, 24 Noviembre 2026',
      rates: { EUR: 1031.2214, CNY: 125.0911, TRY: 21.0534, RUB: 11.0287 },
      captured_at: FIGURES.publishedAt,
    }),
  },
  scope: 'official',
  answer: z.object({
    reference_value_date: day.describe('The value date; it may be in the future.'),
    reference_value_date_text: text('The value date in words, as published.'),
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
