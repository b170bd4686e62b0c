import type { BOARD_FILE_ES, BoardTexts, HERO_ES, MARKET_ES } from '../es/board.ts';

export const BOARD_EN: BoardTexts = {
  title: 'Bolívar exchange rates: BCV, parallel and P2P · vesfx',
  description:
    'Official dollar and euro rates, parallel, P2P and premium, each figure with its time. Converter and history.',
  heading: 'Bolívar exchange rates',
  cutOff: (time) => `Offline · figures of ${time}`,
  cutOffSince: (time) => `Offline · figures of ${time}`,
  empty: 'There are no figures yet.',
  emptyMore: 'They will appear here as soon as there are any.',
  official: 'Official rate',
  officialNames: { USD: 'BCV dollar', EUR: 'BCV euro' },
  perUnit: { USD: 'Bs. per dollar', EUR: 'Bs. per euro' },
  inForceSince: (day) => `In force since ${day}`,
  noneInForce: 'None in force yet.',
  ofDay: (day) => `Of ${day}`,
  lateHeading: (isAll, days) => {
    const since = days === 1 ? 'of yesterday' : `${days} days old`;
    return isAll
      ? `Do not charge with these figures: the official one is ${since}.`
      : `Do not charge with the official rate: it is ${since}.`;
  },
  lateMore: (day, missed) => {
    const one = missed === 1 ? ', and a publication of the BCV is missing' : '';
    const many = missed > 1 ? `, and ${missed} publications of the BCV are missing` : one;
    return `It is that of ${day}${many}. Check the one of today at bcv.org.ve.`;
  },
  seeStatus: 'See the status',
  maybeNewer: 'there may be a newer one',
  maybeNewerAbout: 'Without a connection nobody knows whether the BCV published another one',
  sourceBcv: 'Banco Central de Venezuela',
  sourceBcvShort: 'BCV',
  sourcePushed: 'pushed by the operator',
  sourceSimulated: 'simulated',
  sourceShifted: 'real figure of another date',
  sourcePushedShort: 'operator',
  notConfirmed: 'not confirmed',
  parallel: 'Parallel',
  p2pMedian: 'USDT (P2P)',
  p2pMarkets: (count) =>
    count === 1 ? '“Binance dollar”, of one market' : `“Binance dollar”: median of ${count}`,
  p2pStale: (count) => `${count} out of date`,
  index: 'Weighted average',
  indexParts: { bcv: 'official', paralelo: 'parallel', p2p: 'P2P' },
  indexFlags: {
    bcv_stale: 'without the official rate, which is out of date',
    degraded: 'with few P2P markets',
    outliers_excluded: 'without outliers',
  },
  indexWithout: (parts: string) => `without ${parts}`,
  indexStale: (parts: string) => `with figures out of date: ${parts}`,
  indexInDoubt: (parts: string) => `with unconfirmed figures: ${parts}`,
  premium: 'Premium',
  premiumAbout: 'Parallel over official',
  points: 'pts',
  lastDay: '24 h',
  convert: 'Convert with this rate',
  none: 'No recent figure',
  stale: 'out of date',
  lasting: 'for',
  staleAbout: 'Its source usually has a newer one',
  since: (day) => `since ${day}`,
  currencies: 'Other currencies of the BCV',
  currenciesAbout: 'Official rates, in bolívares per unit.',
  currency: 'Currency',
  currencyNames: { CNY: 'Yuan', TRY: 'Turkish lira', RUB: 'Ruble' },
  inForce: 'In force',
  changed: 'Change',
  nextRate: 'Next',
  banks: 'Banks',
  banksAbout: (day) =>
    `Bank rates for the dollar, ${day}. Source: Banco Central de Venezuela, first read`,
  bank: 'Bank',
  bankSimulated: 'simulated',
  bankBuys: 'Buys (Compra)',
  bankSells: 'Sells (Venta)',
  date: 'Date',
  noBanks: 'There are no bank rates yet.',
  api: {
    heading: 'The same figures in your program',
    about:
      'Rates, conversions and history over HTTP, with the value date and the age of each figure.',
    docs: 'Read the documentation',
  },
  unitChange: (day, factor) => `From ${day} on, one new bolívar is ${factor} old ones.`,
};

export const HERO_EN: typeof HERO_ES = {
  today: (day) => `Today, ${day}`,
  tomorrow: (day) => `Tomorrow, ${day}`,
  holiday: 'bank holiday',
  sinceToday: 'in force since today',
  withoutToday: 'without the rate of today',
  lateOf: (day, days) => `Of ${day}: ${days === 1 ? 'yesterday' : `${days} days ago`}`,
  ruling: (day) => `in force since ${day}`,
  lastKnown: (day) => `the last known one is of ${day}`,
  next: 'Next rate',
  noNext: 'Not published by the BCV yet',
  nextBy: (time) => `Expected before ${time}`,
  nextOverdue: 'Not received yet',
  nextUnknown: 'Not known while offline',
  before: (day) => `vs. ${day}`,
  /** A link to the table of every day. */
  month: 'See the month',
  lastDays: (days) => `Last ${days} days`,
  curve: (days, from, to) => `Official rate of the last ${days} days: from ${from} to ${to} today`,
  curveLate: (day, from, to) => `Official rate: from ${from} to ${to}; no data from ${day} on`,
  curveNext: (rate, day) => `, and ${rate} from ${day}`,
  now: 'today',
};

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

export const MARKET_EN: typeof MARKET_ES = {
  heading: 'Markets',
  columns: {
    market: 'Market',
    rate: 'Rate',
    buy: 'You buy at',
    sell: 'You sell at',
    premium: 'Premium',
    age: 'Updated',
  },
  kinds: 'Show',
  kindNames: {
    all: 'All',
    reference: 'BCV',
    parallel: 'Parallel',
    p2p: 'P2P',
    remittance: 'Remittances',
    exchange_house: 'Exchange houses',
    cash: 'Cash',
  },
  allPer: 'Bolívares per unit of the currency. The premium is over the BCV dollar.',
  openRows: 'Press a row to see where its figure is from. Times are in Caracas.',
  origin: 'Origin',
  originOf: (name) => `Where the figure is from: ${name}`,
  missing: 'no recent figure',
  missingAbout: 'Its last figure is too old, or its source gives none',
  inDoubt: 'unconfirmed',
  inDoubtAbout: 'No other source confirms it, or one shows another figure',
  frozen: 'not changing',
  frozenAbout: (moment) => `The same figure since ${moment}: its source may have stopped`,
  newerHeld: 'Latest reading held',
  wholeRate: 'All its decimals',
  source: 'Source',
  observed: 'Read',
  confirmed: 'Confirmations',
  sources: (count, percent) =>
    count === 1
      ? 'Only one source has it'
      : `${count} independent sources agree (within ${percent}%)`,
  later: 'Later readings',
  held: (time, why) => `The reading of ${time} is held${because(why)}`,
  notHeld: 'None is held',
  sides: 'Buying and selling',
  history: 'See its history',
};

export const BOARD_FILE_EN: typeof BOARD_FILE_ES = {
  sheet: 'Rates',
  columns: {
    market: 'Market',
    base: 'Currency',
    date: 'Date',
    rate: 'Rate (Bs.)',
    open: 'Open',
    high: 'High',
    low: 'Low',
    gap_percent: 'Premium (%)',
    updated_at: 'Updated (UTC)',
    captured_at: 'Captured (UTC)',
    value_date: 'Value date',
    next_banking_day: 'Next banking day',
    next_banking_day_rate: 'Rate of the next banking day (Bs.)',
  },
};
