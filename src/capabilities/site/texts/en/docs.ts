import type {
  DocsTexts,
  GUIDE_ES,
  MARKET_TABLE_ES,
  METHODOLOGY_ES,
  SAMPLE_ES,
  SEARCH_ES,
  START_ES,
  SUMMARY_ES,
} from '../es/docs.ts';

export const DOCS_EN: DocsTexts = {
  title: 'Documentation · vesfx',
  description:
    'vesfx guides and reference: every endpoint with its parameters, answers and errors.',
  heading: 'Documentation',
  groups: {
    start: 'Get started',
    guides: 'Guides',
    recipes: 'Recipes',
    switching: 'Switching',
    account: 'Account',
    operator: 'Operator',
    reference: 'Reference',
  },
  neighbours: 'Other pages',
  prev: 'Previous',
  next: 'Next',
  errorsAndLimits: 'Errors and limits',
  errorsAndLimitsAbout: 'Every error code, and the limits of each plan.',
  lead: {
    title: 'The rates of the bolívar, in one HTTP request',
    about: 'Official, parallel and P2P, each figure with its value date, its age and its source.',
    first: 'First request',
    tryIt: 'Try it in the console',
    noKey: 'Without a key or an installation:',
    calculator: 'the calculator',
    staticCopy: 'a static copy',
    or: 'and, if there is one,',
    withKey:
      'For the rest, the key that the operator of the service gives; the console of a demonstration shows some.',
  },
  needs: 'What do you need?',
  allGuides: 'All guides',
  allEndpoints: 'All endpoints',
  showList: 'Show the list',
  reference: 'API reference',
  markdown: 'This page as Markdown',
  contents: 'Contents',
  toContents: 'Back to the contents',
  start: 'How to request',
  addressesTitle: 'Addresses',
  addresses: 'The addresses of the reference start with',
  programs: 'The same reference for programs',
  plans: 'Plans',
  plansAbout:
    'Units and limits belong to the account; its keys share them. Some markets also need a higher plan.',
  marketPlans: 'The plan of each market',
  plan: 'Plan',
  noLimit: 'no limit',
  yes: 'yes',
  no: 'no',
  noAddresses: 'This service does not have these addresses.',
  errors: 'Errors',
  errorsAbout:
    'Every error of the API has the same form; only at the addresses of other services it has theirs, and a browser that opens an address that does not exist gets a page. `field` and `details` appear only when they apply. The message is in Spanish where `Accept-Language` prefers it, else in English, and may change: your program must decide by `code`.',
  rules: 'What a value broke',
  rulesAbout:
    'Every 400 about a value says in `details.rule` what was broken. New words may appear.',
  rule: 'Word',
  errorsOf: 'Errors of',
  headers: 'Response headers',
  header: 'Header',
  example: 'Example',
  code: 'Code',
  status: 'Status',
  meaning: 'Meaning',
  parameters: 'Parameters',
  parametersOf: 'Parameters of',
  name: 'Name',
  places: { path: 'path', header: 'header' },
  type: 'Type',
  field: 'Field',
  required: 'required',
  sometimes: 'sometimes',
  otherAnswers: 'Other answers',
  key: 'your key',
  body: 'Body',
  bodyFields: 'Fields of the body',
  answer: 'Answer',
  answerFields: 'Fields of the answer',
  operator: 'operator',
  withoutKey: 'without a key',
  everyPlan: 'every plan',
  fromPlan: 'from',
  free: 'free of charge',
  scope: 'scope',
  oneUnit: '1 unit',
  tryIt: 'Try it in the console',
  types: {
    or: 'or',
    listOf: 'list of',
    names: { 'date-time': 'timestamp' },
    plurals: { string: 'strings', number: 'numbers', object: 'objects', date: 'dates' },
  },
};

export const SUMMARY_EN: typeof SUMMARY_ES = {
  summary:
    'Exchange rates of the Venezuelan bolívar (VES) over HTTP: BCV rate, parallel dollar, P2P, remittances and cash; conversions, history, an index and banking days. Every request needs a key in the header X-API-Key.',
  guides: 'Guides',
  reference: 'Reference',
  referenceTitle: 'API reference',
  referenceAbout: 'every endpoint with its parameters, an example, its errors and its cost',
  openApiAbout: 'the same as an OpenAPI 3.1 document',
  allAbout: 'all of this in one file',
  pages: 'Optional',
  methodology: 'Methodology: how each figure is calculated',
  status: 'Status of the sources, as JSON',
};

export const MARKET_TABLE_EN: typeof MARKET_TABLE_ES = {
  label: 'Markets',
  name: 'Name',
  aliases: 'Aliases',
  type: 'Type',
  base: 'Currency',
  fresh: 'Stale after',
  none: 'none',
  allPlans: 'all',
};

export const SEARCH_EN: typeof SEARCH_ES = {
  label: 'Search the documentation',
  hint: 'Search',
  keyHint: 'Search (press /)',
  results: 'Results',
  wholePage: 'Page',
  searching: 'Searching…',
  none: 'Nothing was found. Try another word, or look at the list of pages.',
  failed: 'The search could not be loaded. Try again.',
};

