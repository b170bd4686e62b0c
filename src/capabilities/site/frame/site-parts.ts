/** The parts of the site, in the order of the navigation. */
export const SITE_PARTS = [
  { path: '/', name: 'board' },
  { path: '/console', name: 'console' },
  { path: '/docs', name: 'docs' },
  { path: '/methodology', name: 'methodology' },
  { path: '/status', name: 'status' },
] as const;

export type SitePart = (typeof SITE_PARTS)[number]['name'];

/** The page of a month of the official rate. It belongs to the board. */
export const MONTH_PATH = '/mes';

/** The part to which a page belongs: itself, or the one above it. */
export function partOf(path: string): SitePart | undefined {
  if (path === MONTH_PATH || path.startsWith(`${MONTH_PATH}/`)) return 'board';
  return SITE_PARTS.find((part) => path === part.path || path.startsWith(`${part.path}/`))?.name;
}
