import type { Endpoint } from '../routing/endpoint.ts';
import { ACCOUNT_EXAMPLES } from './account-examples.ts';
import { type OperationExample, one } from './operation-example.ts';
import { SERIES_EXAMPLES } from './series-examples.ts';

/**
 * What the generated reference cannot know: good names and answers that look real. Keyed by method
 * and path. The figures of all examples are of one imaginary afternoon and agree with each other. An
 * endpoint whose example shares no figures declares it itself, as `operation`.
 */

const FETCHED_AT = '2026-11-21T03:00:00.000Z';
const P2P_AT = '2026-11-21T02:58:00.000Z';
const PARALLEL_AT = '2026-11-21T02:45:00.000Z';
const OFFICIAL_AT = '2026-11-20T04:00:00.000Z';
const PUBLISHED_AT = '2026-11-20T21:10:00.000Z';

const reference = {
  market: 'reference',
  type: 'reference',
  base: 'USD',
  mid: 889.5754,
  updated_at: OFFICIAL_AT,
  effective_date: '2026-11-20',
  stale_after_sec: 475200,
};

const eurReference = { ...reference, market: 'eur_reference', base: 'EUR', mid: 1029.7725 };

const parallel = {
  market: 'parallel',
  type: 'parallel',
  base: 'USD',
  mid: 940.25,
  updated_at: PARALLEL_AT,
  stale_after_sec: 7200,
};

const firstP2p = {
  market: 'binance',
  type: 'p2p',
  base: 'USD',
  mid: 931.4,
  ask: 932.1,
  bid: 930.7,
  updated_at: P2P_AT,
  stale_after_sec: 900,
};

const secondP2p = { ...firstP2p, market: 'bingx', mid: 929.85, ask: 930.6, bid: 929.1 };

const index = {
  value: 920.2351,
  version: 'v1',
  as_of: FETCHED_AT,
  weights: { bcv: 0.3, paralelo: 0.2, p2p: 0.5 },
  components: { bcv: 889.5754, paralelo: 940.25, p2p: 930.625 },
  p2p_median: 930.625,
  p2p_count: 2,
  flags: { degraded: true },
  methodology_url: 'https://rates.example.net/methodology',
};

/** Saturday the 21st by the rate in force, which is Friday's. */
const onSaturday = {
  date: '2026-11-21',
  rule: 'value_date',
  business_day: false,
  value_date: '2026-11-20',
  captured_at: '2026-11-19T21:12:00.000Z',
  carried_days: 1,
};

const pastReference = { ...reference, as_of: onSaturday };

const envelope = { country: 'VE', currency: 'VES', base: 'USD' };

const markup = { kind: 'percent', value: 3.5 };

function marked({ base: _, stale_after_sec: __, ...rate }: typeof parallel, mid: number) {
  return { ...rate, mid_with_markup: mid, markup_applied: markup };
}

const quotedByReference = {
  rate: 889.5754,
  market: 'reference',
  type: 'reference',
  updated_at: OFFICIAL_AT,
};

function routeEntry({ market, type, mid, updated_at }: typeof parallel) {
  return { market, type, rate: mid, amount: mid * 100, updated_at, staleness_sec: 120 };
}

function onDate(value_date: string, rate: number) {
  return { rate, value_date, effective_at: `${value_date}T04:00:00.000Z` };
}

