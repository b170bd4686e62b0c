import type { HOME_ES, MISSING_ES } from '../es/small-pages.ts';

export const HOME_EN: typeof HOME_ES = {
  title: 'vesfx: Venezuelan bolívar exchange rates',
  description: 'Exchange rates of the Venezuelan bolívar over HTTP.',
  heading: 'Venezuelan bolívar exchange rates',
  lead: 'vesfx tells over HTTP how many bolívares (VES) a dollar or a euro is worth: at the central bank, on the parallel market, in P2P trades, remittances, exchange houses and cash.',
  more: 'It converts amounts, compares markets, keeps history, and computes a weighted average. Results are for information: the service makes no payments and exchanges no currency.',
  ask: 'Make a request',
  key: 'Ask the operator of this service for a key.',
  readOn: 'Read more',
  reference: 'Documentation',
  referenceAbout: 'Guides, recipes, and every endpoint with its parameters, answers and errors.',
  methodology: 'Methodology',
  methodologyAbout: 'How each figure is calculated, above all the index.',
  openApiAbout: 'The reference of the API, for programs.',
};

export const MISSING_EN: typeof MISSING_ES = {
  title: 'There is no such page',
  near: 'Did you look for this one?',
  advice: 'Check the address, or go on from here:',
  board: ['Rates', "Today's and those of other days, with a converter."],
  docs: ['Documentation', 'The API, its guides and its recipes.'],
  status: ['Status', 'See whether the rates are up to date.'],
};
