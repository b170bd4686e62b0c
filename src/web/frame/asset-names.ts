/** The scripts that pages load: each stands in the folder `browser/` of its room. */
export const SCRIPTS = ['theme', 'board', 'console'] as const;
export const SCRIPT_ROOMS = { theme: 'frame', board: 'board', console: 'console' } as const;
export const STYLES = ['pages', 'board', 'uplot', 'console'] as const;

export type AssetName = `${(typeof SCRIPTS)[number]}.js` | `${(typeof STYLES)[number]}.css`;

/** The addresses under which this version's files lie. */
export type Assets = (name: AssetName) => string;
