import type {
  CODE_ES,
  LAYOUT_ES,
  MARKET_TYPE_ES,
  StateTexts,
  TIME_ES,
  WEEKDAYS_ES,
} from '../es/frame.ts';

export const LAYOUT_EN: typeof LAYOUT_ES = {
  skip: 'Skip to the content',
  site: 'Site',
  board: 'Rates',
  console: 'Console',
  docs: 'Docs',
  docsShort: 'Docs',
  methodology: 'Methodology',
  status: 'Status',
  footer:
    'Information, not an offer: the service makes no payments and exchanges no currency. The official rates are those of the Banco Central de Venezuela, which takes no part in this service.',
  otherLanguage: 'Español',
  theme: 'Appearance',
  themeSystem: 'Automatic',
  themeLight: 'Light',
  themeDark: 'Dark',
  printed: 'printed on',
};

export const CODE_EN: typeof CODE_ES = {
  copy: 'Copy the code',
  copied: 'Copied',
  failed: 'Could not copy: the text is selected.',
  language: 'Language of the examples',
};

export const STATE_EN: StateTexts = {
  verdict: {
    ok: 'The figures are up to date.',
    degraded: 'Some figures are not up to date.',
    failing: 'These figures are not up to date: check them before you use them.',
  },
  since: (moment) => `since ${moment} (Caracas time)`,
  details: 'See the status of the sources',
};

export const MARKET_TYPE_EN: typeof MARKET_TYPE_ES = {
  reference: 'official',
  parallel: 'parallel',
  p2p: 'P2P',
  remittance: 'remittance',
  exchange_house: 'exchange house',
  cash: 'cash',
};

export const WEEKDAYS_EN: typeof WEEKDAYS_ES = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

export const TIME_EN: typeof TIME_ES = {
  months: 'January February March April May June July August September October November December',
  date: (day, month, year) => `${day} ${month} ${year}`,
  month: (month, year) => `${month} ${year}`,
  days: 'days',
  ago: (duration) => `${duration} ago`,
};
