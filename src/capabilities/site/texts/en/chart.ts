import type { ChartTexts } from '../es/chart.ts';

const YEAR_DAYS = 365;

export const CHART_EN: ChartTexts = {
  heading: 'History',
  about:
    'Close of each day at 20:00 in Caracas, in bolívares. An official rate holds until the next one.',
  needsScript: 'The chart needs JavaScript. You can download the same data as CSV or Excel.',
  markets: 'Markets',
  more: 'More',
  range: 'Period',
  days: (count) => (count === YEAR_DAYS ? '1 year' : `${count} d`),
  premium: 'Premium',
  premiumOf: (name) => `Premium: ${name} over BCV`,
  noPremium: 'No premium: choose a market in dollars that is not official.',
  drawing: 'Drawing',
  lines: 'Lines',
  candles: 'Candles',
  candlesAre: (name) =>
    `Candles (${name}): open, high, low and close of each day. Hollow if the rate rose, filled if it fell; a dash if the day had one reading.`,
  noCandles: (days) => `Candles: only up to ${days} days and with a market that is not official.`,
  opens: 'open',
  highest: 'high',
  lowest: 'low',
  closes: 'close',
  highestShort: 'high',
  lowestShort: 'low',
  ofDays: ' of the day',
  files: { csv: 'Download CSV', xlsx: 'Download for Excel (XLSX)' },
  /** A link to the table of the month. */
  month: 'Official rate of each day of the month',
  keys: 'Chart: use the arrow keys to move through the days, + and − to zoom. The table has the same data.',
  zoomOut: 'Show the whole period',
  zoomed: 'The table and the files have the whole period.',
  failed: 'The history could not be loaded. We keep trying.',
  nothing: 'There is no data for this period.',
  noMarket: 'Choose at least one market to see the chart.',
  showFirst: (names) => `Show ${names}`,
  tooMany: (most) => `At most ${most} markets at once: remove one to choose another.`,
  newUnit: 'new bolívar',
  inTodaysUnit: 'Earlier figures are in the bolívares of today.',
  table: 'The same data as a table',
  tableAbout:
    'Here an official rate is repeated for each day on which it holds. In the files the column “Value date” says of which day it is.',
  day: 'Day',
  newest: 'Latest figures',
  off: 'This service shows no history.',
};
