import { moneyText, rateText, weekdayText } from '../../frame/format.ts';
import type { Language } from '../../frame/language.ts';
import type { ChartData, Column } from './chart-data.ts';
import { CHART_TEXTS } from './chart-texts.ts';

const NONE = '–';

/** From here on two decimals are enough where there is little room. */
const SHORT_FROM = 100;

const shortRate = (rate: number, language: Language) =>
  rate < SHORT_FROM ? rateText(rate, language) : moneyText(rate, language);

/** The figures of a day: of each line, of the parts of a candle, and of the premium. */
export function figuresOn(
  { rates, premium }: ChartData,
  at: number,
  { language, isNarrow = false }: { readonly language: Language; readonly isNarrow?: boolean },
) {
  const { opens, highest, lowest } = CHART_TEXTS[language];
  const read = rates.flatMap(({ name, colour, values, candle }) => {
    const row = (rowName: string, column: Column) => {
      const value = column[at] ?? undefined;
      const write = isNarrow ? shortRate : rateText;
      return { name: rowName, colour, text: value === undefined ? NONE : write(value, language) };
    };
    if (candle === undefined) return [row(name, values)];
    const { open, high, low } = candle;
    return [row(name, values), row(opens, open), row(highest, high), row(lowest, low)];
  });
  const value = premium?.values[at] ?? undefined;
  if (premium === undefined || value === undefined) return read;
  const { name, colour, write } = premium;
  return [...read, { name, colour, text: write(value, language) }];
}

/** The same in a sentence, for those who hear it. */
export function spokenReading(data: ChartData, at: number, language: Language): string {
  const figures = figuresOn(data, at, { language }).map(({ name, text }) => `${name} ${text}`);
  return `${weekdayText(data.days[at] ?? '', language)}: ${figures.join(', ')}`;
}
