import { SCRIPT_FOLDERS } from '../browser-scripts.ts';

type Script = keyof typeof SCRIPT_FOLDERS;
export const SCRIPTS = Object.keys(SCRIPT_FOLDERS) as Script[];

/** The stylesheets, each with its files of the site in their order. */
export const STYLE_FILES = {
  pages: ['frame/palette.css', 'frame/pages.css', 'docs/docs.css', 'status/status.css'],
  board: [
    'frame/segments.css',
    'board/board.css',
    'board/hero/hero.css',
    'board/converter/converter.css',
    'board/markets/markets.css',
    'board/chart.css',
  ],
  month: ['frame/segments.css', 'month/month.css'],
  console: ['frame/segments.css', 'console/console.css'],
} as const;
export type AssetName = `${Script}.js` | `${keyof typeof STYLE_FILES}.css`;

/** The addresses of this version's files. */
export type Assets = (name: AssetName) => string;
