import { BOARD_EN, BOARD_FILE_EN, HERO_EN, MARKET_EN } from './en/board.ts';
import { CHART_EN } from './en/chart.ts';
import { CONSOLE_EN } from './en/console.ts';
import { CONVERTER_EN } from './en/converter.ts';
import {
  DOCS_EN,
  EMBED_EN,
  GUIDE_EN,
  MARKET_TABLE_EN,
  METHODOLOGY_EN,
  SAMPLE_EN,
  SEARCH_EN,
  START_EN,
  SUMMARY_EN,
} from './en/docs.ts';
import { CODE_EN, LAYOUT_EN, MARKET_TYPE_EN, STATE_EN, TIME_EN, WEEKDAYS_EN } from './en/frame.ts';
import { MONTH_EN } from './en/month.ts';
import { PICTURE_EN } from './en/pictures.ts';
import { HOME_EN, MISSING_EN } from './en/small-pages.ts';
import { STATUS_EN } from './en/status.ts';
import { SWITCHING_EN } from './en/switching.ts';
import { BOARD_ES, BOARD_FILE_ES, HERO_ES, MARKET_ES } from './es/board.ts';
import { CHART_ES } from './es/chart.ts';
import { CONSOLE_ES } from './es/console.ts';
import { CONVERTER_ES } from './es/converter.ts';
import {
  DOCS_ES,
  EMBED_ES,
  GUIDE_ES,
  MARKET_TABLE_ES,
  METHODOLOGY_ES,
  SAMPLE_ES,
  SEARCH_ES,
  START_ES,
  SUMMARY_ES,
} from './es/docs.ts';
import { CODE_ES, LAYOUT_ES, MARKET_TYPE_ES, STATE_ES, TIME_ES, WEEKDAYS_ES } from './es/frame.ts';
import { MONTH_ES } from './es/month.ts';
import { PICTURE_ES } from './es/pictures.ts';
import { HOME_ES, MISSING_ES } from './es/small-pages.ts';
import { STATUS_ES } from './es/status.ts';
import { SWITCHING_ES } from './es/switching.ts';

/** The words of the pages, joined by language. Each language has a folder. */

export const BOARD_TEXTS = { es: BOARD_ES, en: BOARD_EN };
export const HERO_TEXTS = { es: HERO_ES, en: HERO_EN };
export const MARKET_TEXTS = { es: MARKET_ES, en: MARKET_EN };
export const BOARD_FILE_TEXTS = { es: BOARD_FILE_ES, en: BOARD_FILE_EN };
export const CHART_TEXTS = { es: CHART_ES, en: CHART_EN };
export const CONSOLE_TEXTS = { es: CONSOLE_ES, en: CONSOLE_EN };
export const CONVERTER_TEXTS = { es: CONVERTER_ES, en: CONVERTER_EN };
export const DOCS_TEXTS = { es: DOCS_ES, en: DOCS_EN };
export const EMBED_TEXTS = { es: EMBED_ES, en: EMBED_EN };
export const SUMMARY_TEXTS = { es: SUMMARY_ES, en: SUMMARY_EN };
export const MARKET_TABLE_TEXTS = { es: MARKET_TABLE_ES, en: MARKET_TABLE_EN };
export const SEARCH_TEXTS = { es: SEARCH_ES, en: SEARCH_EN };
export const SAMPLE_TEXTS = { es: SAMPLE_ES, en: SAMPLE_EN };
export const METHODOLOGY_TEXTS = { es: METHODOLOGY_ES, en: METHODOLOGY_EN };
export const START_TEXTS = { es: START_ES, en: START_EN };
export const SWITCHING_TEXTS = { es: SWITCHING_ES, en: SWITCHING_EN };
export const GUIDE_TEXTS = { es: GUIDE_ES, en: GUIDE_EN };
export const LAYOUT_TEXTS = { es: LAYOUT_ES, en: LAYOUT_EN };
export const CODE_TEXTS = { es: CODE_ES, en: CODE_EN };
export const STATE_TEXTS = { es: STATE_ES, en: STATE_EN };
export const MARKET_TYPE_TEXTS = { es: MARKET_TYPE_ES, en: MARKET_TYPE_EN };
export const WEEKDAYS = { es: WEEKDAYS_ES, en: WEEKDAYS_EN };
export const TIME_TEXTS = { es: TIME_ES, en: TIME_EN };
export const MONTH_TEXTS = { es: MONTH_ES, en: MONTH_EN };
export const PICTURE_TEXTS = { es: PICTURE_ES, en: PICTURE_EN };
export const HOME_TEXTS = { es: HOME_ES, en: HOME_EN };
export const MISSING_TEXTS = { es: MISSING_ES, en: MISSING_EN };
export const STATUS_TEXTS = { es: STATUS_ES, en: STATUS_EN };
