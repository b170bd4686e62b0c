import type { OfficialMonth } from '../../../core/app/history/official-month.ts';
import type { CaracasMonth } from '../../../core/domain/history/month.ts';
import type { CaracasDay } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import type { BoardFigures } from '../board/board-figures.ts';
import type { PageView } from '../frame/page-view.ts';
import type { MonthDay } from './month-days.ts';
import type { AroundMonth, MonthCurrency } from './month-request.ts';

/** A month of the official rate: every day with both rules, close and average, and its files. */
export interface MonthView {
  readonly page: PageView;
  readonly language: Language;
  readonly month: CaracasMonth;
  readonly currency: MonthCurrency;
  readonly table: OfficialMonth;
  readonly days: readonly MonthDay[];
  /** Of each day, in the unit of the last one. */
  readonly rates: readonly (number | undefined)[];
  readonly around: AroundMonth;
  readonly today: CaracasDay;
  readonly now: number;
  readonly figures: BoardFigures;
  /** Whether today's official rate must not be used. */
  readonly isLate: boolean;
  /** Whether a witness contradicts today's rate of the currency. */
  readonly doubtfulNow: (currency: MonthCurrency) => boolean;
  /** Rates of the month that are not confirmed, stored or held. */
  readonly doubtful: NonNullable<BoardFigures['in_doubt']>;
  readonly nextBankingDay: string;
}
