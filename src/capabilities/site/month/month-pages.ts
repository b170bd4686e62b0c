import { ApiError } from '../../../core/domain/errors.ts';
import { parseMonth } from '../../../core/domain/history/month.ts';
import { caracasDayOf } from '../../../core/domain/time.ts';
import type { Page, PageRequest } from '../../../core/http/pipeline/route.ts';
import { nextBankingDay } from '../board/banking-days.ts';
import { isOfficialLate } from '../board/late-warning.ts';
import { ratesInForce } from '../board/rates-in-force.ts';
import { withLateOfficial } from '../board/staleness.ts';
import { BOARD_LIMIT } from '../figures/board.ts';
import { BOARD_MAX_AGE_SEC, type CurrentFigures } from '../figures/current-figures.ts';
import { capitalised, monthInWords } from '../frame/format.ts';
import type { PageView } from '../frame/page-view.ts';
import { MONTH_PATH } from '../frame/site-parts.ts';
import { htmlAnswer, pageView, type Site } from '../pages/html-pages.ts';
import { MONTH_TEXTS } from '../texts/texts.ts';
import { comparedRates, monthDays } from './month-days.ts';
import { doubtfulOf, isInDoubtNow, monthPage, noMonthPage } from './month-page.ts';
import { aroundMonth, monthNamed, monthOfPage, tableOfMonth } from './month-request.ts';

/** `/mes` is the running month, `/mes/2026-11` any other. */
export function monthPages(current: CurrentFigures, site: () => Site): readonly Page[] {
  const { services, historyDays } = current.board;

  async function write(own: PageView, now: number): Promise<string> {
    const parts = { services, historyDays, now };
    const asked = monthOfPage(own, parts);
    const { month, currency } = asked;
    const table = (await tableOfMonth(asked, parts)) ?? emptyTable(asked);
    const around = await aroundMonth(asked, parts);
    const { figures: known, days: near } = await current.at(now);
    const figures = withLateOfficial(ratesInForce(known, now), near);
    const { calendar, redenominations } = services;
    const days = monthDays(table, { calendar, redenominations, around });
    const today = caracasDayOf(now);
    return monthPage({
      ...{ page: own, language: own.language, month, currency, table, days, around, today, now },
      rates: comparedRates(days, redenominations),
      figures,
      isLate: isOfficialLate(figures, now),
      doubtfulNow: (one) => isInDoubtNow(figures, one),
      doubtful: doubtfulOf(figures, { currency, month }),
      nextBankingDay: nextBankingDay(today, near),
    });
  }

  async function respond(request: PageRequest) {
    request.take(BOARD_LIMIT);
    const own = pageView(request, site());
    const cacheControl = `public, max-age=${BOARD_MAX_AGE_SEC}`;
    try {
      const body = await request.inTurn(() => write(own, request.now));
      return htmlAnswer(own, body, { cacheControl });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
      const title = titleOf(own);
      const body = noMonthPage(own, { title, why: error.sentence[own.language] });
      return { ...htmlAnswer(own, body, { cacheControl }), status: 404 };
    }
  }

  return [MONTH_PATH, `${MONTH_PATH}/:month`].map((path) => ({
    path,
    addressLimits: [BOARD_LIMIT],
    respond,
  }));
}

function titleOf(page: PageView): string {
  const { language } = page;
  const texts = MONTH_TEXTS[language];
  const month = parseMonth(monthNamed(page) ?? '');
  return month === undefined
    ? texts.crumb
    : texts.noMonth(capitalised(monthInWords(month, language)));
}

/** Of a service that has no rate of the currency yet. */
function emptyTable({ currency, range: { from, to } }: ReturnType<typeof monthOfPage>) {
  return {
    ...{ currency, first: from, last: to, count: 0, rows: [], missing: [] },
    ...{ close: null, close_value_date: null, average: null, value_dates: 0 },
  };
}
