import { OFFICIAL_USD, PARALLEL_MARKET } from '../../../domain/markets.ts';
import type { BoardFigures } from '../../../web/board/board-figures.ts';
import { newerRateFrom } from '../../../web/board/staleness.ts';
import { momentText, percentText, rateText, shortDay } from '../../../web/frame/format.ts';
import { inBoth, type Language } from '../../../web/frame/language.ts';
import { Canvas, type Rgb } from '../../pages/picture/canvas.ts';
import { type Segment, strokesOf } from '../../pages/picture/strokes.ts';

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

/** The preview picture of a link to the board: the rates and their time. */
export function boardPicture(
  figures: BoardFigures,
  { language, isDemo }: { readonly language: Language; readonly isDemo: boolean },
): Buffer {
  const texts = TEXTS[language];
  const canvas = new Canvas(WIDTH, HEIGHT, GROUND);
  const write = (text: string, y: number, size: number, colour: Rgb, x = LEFT) => {
    // The font lacks the minus sign and the non-breaking space.
    const plain = text.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');
    canvas.stroke(strokesOf(plain, { x, y, size }), size / 7, colour);
  };
  canvas.stroke(MARK, 12, ACCENT);
  write('vesfx', 62, 46, BRIGHT, 200);
  if (isDemo) write(texts.notToday, 72, 26, LATE, 440);
  const find = (id: string) => figures.rates.find(({ market }) => market === id);
  const [dollar, parallel] = [find(OFFICIAL_USD), find(PARALLEL_MARKET)];
  if (dollar === undefined) {
    write(texts.none, 260, 60, QUIET);
    return canvas.png();
  }
  write(texts.dollar, 180, 34, QUIET);
  write(rateText(dollar.mid, language), 250, 130, BRIGHT);
  const day = dollar.effective_date ?? dollar.updated_at.slice(0, 10);
  const newerFrom = newerRateFrom(OFFICIAL_USD, figures);
  const isReplaced = newerFrom !== undefined && Date.parse(figures.as_of) >= newerFrom;
  const doubt = isReplaced ? texts.maybeNewer : dollar.stale ? texts.stale : undefined;
  const since = `${texts.since} ${shortDay(day, language)}`;
  if (doubt === undefined) write(since, 425, 28, QUIET);
  else write(`${since}, ${doubt}`, 425, 24, LATE);
  if (parallel !== undefined) {
    const premium =
      figures.gap && `   ${texts.premium} ${percentText(figures.gap.spread.percentage, language)}`;
    write(`${texts.parallel} ${rateText(parallel.mid, language)}${premium ?? ''}`, 495, 34, BRIGHT);
    const moment = `${momentText(Date.parse(parallel.updated_at), language)} ${texts.caracas}`;
    const late = parallel.stale ? `, ${texts.stale}` : '';
    write(moment + late, 560, 24, parallel.stale ? LATE : QUIET);
  }
  return canvas.png();
}
