import { z } from 'zod';
import { notFound } from '../../../core/domain/errors.ts';
import { changeOf } from '../../../core/domain/official.ts';
import type { Quote } from '../../../core/domain/quotes.ts';
import { type CaracasDay, isoInstant } from '../../../core/domain/time.ts';
import { marketOfPlan, officialFigure, p2pFigures, required, shown } from '../figures.ts';
import { addressesWith, type ForeignCall, spanishRefusal } from '../foreign-endpoint.ts';
import { caracasDay, rowsOfRange } from '../official-table.ts';
import { quoteOfDayBefore } from '../previous-day.ts';
import { rangeInPlan, seriesWithin } from '../series.ts';

/** The addresses of DolarVzla (contract §12): the official dollar and euro, and USDT at Binance. */

const at = addressesWith(spanishRefusal, { keyHeader: 'x-dolarvzla-key' });

/** Both currencies with their rates before. Without one, the rate is compared with itself. */
function official(call: ForeignCall) {
  const figures = (['USD', 'EUR'] as const).flatMap((code) => officialFigure(call, code));
  const { currency, valueDate: date } = required(shown(call, figures, (figure) => figure));
  const before = call.snapshot.official.get(currency)?.previous?.valueDate ?? date;
  const each = (of: (figure: (typeof figures)[number]) => number) =>
    Object.fromEntries(figures.map((one) => [one.currency.toLowerCase(), of(one)]));
  return {
    current: { ...each(({ rate }) => rate), date },
    previous: { ...each(({ rate, previous = rate }) => previous), date: before },
    changePercentage: each(({ change }) => change?.percent ?? 0),
  };
}

const BINANCE = 'binancep2p';

type Sides = Pick<Quote, 'ask' | 'bid' | 'mid' | 'updatedAt'>;

const usdtView = ({ ask, bid, mid, updatedAt }: Sides) => ({
  ...{ buy: ask, sell: bid, average: mid, date: isoInstant(updatedAt) },
});

async function usdt(call: ForeignCall) {
  const figures = p2pFigures(call).filter(({ quote }) => quote.market.criptoyaName === BINANCE);
  const quote = required(shown(call, figures, (figure) => figure.quote));
  const current = usdtView(quote);
  const previous = usdtView((await quoteOfDayBefore(call, quote)) ?? quote);
  const changes = (['buy', 'sell', 'average'] as const).flatMap((side) => {
    const [now, from] = [current[side], previous[side]];
    return now && from ? [[side, changeOf(now, { from }).percent]] : [];
  });
  return { current, previous, changePercentage: Object.fromEntries(changes) };
}

const query = z.object({ from: caracasDay.optional(), to: caracasDay.optional() });
type RangeCall = ForeignCall<z.output<typeof query>>;

async function officialList(call: RangeCall) {
  const rows = await rowsOfRange(call, ['USD', 'EUR'], call.input);
  return rows.map(({ date, rates: { USD: usd, EUR: eur } }) => ({ date, usd, eur }));
}

/** The last middle of each day. */
async function usdtList(call: RangeCall) {
  const known = call.services.markets.list.find(({ criptoyaName }) => criptoyaName === BINANCE);
  const market = known && marketOfPlan(call, known.id);
  if (market === undefined) throw notFound('unknown_market');
  const rows = await seriesWithin(call, market, rangeInPlan(call, market, call.input));
  return rows.map(({ date, rate: average }) => ({ date, average }));
}

const list = (
  path: string,
  rowsOf: (call: RangeCall) => Promise<readonly { date: CaracasDay }[]>,
) =>
  at(path, {
    scope: 'history',
    ...{ query, long: true, official: rowsOf === officialList || undefined },
    days({ rates }: { readonly rates: readonly { date: CaracasDay }[] }, { input: { to } }) {
      const first = rates.at(-1);
      return first && { from: first.date, to };
    },
    /** Newest first. */
    handle: async (call) => ({ rates: [...(await rowsOf(call))].reverse() }),
  });

export const dolarvzlaAddresses = [
  ...['/bcv/current.json', '/public/exchange-rate', '/public/bcv/exchange-rate'].map((path) =>
    at(path, { official: true, memo: true, handle: official }),
  ),
  list('/public/exchange-rate/list', officialList),
  list('/public/bcv/exchange-rate/list', officialList),
  at('/public/usdt/exchange-rate', { handle: usdt }),
  list('/public/usdt/exchange-rate/list', usdtList),
];
