import type { Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import type { BoardDays, BoardFigures, BoardPast } from './board-figures.ts';
import type { PageClock } from './browser/page-clock.ts';
import type { ConversionRequest } from './converter/converter.ts';
import type { DrawnCharts } from './history/chart-data.ts';

/** What the server knows of a page. The page contains it, so that a browser continues with the same. */
export interface BoardData {
  readonly figures: BoardFigures;
  readonly request: ConversionRequest;
  /** The market of the request, if there is none of that name. */
  readonly unknownMarket?: string | undefined;
  /** The rates of the requested day, if a day is requested. */
  readonly past?: BoardPast | undefined;
  /** On a day without banks, the rates by the other rule. */
  readonly otherRule?: BoardPast | undefined;
  readonly days: BoardDays;
  /** The query of the address of the page. */
  readonly query: string;
  readonly language: Language;
  readonly languageChosen: boolean;
  readonly now: Instant;
  /** The address that tells of changes, where the service has one. */
  readonly stream: string | undefined;
}

/** Id of the element that the server and the browser write, and of the data in the page. */
export const BOARD_ID = 'board';
export const BOARD_DATA_ID = 'board-data';

/** What the page has heard of the service since it was opened. */
export interface Received {
  readonly figures: BoardFigures;
  /** Since when the service does not answer: the time of its last answer. Undefined while it does. */
  readonly cutOffSince: Instant | undefined;
  /** How often the service answered. */
  readonly answers: number;
}

/** What a browser adds to the page. Without it the page is the one that the server writes. */
export interface LiveBoard {
  readonly clock: PageClock;
  /** Starts the clock and the requests for figures. */
  start(onChange: (change: Partial<Received>) => void): void;
  readonly charts: DrawnCharts;
  /** What the reader did before the script was loaded. */
  readonly opened: {
    /** The query of the address, which is not that of a page that was kept. */
    readonly search: string;
    /** What was changed in the form, by the names of its fields. */
    readonly early: Readonly<Partial<Record<'amount' | 'other' | 'date' | 'via', string>>>;
  };
  /** What another part of the page wrote into the address stays. */
  showAddress(address: string): void;
  /** @returns whether the text is in the clipboard. */
  copy(text: string): Promise<boolean>;
  /** Offers the text and the address to other programs. @returns undefined where a device has no such menu. */
  readonly share: ((text: string, address: string) => Promise<void>) | undefined;
}
