import { moneyText, percentText, rateText, weekdayText } from '../../frame/format.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import type { ChartData } from './chart-data.ts';
import { CHART_TEXTS } from './chart-texts.ts';

export const NONE = '–';

interface ReadFigure {
  readonly name: string;
  readonly text: string;
  /** Position of the series; undefined for the premium. */
  readonly series: number | undefined;
}

/** From here on two decimals are enough where there is little room. */
const SHORT_FROM = 100;

const shortRate = (rate: number, language: Language) =>
  rate < SHORT_FROM ? rateText(rate, language) : moneyText(rate, language);

/** The figures of a day: of each series, of the parts of a candle, and of the premium. */
export function figuresOn(
  data: ChartData,
  at: number,
  { language, isNarrow = false }: { readonly language: Language; readonly isNarrow?: boolean },
): readonly ReadFigure[] {
  const { series, values, candles, compared, premium } = data;
  const texts = CHART_TEXTS[language];
  const write = (value: number | null | undefined) =>
    typeof value === 'number' ? (isNarrow ? shortRate : rateText)(value, language) : NONE;
  const rates = series.flatMap((one, position) => {
    const name = nameIn(one, language);
    const close = { name, text: write(values[position]?.[at]), series: position };
    if (position !== candles?.position) return [close];
    return [
      close,
      { ...close, name: texts.opens, text: write(candles.open[at]) },
      { ...close, name: texts.highest, text: write(candles.high[at]) },
      { ...close, name: texts.lowest, text: write(candles.low[at]) },
    ];
  });
  const gap = compared === undefined ? undefined : premium?.[at];
  if (typeof gap !== 'number') return rates;
  return [...rates, { name: texts.premium, text: percentText(gap, language), series: undefined }];
}

/** The same in a sentence, for those who hear it. */
export function spokenReading(data: ChartData, at: number, language: Language): string {
  const figures = figuresOn(data, at, { language }).map(({ name, text }) => `${name} ${text}`);
  return `${weekdayText(data.days[at] ?? '', language)}: ${figures.join(', ')}`;
}
