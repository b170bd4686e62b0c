import { OFFICIAL_USD, PARALLEL_MARKET } from '../../../domain/markets.ts';
import type { BoardFigures, ConvertibleRate } from '../../../web/board/board-figures.ts';
import { CONVERTER_TEXTS } from '../../../web/board/converter/converter-texts.ts';
import type { sharedConversion } from '../../../web/board/converter/share-tags.ts';
import { datedRates, rateStaleFrom } from '../../../web/board/staleness.ts';
import { momentText, percentText, rateText, shortDay } from '../../../web/frame/format.ts';
import { inBoth, type Language } from '../../../web/frame/language.ts';
import { Canvas, type Rgb } from './canvas.ts';
import { lineOf, type Segment } from './strokes.ts';

/** The size that chats show without cropping. */
const WIDTH = 1200;
const HEIGHT = 630;
const LEFT = 80;

const GROUND: Rgb = [13, 35, 40];
const BRIGHT: Rgb = [240, 248, 248];
const QUIET: Rgb = [169, 194, 196];
const ACCENT: Rgb = [127, 224, 212];
const LATE: Rgb = [240, 192, 106];

const TEXTS = inBoth({
  es: {
    dollar: 'Dólar BCV, Bs.',
    since: 'Vigente desde el',
    on: 'Tasa del',
    parallel: 'Paralelo',
    premium: 'Brecha',
    none: 'Sin cifras',
    caracas: 'hora de Caracas',
    stale: 'desactualizada',
    maybeNewer: 'puede haber una nueva',
    notToday: 'Demo: no son las tasas de hoy',
  },
  en: {
    dollar: 'BCV dollar, Bs.',
    since: 'In force since',
    on: 'Rate of',
    parallel: 'Parallel',
    premium: 'Premium',
    none: 'No figures',
    caracas: 'Caracas time',
    stale: 'out of date',
    maybeNewer: 'there may be a newer one',
    notToday: 'Demo: not the rates of today',
  },
});

const MARK: readonly Segment[] = [
  { x1: 80, y1: 108, x2: 110, y2: 72 },
  { x1: 110, y1: 72, x2: 130, y2: 94 },
  { x1: 130, y1: 94, x2: 166, y2: 50 },
];

/** Sizes of the large figure, so that the longest one fits into the picture. */
const LARGE_SIZES = [130, 96, 72, 54, 40];

/** The preview picture of a link to the board: the linked conversion, or the rates; and their time. */
export function boardPicture(
  figures: BoardFigures,
  {
    language,
    isDemo,
    conversion,
  }: {
    readonly language: Language;
    readonly isDemo: boolean;
    readonly conversion: ReturnType<typeof sharedConversion>;
  },
): Buffer {
  const texts = TEXTS[language];
  const canvas = new Canvas(WIDTH, HEIGHT, GROUND);
  const write = (text: string, y: number, size: number, colour: Rgb, x = LEFT) => {
    // The font lacks the minus sign and the non-breaking space.
    const plain = text.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');
    canvas.write(plain, { x, y, size }, colour);
  };
  const writeLarge = (text: string) => {
    const fits = (size: number) => lineOf(text, size).width <= WIDTH - 2 * LEFT;
    write(text, 250, LARGE_SIZES.find(fits) ?? Math.min(...LARGE_SIZES), BRIGHT);
  };
  /** The time of a rate, and whether it is out of date. */
  const writeTime = (rate: ConvertibleRate, y: number) => {
    const { as_of: past, effective_date: day, newer_from: newerFrom } = rate;
    if (past !== undefined) {
      const unit = rate.unit_changes ? `, ${CONVERTER_TEXTS[language].inItsUnit}` : '';
      return write(`${texts.on} ${shortDay(past.date, language)}${unit}`, y, 28, QUIET);
    }
    const asOf = Date.parse(figures.as_of);
    const isReplaced = newerFrom !== undefined && asOf >= Date.parse(newerFrom);
    const isStale = asOf >= rateStaleFrom(rate);
    const time =
      day === undefined
        ? `${momentText(Date.parse(rate.updated_at), language)} ${texts.caracas}`
        : `${texts.since} ${shortDay(day, language)}`;
    if (!isReplaced && !isStale) return write(time, y, 24, QUIET);
    write(`${time}, ${isReplaced ? texts.maybeNewer : texts.stale}`, y, 24, LATE);
  };
  canvas.stroke(MARK, 12, ACCENT);
  write('vesfx', 62, 46, BRIGHT, 200);
  if (isDemo) write(texts.notToday, 72, 26, LATE, 440);
  if (conversion !== undefined) {
    write(`${conversion.left} =`, 180, 34, QUIET);
    writeLarge(conversion.right);
    write(conversion.name, 425, 34, BRIGHT);
    writeTime(conversion.rate, 495);
    return canvas.png();
  }
  const rates = datedRates(figures);
  const find = (id: string) => rates.find(({ market }) => market === id);
  const [dollar, parallel] = [find(OFFICIAL_USD), find(PARALLEL_MARKET)];
  if (dollar === undefined) {
    write(texts.none, 260, 60, QUIET);
    return canvas.png();
  }
  write(texts.dollar, 180, 34, QUIET);
  writeLarge(rateText(dollar.mid, language));
  writeTime(dollar, 425);
  if (parallel !== undefined) {
    const premium =
      figures.gap && `   ${texts.premium} ${percentText(figures.gap.spread.percentage, language)}`;
    write(`${texts.parallel} ${rateText(parallel.mid, language)}${premium ?? ''}`, 495, 34, BRIGHT);
    writeTime(parallel, 560);
  }
  return canvas.png();
}
