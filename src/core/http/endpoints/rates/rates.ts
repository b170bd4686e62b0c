import { z } from 'zod';
import { marketInPlan } from '../../../app/access/access.ts';
import { confidenceOf } from '../../../app/confidence.ts';
import { firstStoredDay, pastRates } from '../../../app/past-rates.ts';
import { confidenceView, rateView, staleAtView, standingView } from '../../../app/views.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { notApplicable } from '../../../domain/errors.ts';
import {
  depthOf,
  nothingStoredYet,
  type PastDate,
  pastDepth,
  reachesDay,
  requireDayInDepth,
} from '../../../domain/history/past-dates.ts';
import { changedAt, isStale, type Quote, staleFrom } from '../../../domain/quotes.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { marketText } from '../../pipeline/schemas.ts';
import { oneOf, text } from '../fields.ts';
import { indexView } from '../reference-index.ts';
import { detailedRateSchema, pastRateSchema, rateSchema, ratesSchema } from './forms.ts';
import {
  asOfDayView,
  checkPast,
  maxAgeOf,
  pastDateOf,
  pastFields,
  pastHeaders,
  pastMemo,
  pastModified,
  pastView,
  requireQuote,
  withAsOf,
} from './past-date.ts';
import { appliedView, markedPastView, markedRateView, markupRule, ratesView } from './rate-rows.ts';

const query = z.object({
  ...pastFields,
  markup: text('Tag of a saved markup rule.', 'Etiqueta de un margen guardado.')
    .meta({ example: 'tienda' })
    .optional(),
});

const pastReference = { ...FIGURES.reference, as_of: FIGURES.onSaturday };

const exampleHead = { country: 'VE', currency: 'VES', base: 'USD' };
const exampleMarkup = { kind: 'percent', value: 3.5 };

function marked({ base: _, stale_after_sec: __, ...rate }: typeof FIGURES.parallel, mid: number) {
  return { ...rate, mid_with_markup: mid, markup_applied: exampleMarkup };
}

export const rates = endpoint({
  path: '/v1/fx/rates',
  section: '4.1',
  summary: sentence('All rates', 'Todas las tasas'),
  description: sentence(
    'The quotes of every market in your plan. With `markup`, the service applies a saved rule of your account. With `date`, you get the rates of a day in Caracas, for the markets whose history your plan reaches.',
    'Las cotizaciones de todos los mercados de su plan. Con `markup`, el servicio aplica un margen de su cuenta. Con `date`, recibe las tasas de un día en Caracas, de los mercados a cuyo historial llega su plan.',
  ),
  operation: {
    id: 'listRates',
    tag: 'Rates',
    schema: 'Rates',
    answers: {
      rates: {
        summary: sentence('Every market in the plan', 'Todos los mercados del plan'),
        value: {
          ...exampleHead,
          rates: [
            FIGURES.reference,
            FIGURES.eurReference,
            FIGURES.parallel,
            FIGURES.firstP2p,
            FIGURES.secondP2p,
          ],
          index: FIGURES.index,
          fetched_at: FIGURES.fetchedAt,
        },
      },
      with_markup: {
        summary: sentence('The same with a saved markup rule', 'Lo mismo con un margen'),
        asked: { markup: 'tienda' },
        value: {
          ...exampleHead,
          rates: [marked(FIGURES.parallel, 897.5003), marked(FIGURES.firstP2p, 913.2219)],
          markup_applied: { tag: 'tienda', ...exampleMarkup },
          fetched_at: FIGURES.fetchedAt,
        },
      },
      past_day: {
        summary: sentence(
          'Every market on a Saturday, which has no rate of its own',
          'Todos los mercados un sábado, que no tiene tasa propia',
        ),
        asked: { date: '2026-11-21' },
        value: {
          ...exampleHead,
          rates: [
            pastReference,
            { ...FIGURES.eurReference, as_of: FIGURES.onSaturday },
            {
              ...FIGURES.parallel,
              as_of: { date: '2026-11-21', business_day: false, captured_at: FIGURES.parallelAt },
            },
          ],
          as_of: { date: '2026-11-21', rule: 'value_date', business_day: false },
          fetched_at: FIGURES.fetchedAt,
        },
      },
    },
  },
  scope: 'rates',
  restsOnQuotes: true,
  query,
  check: ({ input, now, services }) => checkPast(input, { now, services }),
  featureOf: ({ markup }) => (markup === undefined ? undefined : 'markup'),
  answer: ratesSchema,
  // The snapshot's base does not apply to every row (§2.3).
  encoding: { root: 'rates', rows: 'rates', unrepeated: ['base'], inHeader: ['unit_changes'] },
  headers: pastHeaders,
  errors: [
    'markup_not_found',
    'history_out_of_retention',
    'resource_not_found',
    'rate_not_published',
  ],
  maxAgeSec: maxAgeOf(5),
  memo(input, _, { now }) {
    if (input.markup !== undefined) return undefined;
    const pastDate = pastDateOf(input);
    return pastDate === undefined ? '' : pastMemo(pastDate, now);
  },
  handle(call) {
    const { snapshot, caller, services, input } = call;
    const pastDate = pastDateOf(input);
    if (pastDate !== undefined) return pastSnapshot(call, pastDate);
    const included = snapshot.quotes.filter(({ market }) =>
      marketInPlan(services.plans, caller.plan, market),
    );
    const ofIndex = snapshot.index?.used.flatMap(({ quotes }) => quotes) ?? [];
    call.restsOn([...included, ...ofIndex]);
    const index = snapshot.index && indexView(snapshot.index, call);
    if (input.markup === undefined) return ratesView(call, included.map(rateView), { index });
    const rule = markupRule(caller, input.markup);
    const marked = included.map((quote) => markedRateView(quote, rule));
    return ratesView(call, marked, { index, ...appliedView(rule) });
  },
});

