import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  caracasDayOf,
  caracasTimeOf,
  type Instant,
  parseCaracasDay,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { momentText } from '../frame/format.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';
import type { BoardReader } from './age.ts';
import { nextBankingDay } from './banking-days.ts';
import type { BoardData, LiveBoard, Received } from './board-data.ts';
import type { BoardDays, BoardFigures } from './board-figures.ts';
import { stateWarning } from './board-state.ts';
import { ClockContext, useAt } from './clock.ts';
import { ConverterSection } from './converter/converter-section.ts';
import { OfficialSection } from './hero/official-section.ts';
import { HistorySection } from './history/history-section.ts';
import { isOfficialLate, lateWarning } from './late-warning.ts';
import { marketCards } from './market-cards.ts';
import { BanksSection } from './markets/banks-section.ts';
import { CurrenciesSection } from './markets/currencies-section.ts';
import { MarketsSection } from './markets/markets-section.ts';
import { ratesInForce } from './rates-in-force.ts';
import { withLateOfficial, withStaleP2p } from './staleness.ts';

interface BoardParts {
  readonly data: BoardData;
  readonly live?: LiveBoard | undefined;
}

/** The whole board, for the server and for the browser. */
export function BoardApp({ data, live }: BoardParts): Html {
  return html`<${ClockContext.Provider} value=${live?.clock}>${h(Board, { data, live })}<//>`;
}

function Board({ data, live }: BoardParts): Html {
  const { language, languageChosen } = data;
  const [received, setReceived] = useState<Received>({
    ...{ figures: data.figures, cutOffSince: undefined, answers: 0 },
  });
  const { cutOffSince, answers } = received;
  /** The market whose history was asked for in the table or on a card: an object of its own each time. */
  const [charted, setCharted] = useState<{ readonly market: string }>();
  /** The market of the card that was pressed, to convert by its rate: as above. */
  const [converted, setConverted] = useState<{ readonly market: string }>();
  const onChart =
    data.figures.history_days > 0 ? (market: string) => setCharted({ market }) : undefined;
  const onConvert = (market: string) => setConverted({ market });
  useEffect(() => {
    live?.start((change) => setReceived((before) => ({ ...before, ...change })));
  }, [live]);
  // At midnight a next rate takes effect, and quotes become stale, whether the service answers or not.
  useAt(data.now, (at) => {
    const then = figuresAt(received.figures, data.days, at);
    return `${caracasDayOf(at)} ${then.version} ${isOfficialLate(then, at)}`;
  });
  const now = live?.clock.now() ?? data.now;
  const known = figuresAt(received.figures, data.days, now);
  const isCutOff = cutOffSince !== undefined;
  const figures = isCutOff ? withoutLaterRates(known, data.days, cutOffSince) : known;
  const reader = { language, languageChosen, now, isCutOff };
  const texts = BOARD_TEXTS[language];
  const hasFigures = figures.rates.length > 0;
  return html`<h1 class="unseen">${texts.heading}</h1>
<p id="cut-off" class="cut-off" role="status">${cutOffSince !== undefined && cutOffText(cutOffSince, reader)}</p>
<div id="late" role="alert">${lateWarning(figures, reader)}</div>
<div class="hero"><section id="official" class="official" aria-label="${texts.official}">${h(OfficialSection, { figures, days: data.days, reader })}</section>
${hasFigures && h(ConverterSection, { data, figures, reader, live, answers, converted })}</div>
<div id="warning" role="status">${stateWarning(figures, reader)}</div>
${
  hasFigures &&
  html`<section id="market" class="stats">${marketCards(figures, reader, { onConvert, onChart })}</section>
${h(HistorySection, { figures, reader, answers, charted, live, query: data.query })}
${h(MarketsSection, { figures, reader, onChart })}
${h(CurrenciesSection, { figures, reader })}
${h(BanksSection, { figures, reader })}`
}`;
}

/** Without a connection nobody knows the official rate of the first banking day after the known ones. */
function withoutLaterRates(
  { late_from: late, ...figures }: BoardFigures,
  days: BoardDays,
  since: Instant,
): BoardFigures {
  // A publication that was missing may have come since.
  const known = late !== undefined && late <= since ? { ...figures, late_from: late } : figures;
  const { next, in_force: inForce } = known.official['USD'] ?? {};
  const newest = parseCaracasDay((next ?? inForce)?.value_date ?? '');
  if (newest === undefined) return known;
  return { ...known, unknown_from: startOfCaracasDay(nextBankingDay(newest, days)) };
}

/** From when the figures are, with the day if it is another one. */
function cutOffText(since: Instant, { language, now }: BoardReader): string {
  const { cutOff, cutOffSince } = BOARD_TEXTS[language];
  const isOfToday = caracasDayOf(since) === caracasDayOf(now);
  return isOfToday ? cutOff(caracasTimeOf(since)) : cutOffSince(momentText(since, language));
}

/** The figures as far as they can be known at the instant. The version tells each state from the others. */
function figuresAt(figures: BoardFigures, days: BoardDays, now: Instant): BoardFigures {
  return withStaleP2p(withLateOfficial(ratesInForce(figures, now), days), now);
}
