/*
 * How <vesfx-rate> looks: with face, colour and size of its page. Only amber is its own, with a ground of its own,
 * because that of the page is unknown. No selector may need the space before a colon: `minify-embed.ts` drops it.
 */
export const STYLE = `
  :host { display: inline-block; max-width: 100%; font: inherit; line-height: 1.4 }
  :host([hidden]) { display: none }
  div { display: grid; grid-template-columns: auto 1fr auto; gap: .125em .5em; align-content: start; align-items: center; box-sizing: border-box; min-width: min(15em, 100%); height: 100%; padding: 1em 1.125em; border: 1px solid #8886; border-radius: .75em; font-variant-numeric: tabular-nums }
  b, small, i, .none strong { grid-column: 1/-1; overflow-wrap: anywhere }
  span, small { font-size: max(13px, .875em) }
  span { font-weight: 600 }
  b { font-size: 1.75em; line-height: 1.25 }
  small { opacity: .8 }
  strong { justify-self: start; padding: 0 .5em; border: 1px solid #8a4b00; border-radius: 1em; background: #fdf0dc; color: #8a4b00; font-size: max(13px, .8125em); font-weight: 600 }
  .late, .doubt { border-color: #b26a00 }
  .doubt, .doubt strong { border-style: dashed }
  .none { border-style: dotted }
  .late strong { background: #8a4b00; color: #fff }
  .late b, .doubt b { opacity: .72 }
  .none strong { padding: 0; border: 0; background: none; color: inherit; font-size: 1.25em }
  i { font-style: normal; font-weight: 600; white-space: pre-line }
  b:empty, small:empty, strong:empty, i:empty, :host(:not([size=sign])) i, :host([size=line]) span { display: none }
  :host([size=line]), :host([size=line]) div { display: inline; padding: 0; border: 0 }
  :host([size=line]) b, :host([size=line]) .none strong { font-size: 1em; line-height: inherit }
  :host([size=sign]) { display: block; container-type: inline-size }
  :host([size=sign]) div { padding: clamp(1em, 4cqi, 4em) }
  :host([size=sign]) span, :host([size=sign]) small, :host([size=sign]) strong { font-size: clamp(1em, 2.2cqi, 3em) }
  :host([size=sign]) b { font-size: clamp(1.5em, 11cqi, 4em); line-height: 1.1 }
  :host([size=sign]) i { font-size: clamp(1.25em, 3.6cqi, 5em) }
  i::first-line { font-size: max(13px, .6em); font-weight: 400 }
  @container (width > 40rem) { i { grid-area: 1/3/4; align-self: end; text-align: right; white-space: pre } b, small { grid-column: 1/3 !important } :host([size=sign]) b { font-size: min(7cqi, 14em); white-space: nowrap } }
`;
