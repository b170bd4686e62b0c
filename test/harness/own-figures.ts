import { bankTable, iso, official, quotesAt } from './make.ts';
import { startTestService } from './service.ts';

/** A Sunday at 11:00 in Caracas, when the rate of Monday is published. */
export const SUNDAY = Date.parse('2026-11-29T15:00:00Z');

/** The value dates of a month, each with the day on which its rate was published. */
const VALUE_DATES = [
  ...[
    '2026-10-28',
    '2026-10-29',
    '2026-10-30',
    '2026-11-03',
    '2026-11-04',
    '2026-11-05',
    '2026-11-06',
    '2026-11-09',
  ],
  ...['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16', '2026-11-17'],
  ...['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-24', '2026-11-25', '2026-11-26'],
  ...['2026-11-27', '2026-11-30'],
];

/** When its other markets were read, in hours before its Sunday. */
const READ_HOURS_AGO = [216, 72, 48, 24, 0];

/**
 * A service whose figures are none of the demonstration's: it is its own a week later.
 * @param readHoursAgo None: it has official rates only.
 */
export async function startServiceOfOwn({ readHoursAgo = READ_HOURS_AGO } = {}) {
  const service = await startTestService({ start: SUNDAY });
  const published = VALUE_DATES.slice(1).map((day, place) => {
    const dollar = Math.round((841.2345 + place * 2.5) * 1e4) / 1e4;
    const rates = { USD: dollar, EUR: 1000.125 + place, CNY: 120.5432, TRY: 20.1234, RUB: 10.4321 };
    return official(day, rates, { captured_at: `${VALUE_DATES[place]}T21:10:00.000Z` });
  });
  const hours = readHoursAgo.map((ago) => SUNDAY - ago * 3_600_000);
  await service.push(
    ...published,
    bankTable('2026-11-27', [
      { bank: 'Banco Uno', date: '2026-11-27', buy: 880.5, sell: 890.5 },
      { bank: 'Banco Dos', date: '2026-11-26', buy: 879.5, sell: 889.5 },
    ]),
    ...hours.flatMap((at, place) =>
      quotesAt(at, {
        ...{ parallel: 961.25 + place, cash: 970.5 + place },
        ...{ binance: 981.75 + place, bingx: 982.25 + place, okx: 983.5 + place },
      }),
    ),
  );
  return { ...service, key: await service.keyFor('Escala'), since: iso(SUNDAY) };
}
