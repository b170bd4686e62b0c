import type { Language, Texts } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../../core/http/framework/encoding/markup.ts';
import { MARK_PATH } from '../../frame/icon.ts';
import { PICTURE_TEXTS } from '../../texts/texts.ts';

/** The size that chats show without cropping. */
export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;
/** Chats round the corners and lay marks upon the edges: all that matters is inside of this. */
export const PICTURE_MARGIN = 64;
const INNER_WIDTH = PICTURE_WIDTH - 2 * PICTURE_MARGIN;

/** The dark colours of the pages. */
export const PICTURE_COLOURS = {
  ground: '#0d2328',
  line: '#2a444a',
  curve: '#143037',
  bright: '#f2fafa',
  quiet: '#a9c2c4',
  accent: '#7fe0d4',
  late: '#f0c06a',
  lateGround: '#3b300f',
} as const;

/** Widths of letters in Inter, in shares of the size; the letters of a kind are at most as wide. */
const NARROW = { 500: 0.3, 700: 0.33 } as const;
const WIDE = { 500: 0.62, 700: 0.67 } as const;
const CAPITAL = { 500: 0.78, 700: 0.82 } as const;

/** At least as wide as the text is drawn. */
export function textWidth(text: string, size: number, weight: 500 | 700): number {
  const shares = [...text].map((letter) => {
    if (/[\s.,:;·'’|ijl()]/.test(letter)) return NARROW[weight];
    return /[\p{Lu}mw%+=−@&]/u.test(letter) ? CAPITAL[weight] : WIDE[weight];
  });
  return size * shares.reduce((sum, share) => sum + share, 0);
}

/** The size in which a text fits, at most `size`. */
export function fitting(
  text: string,
  { size, weight, width = INNER_WIDTH }: { size: number; weight: 500 | 700; width?: number },
): number {
  return Math.min(size, Math.floor((size * width) / textWidth(text, size, weight)));
}

interface Writing {
  readonly x?: number;
  readonly y: number;
  readonly size: number;
  readonly weight?: 500 | 700;
  readonly colour?: string;
  /** The text is made smaller to fit into it. */
  readonly width?: number;
}

/** A line of text. */
export function line(text: string, writing: Writing): Html {
  const { x = PICTURE_MARGIN, y, weight = 500, colour = PICTURE_COLOURS.quiet, width } = writing;
  const size = fitting(text, { size: writing.size, weight, width: width ?? INNER_WIDTH });
  return html`<text x=${x} y=${y} font-size=${size} font-weight=${weight} fill=${colour}>${text}</text>`;
}

/** The largest size of the one figure of a picture, and how much smaller its unit is. */
const LARGE = 176;
const UNIT_SHARE = 0.5;

/** Where the large figure stands. */
const FIGURE_BASELINE = 376;

/** The large figure: `Bs. 15.134,17`, its unit smaller and in the colour of the site. One in doubt is quiet. */
export function largeFigure(text: string, isInDoubt = false): Html {
  const figure = /−?\d[\d.,\u00a0]*/.exec(text)?.[0].trim() ?? text;
  const [before = '', after = ''] = text.split(figure).map((unit) => unit.trim());
  const unitWidth = textWidth(`${before}${after}`, LARGE * UNIT_SHARE, 700) + LARGE * 0.2;
  const whole = textWidth(figure, LARGE, 700) + unitWidth;
  const size = Math.min(LARGE, Math.floor((LARGE * INNER_WIDTH) / whole));
  const unit = (shown: string, dx: number) =>
    shown !== '' &&
    html`<tspan dx=${dx} font-size=${size * UNIT_SHARE} letter-spacing="0" fill=${PICTURE_COLOURS.accent}>${shown}</tspan>`;
  const gap = size * 0.16;
  return html`<text x=${PICTURE_MARGIN} y=${FIGURE_BASELINE} font-size=${size} font-weight="700" letter-spacing=${-0.03 * size} fill=${isInDoubt ? PICTURE_COLOURS.quiet : PICTURE_COLOURS.bright}>${unit(before, 0)}<tspan dx=${before === '' ? 0 : gap}>${figure}</tspan>${unit(after, gap)}</text>`;
}

/** A label above its value. */
export interface PictureEntry {
  readonly label: string;
  readonly value: string;
  readonly colour?: string;
}

/** Up to three entries side by side, below a line. */
export function entries(list: readonly PictureEntry[], y: number): Html {
  const { line: ruled, bright } = PICTURE_COLOURS;
  const width = INNER_WIDTH / list.length - 24;
  return html`<path d="M${PICTURE_MARGIN} ${y}H${PICTURE_WIDTH - PICTURE_MARGIN}" stroke=${ruled} stroke-width="2" />${list.map(
    ({ label, value, colour = bright }, position) => {
      const x = PICTURE_MARGIN + (position * INNER_WIDTH) / list.length;
      return [
        line(label, { x, y: y + 50, size: 28, width }),
        line(value, { x, y: y + 98, size: 38, weight: 700, colour, width }),
      ];
    },
  )}`;
}

const NOTICE_WIDTHS: Texts<number> = { es: 520, en: 510 };

/** A picture with the mark and the name of the site above its content. */
export function framed(
  content: Html,
  { language, isDemo }: { readonly language: Language; readonly isDemo: boolean },
): string {
  const { ground, bright, accent, late, lateGround } = PICTURE_COLOURS;
  const width = NOTICE_WIDTHS[language];
  const right = PICTURE_WIDTH - PICTURE_MARGIN;
  const notice =
    isDemo &&
    html`<rect x=${right - width} y="48" width=${width} height="48" rx="24" fill=${lateGround} /><text x=${right - width / 2} y="81" font-size="26" text-anchor="middle" fill=${late}>${PICTURE_TEXTS[language].demo}</text>`;
  return markupOf(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}" font-family="Inter" font-weight="500"><rect width=${PICTURE_WIDTH} height=${PICTURE_HEIGHT} fill=${ground} /><path transform="translate(58 47) scale(2.1)" d=${MARK_PATH} fill="none" stroke=${accent} stroke-width="3" stroke-linecap="round" stroke-linejoin="round" /><text x="124" y="86" font-size="40" font-weight="700" letter-spacing="-.8" fill=${bright}>vesfx</text>${notice}${content}</svg>`,
  );
}
