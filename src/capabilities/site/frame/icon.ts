/** The mark of the site: a line that rises, on a grid of 24 by 24. */
export const MARK_PATH = 'M3 17 9 9 13 14 21 4';

/** The colour of the icons, which browsers give to their own frame. */
export const THEME_COLOR = '#0b6666';

/** Where the mark lies in an icon: its middle, and the share of the width of its grid. */
const GRID = 24;
const MARK_MIDDLE = [12, 10.5] as const;

/** The icon as SVG: the mark, smaller, on a ground whose corners may be round. */
export function iconSvg({ share, corners }: { share: number; corners: number }): string {
  const [left, top] = MARK_MIDDLE.map((middle) => GRID / 2 - share * middle);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${GRID} ${GRID}">` +
    `<rect width="${GRID}" height="${GRID}" rx="${corners}" fill="${THEME_COLOR}"/>` +
    `<path transform="translate(${left} ${top}) scale(${share})" d="${MARK_PATH}" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

/** Share of the icon's width that the mark covers. */
export const MARK_SHARE = 0.74;

export const ICON = iconSvg({ share: MARK_SHARE, corners: 5 });