export const SAMPLE_EN: typeof SAMPLE_ES = {
  answer: 'Answer with sample data',
  text: 'Text',
  /** Closes a section for which the service has not all figures. */
  demonstration:
    'The figures of this section are those of the demonstration, of Friday 20 November 2026: this service has none for it.',
  /** @param friday The day of the service's own figures, if it has some. */
  figures: (friday: string | undefined) =>
    friday === undefined
      ? 'The figures of the samples are those of the demonstration, of Friday 20 November 2026.'
      : `The figures of the samples are those that this service has for Friday ${friday} and around it. A section with those of the demonstration says so.`,
};

export const METHODOLOGY_EN: typeof METHODOLOGY_ES = {
  description: 'How vesfx makes the index and every other figure.',
  markets: [
    'Market',
    'Name',
    'Type',
    'Currency',
    'Threshold (seconds)',
    'Stale after',
    'Shown until',
  ],
  rules: ['Code', 'Record', 'Held when', 'Released by'],
  judgement: ['Name', 'Value', 'Reason'],
  range: (low, high) => `${low} to ${high}`,
  rows: (count) => `show the ${count} rows`,
};

export const START_EN: typeof START_ES = {
  invoice: {
    title: 'The rate of an invoice',
    about: 'Which BCV rate is in force on a day, holidays and weekends included.',
  },
  sheet: {
    title: 'Google Sheets and Excel',
    about: 'A function for cells, or a formula without a script.',
  },
  shop: {
    title: 'A shop',
    about: 'WooCommerce, Odoo or your own page, with prices in bolívares.',
  },
  curve: {
    title: 'History',
    about: 'Series, candles and downloads, as far back as your plan reaches.',
  },
  change: {
    title: 'Switch from another service',
    about: 'dolarapi, pydolarve, CriptoYa, Frankfurter: change only the address.',
  },
  code: {
    title: 'API reference',
    about: 'Every endpoint with its parameters, its answers and its errors.',
  },
};

export const GUIDE_EN: typeof GUIDE_ES = {
  'first-request': 'With curl, JavaScript, Python and PHP.',
  'invoice-rate':
    'Which BCV rate is in force, since when, that of a past day, and how to store it.',
  markets: 'Ids, names and aliases, and which plan includes each one.',
  history: 'Series, UTC days, spreadsheets, and how far back each plan reaches.',
  errors: 'What each one means, and when to retry.',
  limits: 'Units, plans, and how to use fewer units.',
  markups: 'Your own margin on the rates.',
  'public-keys': 'Keys that others may see: Google Sheets and web pages.',
  'board-data': 'The figures of the board, without a key, for any page.',
  stream: 'Each change of a rate at once, over a connection that stays open.',
  webhooks: 'Signed messages to your program when a rate is published or changes.',
  assistants: 'Rates for Claude, VS Code, Cursor and other assistants that speak MCP.',
  'google-sheets': 'A function for cells, or a formula without a script.',
  'month-end':
    'Revaluation (revalorización, cierre de mes) of foreign currency: VLOOKUP (BUSCARV), difference, rounding.',
  excel: 'The history of a market in a table of Excel.',
  pandas: 'The history and the rate of each invoice in a table of Python.',
  odoo: 'An add-on that fills the currency rates of each company.',
  woocommerce:
    'A plugin: prices, orders and refunds with their rate, and the rate in a post of WordPress.',
  till: 'A point of sale that charges right without a network, with its change.',
  'php-invoice': 'Each invoice in SQLite with its rate, value date, rule and evidence.',
  'js-shop': 'Prices, and refunds at the rate of their order.',
  website: 'An element of HTML that shows the rate with its age.',
  client: 'The typed client for JavaScript and TypeScript.',
  examples: 'A client of one file for Python, and one for PHP.',
  'switch-from-dolarapi': 'The same addresses with another base, and what changes.',
  'switch-from-pydolarve': 'Its pages and monitors, now that its domain no longer exists.',
  'switch-from-criptoya': 'USDT in bolívares on each platform.',
  'switch-from-frankfurter': 'The BCV rates in its format, also for ERPNext.',
  'switch-from-er-api':
    '`rates.VES` and `conversion_rates.VES`, with one of your keys in the address.',
  'switch-from-dolarvzla': 'The official rate, the one before and the change; USDT at Binance.',
  'switch-from-rafnixg': 'The official dollar of today, of a day and of a range.',
  'switch-from-yadio': 'The parallel dollar and its conversions.',
  'switch-from-bcvapi': '`tasa` and `fecha` of the official dollar and euro.',
  'switch-from-bcvtoday': 'All currencies of the BCV, with their history.',
  'switch-from-exchangedyn': 'The official dollar in its format.',
  'switch-from-dolartoday': 'The parallel dollar in the format of a service that no longer exists.',
  'switch-from-fawazahmed0': 'The official rates in the format of its CDN.',
  'switch-from-hosted': 'The same interface with another base address.',
  'self-hosting': 'Install the service and run it.',
};

/** The element `<vesfx-rate>` on its page. */
export const EMBED_EN = {
  now: 'This is how it looks, with the rates of this service:',
  line: 'In a sentence (line):',
  sign: "On a shop's screen (sign):",
  product: 'Claw hammer, USD 12.50 at',
  states: 'Examples: the figures of now, which this page takes for old ones or doubtful ones.',
  label: 'BCV dollar',
  needsScript: 'The element needs JavaScript.',
};
