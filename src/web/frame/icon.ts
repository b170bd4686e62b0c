/** The mark of the site, as SVG. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<rect width="16" height="16" rx="3" fill="#0a5a8c"/>' +
  '<path d="M4 4l4 8 4-8" fill="none" stroke="#fff" stroke-width="2"/></svg>';

/** Its colour, which browsers give to their own frame. */
export const THEME_COLOR = '#0a5a8c';
