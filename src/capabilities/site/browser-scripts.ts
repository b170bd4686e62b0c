/** The scripts of the pages. Each is in the folder `browser/` of its part of the site. */
export const SCRIPT_FOLDERS = {
  theme: 'frame',
  copy: 'frame',
  paper: 'frame',
  board: 'board',
  'service-worker': 'board',
  console: 'console',
  month: 'month',
  docs: 'docs',
} as const;
