import { DOCS_STYLE } from '../docs/style-docs.ts';
import { PAGES_STYLE } from './style-pages.ts';

/** Colours by their use; each has a light and a dark value. */
export const PALETTE = {
  page: ['#ffffff', '#14181b'],
  text: ['#1c2329', '#e2e6e9'],
  quiet: ['#55606a', '#a3adb6'],
  line: ['#dce1e5', '#30383f'],
  edge: ['#8a949d', '#69747e'],
  card: ['#ffffff', '#191e22'],
  selected: ['#0a5a8c22', '#86c5f022'],
  panel: ['#f4f6f7', '#1d2327'],
  accent: ['#0a5a8c', '#86c5f0'],
  notice: ['#fff3d1', '#3a2f0d'],
  'notice-text': ['#4f3a00', '#f6e3ad'],
  'notice-line': ['#d9ac30', '#8a6d1c'],
  up: ['#9a3412', '#f5a97f'],
  down: ['#166534', '#86d9a3'],
  stale: ['#8a4b00', '#f0c06a'],
  'stale-ground': ['#fdf0dc', '#382a12'],
  'series-1': ['#0a5a8c', '#6cb8ec'],
  'series-2': ['#b45309', '#f0a35e'],
  'series-3': ['#157347', '#64c896'],
  'series-4': ['#7c3aa8', '#c698ea'],
  'series-5': ['#a3123f', '#f08aa8'],
  'series-6': ['#4d5a17', '#b7c46a'],
  premium: ['#6b7280', '#9aa4ae'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

function colours(at: 0 | 1): string {
  return Object.entries(PALETTE)
    .map(([name, pair]) => `  --${name}: ${pair[at]};\n`)
    .join('');
}

/** As the system wants it, unless the reader chose; paper is white. */
const COLOURS = `
:root {
  color-scheme: light;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
${colours(0)}}
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme='light']) { color-scheme: dark;
${colours(1)}  }
}
@media screen {
  :root[data-theme='dark'] { color-scheme: dark;
${colours(1)}  }
}
`;

/** The one stylesheet of the pages: they carry no style of their own. */
export const STYLESHEET = (COLOURS + PAGES_STYLE + DOCS_STYLE).trimStart();
