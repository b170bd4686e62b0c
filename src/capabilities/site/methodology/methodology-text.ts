import { AMOUNT_DECIMALS } from '../../../core/domain/calculations/convert.ts';
import {
  BCV_STALE_AFTER_SEC,
  DEGRADED_P2P_COUNT,
  INDEX_VERSION,
  INDEX_WEIGHTS,
  MAX_P2P_DEVIATION,
} from '../../../core/domain/calculations/reference-index.ts';
import { MAX_RAW_POINTS } from '../../../core/domain/history/history.ts';
import { RECORDS, RELEASES, RULES } from '../../../core/domain/judgement/rules.ts';
import type { JudgementRule } from '../../../core/domain/judgement.ts';
import type { Market, Markets } from '../../../core/domain/markets.ts';
import type { Language, Texts } from '../../../core/domain/words/language.ts';
import { readProductText } from '../../../core/product-files.ts';
import { countText, exactText, numberText } from '../frame/format.ts';
import { markdownTable } from '../text/markdown.ts';
import { MARKET_TYPE_TEXTS, METHODOLOGY_TEXTS } from '../texts/texts.ts';

/** The settings of a service that the text shows. */
export interface MethodologyFacts {
  readonly markets: Markets;
  readonly rules: readonly JudgementRule[];
}

const FILES: Texts<string> = { es: 'methodology.es.md', en: 'methodology.md' };

const SECONDS = { min: 60, h: 3600 };

/** A figure with the comment that names it: `1.3<!--quote_ratio-->`, `10<!--span_sec min-->`. */
const FIGURE = /[\w.,]*\d(?=<!--([\w.]+)(?: (min|h))?-->)/g;
/** The place of a figure in a sentence of a rule: `{quote_ratio}`, `{confirming_span_sec min}`. */
const PLACE = /\{([\w.]+)(?: (min|h))?\}/g;
/** A table between `<!--name-->` and `<!--/name-->`. */
const TABLE = /(<!--(markets|rules|judgement)-->\n)[\s\S]*?(<!--\/\2-->)/g;

/**
 * The methodology in Markdown, with the markets and numbers of this service. Comments name each figure
 * and table that is filled in. A number that a `judgement.json` of an earlier release does not have
 * stays as packaged.
 */
export function methodologyText(language: Language, facts: MethodologyFacts): string {
  const figures = figuresIn(language, facts.rules);
  const tables = {
    markets: () => marketTable(facts.markets.list, language),
    rules: () => ruleTable(figures, language),
    judgement: () => judgementTable(facts.rules, language),
  };
  return readProductText(`docs/${FILES[language]}`)
    .replaceAll(TABLE, (_, start: string, name: keyof typeof tables, end: string) =>
      [start, tables[name](), end].join('\n'),
    )
    .replaceAll(FIGURE, (packaged, name: string, unit?: keyof typeof SECONDS) => {
      const value = figures.get(name);
      return value === undefined ? packaged : figureText(value, unit, language);
    });
}

function figureText(
  value: number | string,
  unit: keyof typeof SECONDS | undefined,
  language: Language,
): string {
  if (typeof value === 'string') return value;
  return exactText(unit === undefined ? value : value / SECONDS[unit], language);
}

type Figures = ReadonlyMap<string, number | string>;

/** Writes numbers in the way of the language and texts unchanged. */
function figuresIn(language: Language, rules: readonly JudgementRule[]): Figures {
  const weights = Object.entries(INDEX_WEIGHTS).map(
    ([name, weight]) =>
      [`weight.${name}`, numberText(Number(weight), language, { min: 2, max: 2 })] as const,
  );
  const judged = rules.flatMap(({ name, value }) =>
    typeof value === 'number'
      ? [[name, value] as const]
      : Object.entries(value).map(([part, one]) => [`${name}.${part}`, one] as const),
  );
  return new Map<string, number | string>([
    ...weights,
    ...judged,
    ['version', INDEX_VERSION],
    ['bcv_stale', BCV_STALE_AFTER_SEC],
    ['deviation_percent', Number(MAX_P2P_DEVIATION) * 100],
    ['degraded_count', DEGRADED_P2P_COUNT],
    ['amount_decimals', AMOUNT_DECIMALS],
    ['max_raw_points', MAX_RAW_POINTS],
  ]);
}

function marketTable(markets: readonly Market[], language: Language): string {
  return tableOf(
    METHODOLOGY_TEXTS[language].markets,
    markets.map((market) => [
      `\`${market.id}\``,
      language === 'es' ? market.name : market.nameEn,
      MARKET_TYPE_TEXTS[language][market.type],
      market.base,
      countText(market.staleAfterSec, language),
      ageInWords(market.staleAfterSec),
      market.dropAfterSec === undefined ? '—' : ageInWords(market.dropAfterSec),
    ]),
  );
}

/**
 * What each rule holds, and what releases it. A rule with a number that a `judgement.json` of an
 * earlier release does not have does not apply, and is left out.
 */
function ruleTable(figures: Figures, language: Language): string {
  const isKnown = (text: string) =>
    [...text.matchAll(PLACE)].every(([, name = '']) => figures.has(name));
  const filled = (text: string) =>
    text.replaceAll(PLACE, (_, name: string, unit?: keyof typeof SECONDS) =>
      figureText(figures.get(name) ?? '', unit, language),
    );
  return tableOf(
    METHODOLOGY_TEXTS[language].rules,
    RULES.flatMap(({ code, cases }) =>
      cases.map(({ record, seen, release }) => [
        `\`${code}\``,
        RECORDS[record][language],
        seen[language],
        RELEASES[release].words[language],
      ]),
    )
      .filter((cells) => cells.every(isKnown))
      .map((cells) => cells.map(filled)),
  );
}

function judgementTable(rules: readonly JudgementRule[], language: Language): string {
  const texts = METHODOLOGY_TEXTS[language];
  const valueText = (value: JudgementRule['value']): string => {
    if (typeof value === 'number') return exactText(value, language);
    const types: Readonly<Record<string, string>> = MARKET_TYPE_TEXTS[language];
    const parts = Object.entries(value).map(([name, one]) => [
      types[name] ?? name,
      exactText(one, language),
    ]);
    const [[, low = ''] = [], [, high = ''] = []] = parts;
    return Array.isArray(value)
      ? texts.range(low, high)
      : parts.map((part) => part.join(' ').replaceAll(' ', '\u00a0')).join('<br>');
  };
  return tableOf(
    texts.judgement,
    rules.map(({ name, value, reason }) => [`\`${name}\``, valueText(value), reason[language]]),
  );
}

const tableOf = (labels: readonly string[], rows: readonly (readonly string[])[]) =>
  `${markdownTable({ label: '', columns: labels.map((label) => ({ label })), rows })}\n`;

/** Seconds in the largest unit that is whole: `132 h`, `15 min`. */
export function ageInWords(seconds: number): string {
  if (seconds % SECONDS.h === 0) return `${seconds / SECONDS.h} h`;
  return seconds % SECONDS.min === 0 ? `${seconds / SECONDS.min} min` : `${seconds} s`;
}
