import { type Config, isSwitchedOn, readNumber } from '../../core/config.ts';

/** Most days of history on the board, and the default. */
// limit: Days of the board's history | 365 | not started; beyond the operator's number 403
export const MAX_BOARD_HISTORY_DAYS = 365;

export const readBoard = (text = '1') => isSwitchedOn('VESFX_BOARD', text);

export const readHistoryDays = (text = `${MAX_BOARD_HISTORY_DAYS}`) =>
  readNumber('VESFX_BOARD_HISTORY_DAYS', text, MAX_BOARD_HISTORY_DAYS);

/** What the operator has set of the site. */
export function siteSettings({ added, notice }: Pick<Config, 'added' | 'notice'>) {
  return {
    hasBoard: readBoard(added['VESFX_BOARD']),
    historyDays: readHistoryDays(added['VESFX_BOARD_HISTORY_DAYS']),
    /** Whether the operator can set what they need, as in a build that has them. */
    mayHaveWebhooks: 'VESFX_SECRET' in added,
    /** The demonstration's, at the top of every page. */
    notice,
  };
}

export type SiteSettings = Readonly<ReturnType<typeof siteSettings>>;
