/** The mark of the site: a line that rises, on a grid of 24 by 24. */
export const MARK_POINTS = [
  [3, 17],
  [9, 9],
  [13, 14],
  [21, 4],
] as const;

/** The same as the path of an SVG. */
export const MARK_PATH = `M${MARK_POINTS.map((point) => point.join(' ')).join(' ')}`;

/** The colour of the icons, which browsers give to their own frame. */
export const THEME_COLOR = '#0b6666';

/** The icon as SVG: a smaller mark on a rounded square. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
  `<rect width="24" height="24" rx="5" fill="${THEME_COLOR}"/>` +
  `<path transform="translate(3.12 4.23) scale(.74)" d="${MARK_PATH}" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
