/** What pages load: each name has its file under `browser/`, or is a stylesheet. */
export const SCRIPTS = ['theme', 'board', 'console'] as const;
export const STYLES = ['pages', 'board', 'uplot', 'console'] as const;

export type AssetName = `${(typeof SCRIPTS)[number]}.js` | `${(typeof STYLES)[number]}.css`;

/** The addresses under which this version's files lie. */
export type Assets = (name: AssetName) => string;