export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  'GET /v1/fx/rates': {
    operationId: 'listRates',
    schema: 'Rates',
    parameters: { markup: 'tienda' },
    answers: {
      rates: {
        summary: 'Every market of the plan',
        value: {
          ...envelope,
          rates: [reference, eurReference, parallel, firstP2p, secondP2p],
          index,
          fetched_at: FETCHED_AT,
        },
      },
      with_markup: {
        summary: 'The same with a saved markup rule',
        value: {
          ...envelope,
          rates: [marked(parallel, 973.1588), marked(firstP2p, 963.999)],
          markup_applied: { tag: 'tienda', ...markup },
          fetched_at: FETCHED_AT,
        },
      },
      past_day: {
        summary: 'Every market on a Saturday, which has no rate of its own',
        value: {
          ...envelope,
          rates: [
            pastReference,
            { ...eurReference, as_of: onSaturday },
            {
              ...parallel,
              as_of: { date: '2026-11-21', business_day: false, captured_at: PARALLEL_AT },
            },
          ],
          as_of: { date: '2026-11-21', rule: 'value_date', business_day: false },
          fetched_at: FETCHED_AT,
        },
      },
    },
  },
  'GET /v1/fx/rates/:market': {
    operationId: 'getRate',
    schema: 'Rate',
    answers: {
      ...one('A P2P market, by its id', firstP2p),
      past_day: {
        summary: 'The official rate of a Saturday: the one in force, of Friday',
        value: pastReference,
      },
    },
    parameters: { market: 'binance' },
  },
  ...SERIES_EXAMPLES,
  'GET /v1/fx/markets': {
    operationId: 'listMarkets',
    schema: 'Markets',
    answers: one('The start of the catalogue, and a market of a dearer plan', {
      markets: [
        {
          id: 'reference',
          name: 'BCV (USD)',
          type: 'reference',
          base: 'USD',
          aliases: ['bcv', 'oficial'],
          stale_after_sec: 475200,
          available: true,
          required_plan: null,
        },
        {
          id: 'cash',
          name: 'Cash',
          type: 'cash',
          base: 'USD',
          aliases: [],
          stale_after_sec: 86400,
          available: false,
          required_plan: 'Escala',
        },
      ],
    }),
  },
  'GET /v1/fx/convert': {
    operationId: 'convert',
    schema: 'Conversion',
    parameters: { from: 'USD', to: 'VES', amount: '100', via: 'reference', market: 'parallel' },
    answers: {
      ...one('100 USD by the official rate', {
        from: { currency: 'USD', amount: 100 },
        to: { currency: 'VES', amount: 88957.54 },
        ...quotedByReference,
        effective_date: '2026-11-20',
        staleness_sec: 82800,
        stale: false,
      }),
      past_day: {
        summary: '100 USD by the rate of the next business day',
        value: {
          from: { currency: 'USD', amount: 100 },
          to: { currency: 'VES', amount: 88807.54 },
          ...quotedByReference,
          rate: 888.0754,
          updated_at: '2026-11-24T04:00:00.000Z',
          effective_date: '2026-11-24',
          as_of: {
            ...onSaturday,
            rule: 'next_banking_day',
            value_date: '2026-11-24',
            captured_at: PUBLISHED_AT,
            carried_days: 0,
          },
        },
      },
    },
  },
  'POST /v1/fx/bulk/convert': {
    operationId: 'bulkConvert',
    schema: 'BulkConversion',
    bodySchema: 'BulkConversionRequest',
    body: { from: 'USD', to: 'VES', amounts: [10, 25.5] },
    answers: one('Two amounts by the official rate', {
      ...quotedByReference,
      results: [
        { amount: 10, result: 8895.75 },
        { amount: 25.5, result: 22684.17 },
      ],
      total_in: 35.5,
      total_out: 31579.92,
    }),
  },
  'GET /v1/fx/route': {
    operationId: 'compareMarkets',
    schema: 'Route',
    parameters: { from: 'USD', to: 'VES', amount: '100', max_staleness: '900' },
    answers: one('100 USD, quotes of the last 15 minutes', {
      from: { currency: 'USD', amount: 100 },
      direction: 'send',
      best: routeEntry(firstP2p),
      alternatives: [routeEntry(secondP2p)],
      skipped: [
        { market: 'reference', reason: 'not_executable' },
        { market: 'eur_reference', reason: 'currency_mismatch' },
        { market: 'parallel', reason: 'not_executable' },
        { market: 'cash', reason: 'stale' },
      ],
      fetched_at: FETCHED_AT,
    }),
  },
  'GET /v1/fx/index': {
    operationId: 'getIndex',
    schema: 'Index',
    answers: one('An index of few P2P quotes', index),
  },
  'GET /v1/fx/spread': {
    operationId: 'getSpread',
    schema: 'Spread',
    parameters: { against: 'parallel', base: 'USD' },
    answers: one('The free market against the official rate', {
      reference: { market: 'reference', value: 889.5754, updated_at: OFFICIAL_AT },
      compared: { market: 'parallel', value: 940.25, updated_at: PARALLEL_AT },
      spread: { absolute: 50.6746, percentage: 5.7, direction: 'higher' },
      fetched_at: FETCHED_AT,
    }),
  },
  'GET /v1/fx/bcv/banks': {
    operationId: 'listBankRates',
    schema: 'BankTable',
    answers: one('A row of the day and one that is older', {
      indicator_date: '2026-11-20',
      bank_rates: [
        {
          bank: 'Banesco',
          buy: 888.1,
          sell: 889.9,
          date: '2026-11-20',
          stale: false,
          days_behind: 0,
        },
        {
          bank: 'Banco Exterior',
          buy: 885.2,
          sell: 887.05,
          date: '2026-11-19',
          stale: true,
          days_behind: 1,
        },
      ],
      captured_at: PUBLISHED_AT,
    }),
  },
  'GET /v1/fx/bcv/currencies': {
    operationId: 'listBcvCurrencies',
    schema: 'BcvCurrencies',
    answers: one('Published on a Friday for Tuesday: Monday is a bank holiday', {
      reference_value_date: '2026-11-24',
      reference_value_date_text: 'Martes, 24 Noviembre 2026',
      rates: { EUR: 1031.2214, CNY: 125.0911, TRY: 21.0534, RUB: 11.0287 },
      captured_at: PUBLISHED_AT,
    }),
  },
  'GET /v1/fx/official': {
    operationId: 'listOfficialRates',
    schema: 'OfficialRates',
    answers: one('The dollar on a Saturday, when the rate of Tuesday is known', {
      rates: {
        USD: {
          in_force: { ...onDate('2026-11-20', 889.5754), change: { amount: 3.1, percent: 0.3497 } },
          previous: onDate('2026-11-19', 886.4754),
          next: { ...onDate('2026-11-24', 888.0754), change: { amount: -1.5, percent: -0.1686 } },
        },
      },
      fetched_at: FETCHED_AT,
    }),
  },
  'GET /v1/fx/public/calculator': {
    operationId: 'calculate',
    schema: 'Calculation',
    parameters: { amount: '100', from: 'USD', to: 'VES' },
    answers: one('A hundred dollars on every open market', {
      amount: 100,
      from: 'USD',
      to: 'VES',
      results: [
        {
          market: 'reference',
          name: 'BCV, dólar',
          type: 'reference',
          rate: 889.5754,
          result: 88957.54,
          updated_at: OFFICIAL_AT,
          effective_date: '2026-11-20',
          stale: false,
        },
        {
          market: 'eur_reference',
          name: 'BCV, euro',
          type: 'reference',
          base: 'EUR',
          rate: eurReference.mid,
          updated_at: OFFICIAL_AT,
          effective_date: '2026-11-20',
          stale: false,
        },
      ],
      fetched_at: FETCHED_AT,
    }),
  },
  ...ACCOUNT_EXAMPLES,
};

/** The name and the examples of an endpoint, wherever they stand. */
export function exampleOf({ method, path, operation }: Endpoint): OperationExample | undefined {
  return operation ?? OPERATION_EXAMPLES[`${method} ${path}`];
}
