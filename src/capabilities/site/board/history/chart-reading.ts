import type { Language } from '../../../../core/domain/words/language.ts';
import { capitalised, weekdayText } from '../../frame/format.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import { type ChartData, figureColumns } from './chart-data.ts';

const NONE = '–';

/**
 * Words of a market's name that a phone has no room for: nearly every market is one of dollars. The buttons
 * of the converter have the same short names.
 */
const LEFT_OUT = /^Dólar |(?<=\w) dollar$| P2P$|, (?:dólar|dollar)$|^BCV, (?=euro$)/;

export const shortName = (name: string) => capitalised(name.replace(LEFT_OUT, ''));

/** The figures of a day: of each line, of the parts of a candle, and of the premium. */
export function figuresOn(
  { rates, premium }: ChartData,
  at: number,
  { language, isNarrow = false }: { readonly language: Language; readonly isNarrow?: boolean },
) {
  return [...rates, ...(premium ? [premium] : [])].flatMap((line) => {
    const name = isNarrow ? shortName(line.name) : line.name;
    const columns = figureColumns(line, language);
    return columns.map(({ part, values }, place) => {
      const value = values[at] ?? undefined;
      const text = value === undefined ? NONE : line.write(value, language);
      const isNamed = place === 0 && !isNarrow;
      const whose = part === undefined ? name : isNamed ? `${shortName(name)}, ${part}` : part;
      return { name: whose, colour: line.colour, text };
    });
  });
}

/**
 * The day that is read. The last one has no close yet, and in the evening of Caracas its name is that of
 * tomorrow: its figures are the newest ones.
 */
export function dayOn({ days }: ChartData, at: number, language: Language): string {
  const isNewest = at === days.length - 1;
  return isNewest ? CHART_TEXTS[language].newest : weekdayText(days[at] ?? '', language);
}

/** The same in a sentence, for those who hear it. */
export function spokenReading(data: ChartData, at: number, language: Language): string {
  const figures = figuresOn(data, at, { language }).map(({ name, text }) => `${name} ${text}`);
  return `${dayOn(data, at, language)}: ${figures.join(', ')}`;
}
