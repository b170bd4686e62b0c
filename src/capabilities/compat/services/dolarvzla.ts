import { z } from 'zod';
import { changeOf } from '../../../core/domain/official.ts';
import type { Quote } from '../../../core/domain/quotes.ts';
import { isoInstant } from '../../../core/domain/time.ts';
import { officialFigure, p2pFigures, required, shown } from '../figures.ts';
import { addressesWith, type ForeignCall, spanishRefusal } from '../foreign-endpoint.ts';
import { caracasDay, rowsOfRange } from '../official-table.ts';
import { quoteOfDayBefore } from '../previous-day.ts';

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

const SIDES = ['buy', 'sell', 'average'] as const;

function usdtView({ ask, bid, mid, updatedAt }: Pick<Quote, 'ask' | 'bid' | 'mid' | 'updatedAt'>) {
  return { buy: ask, sell: bid, average: mid, date: isoInstant(updatedAt) };
}

async function usdt(call: ForeignCall) {
  const isBinance = ({ quote }: { readonly quote: Quote }) =>
    quote.market.criptoyaName === 'binancep2p';
  const figures = p2pFigures(call).filter(isBinance);
  const quote = required(shown(call, figures, (figure) => figure.quote));
  const current = usdtView(quote);
  const previous = usdtView((await quoteOfDayBefore(call, quote)) ?? quote);
  const changes = SIDES.flatMap((side) => {
    const [now, from] = [current[side], previous[side]];
    return now && from ? [[side, changeOf(now, { from }).percent]] : [];
  });
  return { current, previous, changePercentage: Object.fromEntries(changes) };
}

const range = z.object({ from: caracasDay.optional(), to: caracasDay.optional() });

/** The official rates of a range by value date, newest first. */
async function officialList(call: ForeignCall<z.output<typeof range>>) {
  const rows = await rowsOfRange(call, ['USD', 'EUR'], call.input);
  return {
    rates: rows.map(({ date, rates: { USD: usd, EUR: eur } }) => ({ date, usd, eur })).reverse(),
  };
}

export const dolarvzlaAddresses = [
  ...['/bcv/current.json', '/public/exchange-rate', '/public/bcv/exchange-rate'].map((path) =>
    at(path, { official: true, memo: true, handle: official }),
  ),
  ...['/public/exchange-rate/list', '/public/bcv/exchange-rate/list'].map((path) =>
    at(path, {
      scope: 'history',
      query: range,
      official: true,
      long: true,
      days({ rates }: Awaited<ReturnType<typeof officialList>>, { input: { to } }) {
        const first = rates.at(-1);
        return first && { from: first.date, to };
      },
      handle: officialList,
    }),
  ),
  at('/public/usdt/exchange-rate', { handle: usdt }),
];