export const rateByMarket = endpoint({
  path: '/v1/fx/rates/:market',
  section: '4.2',
  summary: sentence('Rate by market', 'Tasa de un mercado'),
  description: sentence(
    'With `date`, the rate of a day in Caracas: for an official market, the rate in force on that day; for any other, the last capture before the day ended. History uses UTC days instead.',
    'Con `date`, la tasa de un día en Caracas: de un mercado oficial, la que regía ese día; de los demás, la última captura antes de que terminara el día. El historial, en cambio, usa días UTC.',
  ),
  operation: {
    id: 'getRate',
    tag: 'Rates',
    schema: 'Rate',
    answers: {
      ...oneExample('A P2P market, by its id', 'Un mercado P2P, por su id', FIGURES.firstP2p),
      past_day: {
        summary: sentence(
          'The official rate on a Saturday, which has none of its own',
          'La tasa oficial un sábado, que no tiene tasa propia',
        ),
        asked: { market: 'reference', date: '2026-11-21' },
        value: pastReference,
      },
    },
    parameters: { market: 'binance' },
  },
  scope: 'rates',
  restsOnQuotes: true,
  query: z.object({
    market: marketText,
    details: oneOf(
      ['true', 'false'],
      '`true` adds when the rate becomes stale, its source, how many sources agree and any held reading. Not with `date`.',
      '`true` agrega cuándo la tasa queda desactualizada, su fuente, cuántas fuentes coinciden y la lectura retenida, si hay una. No con `date`.',
    ).optional(),
    ...pastFields,
  }),
  market: ({ market }) => ({ name: market, field: 'market' }),
  check({ input, now, services }, market) {
    checkPast(input, { now, market, services });
    if (input.details === 'true' && input.date !== undefined) {
      throw notApplicable(
        'details',
        'details describes the current rate only: leave out date.',
        'El parámetro `details` es solo para la tasa actual: no envíe `date`.',
      );
    }
  },
  answer: z.union([rateSchema, detailedRateSchema, pastRateSchema]),
  encoding: { root: 'rate', inHeader: ['unit_changes'] },
  headers: pastHeaders,
  errors: ['history_out_of_retention', 'rate_not_published'],
  maxAgeSec: maxAgeOf(5),
  memo(input, market, { now }) {
    // A record may become held without a new snapshot.
    if (input.details === 'true') return undefined;
    const pastDate = pastDateOf(input);
    if (pastDate === undefined) return market?.id;
    const past = pastMemo(pastDate, now);
    return past && `${market?.id} ${past}`;
  },
  lastModified(answer, call) {
    if ('as_of' in answer) return pastModified(answer, call);
    const { snapshot, market } = call;
    const quote = snapshot.quoteOf(market);
    if (quote === undefined) return snapshot.changedAt;
    return 'stale' in answer && answer.stale ? staleFrom(quote) : changedAt(quote);
  },
  handle(call) {
    const pastDate = pastDateOf(call.input);
    if (pastDate !== undefined) return pastView(call, pastDate, rateView);
    const quote = requireQuote(call);
    return call.input.details === 'true' ? detailedRate(quote, call) : rateView(quote);
  },
});

async function detailedRate(quote: Quote, { services, now }: Pick<Call, 'services' | 'now'>) {
  const confidence = (await confidenceOf([quote], services, now)).get(quote.market);
  return {
    ...rateView(quote),
    stale_at: staleAtView(quote),
    stale: isStale(quote, now),
    in_doubt: quote.inDoubt,
    ...standingView(quote),
    ...(confidence && confidenceView(confidence)),
  };
}

/**
 * The rates of a past day, for the markets whose history in the plan includes the day.
 * @throws ApiError `history_out_of_retention` when there is no such market, `rate_not_published`,
 *   or `resource_not_found` when nothing is stored that early.
 */
async function pastSnapshot(
  call: Call<{ readonly markup?: string | undefined }>,
  pastDate: PastDate,
) {
  const { input, caller, services, now } = call;
  const included = services.markets.list.filter((market) =>
    marketInPlan(services.plans, caller.plan, market),
  );
  const reached = included.filter((market) =>
    reachesDay(depthOf(caller.plan, market), pastDate.date, now),
  );
  if (reached.length === 0) {
    requireDayInDepth(pastDepth(caller.plan, services.plans, included), pastDate.date, now);
  }
  const rule = input.markup === undefined ? undefined : markupRule(caller, input.markup);
  const pastQuotes = await pastRates(reached, pastDate, { ...services, now });
  if (pastQuotes.length === 0)
    throw nothingStoredYet(await firstStoredDay(reached, services.store));
  const as_of = asOfDayView(pastDate, call);
  if (rule === undefined) return ratesView(call, pastQuotes.map(withAsOf(rateView)), { as_of });
  const marked = withAsOf(markedPastView(rule, pastDate, call));
  return ratesView(call, pastQuotes.map(marked), { ...appliedView(rule), as_of });
}
