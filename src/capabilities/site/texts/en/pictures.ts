import type { PICTURE_ES } from '../es/pictures.ts';

export const PICTURE_EN: typeof PICTURE_ES = {
  since: 'In force since',
  from: 'From',
  on: 'Rate of',
  read: 'Read (Caracas time)',
  rate: 'Rate',
  source: 'Market',
  none: 'No figures',
  stale: 'Out of date: do not charge with it',
  maybeNewer: 'There may be a newer rate',
  demo: 'Demonstration: not the rates of today',
  parts: {
    board: ['Bolívar rates', 'BCV, parallel and P2P, with their date and source'],
    console: ['Console', 'Your plan, your keys and your usage'],
    docs: ['Documentation', 'The rates of the bolívar in your program'],
    methodology: ['Methodology', 'How each figure is calculated'],
    status: ['Service status', 'Are the rates up to date?'],
  },
};
