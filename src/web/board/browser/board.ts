import { element, language, languageChosen } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { ageText, durationText, momentText } from '../../frame/format.ts';
import type { BoardReader } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';
import { BOARD_PARTS } from '../board-parts.ts';
import { BOARD_TEXTS } from '../board-texts.ts';

import { secondsSince, withStaleP2p } from '../staleness.ts';
import { liveChart } from './chart.ts';
import { liveConverter } from './converter-form.ts';
import { keepForOffline } from './offline.ts';
import { ratesInForce } from './rates-in-force.ts';
import { keepRefreshed } from './refresh.ts';

/** Keeps the board current: new figures, counting ages, the converter and the chart. */

/** Ages are shown in seconds at first. */
const TICK_MS = 1_000;

const cutOff = element('cut-off', HTMLElement);
const rest = [...document.querySelectorAll<HTMLElement>('.rest')];
const isEmpty = () => rest.some((one) => one.hidden);
let clockAheadMs = 0;
/** The figures shown. The first ones are in the page that the service sent. */
const board = element('board', HTMLElement);
let shownVersion = board.dataset['version'];
/** The last figures of the service, or the kept ones. */
let received: BoardFigures | undefined;
let isCutOff = false;

const reader = (): BoardReader => ({
  language,
  languageChosen,
  now: Date.now() - clockAheadMs,
  isCutOff,
});
const converter = liveConverter(reader);
const chart = liveChart(language);

/** Counts the ages and marks old figures, whether the service answers or not. */
function tick(): void {
  const { now } = reader();
  // A next rate takes effect at midnight and quotes become stale, online or not.
  if (received !== undefined && figuresNow(received).version !== shownVersion) {
    showFigures(received);
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time.age')) {
    const seconds = secondsSince(time.dateTime, now);
    const inWords = time.classList.contains('bare') ? durationText : ageText;
    const text = inWords(seconds, language);
    if (time.textContent !== text) time.textContent = text;
  }
  for (const mark of document.querySelectorAll<HTMLElement>('[data-stale-from]')) {
    mark.hidden = now < Date.parse(mark.dataset['staleFrom'] ?? '');
  }
}

/** The figures as far as they can be known now. The version tells each state from the others. */
function figuresNow(figures: BoardFigures): BoardFigures {
  const { now } = reader();
  const known = withStaleP2p(ratesInForce(figures, now), now);
  return isCutOff ? { ...known, version: `${known.version}-cut-off` } : known;
}

function showFigures(figures: BoardFigures): void {
  received = figures;
  const shown = figuresNow(figures);
  // These are the first figures of all. The page must load again to get its converter and chart.
  if (isEmpty() && shown.rates.length > 0) {
    location.reload();
    return;
  }
  converter.figures(shown);
  if (shown.version === shownVersion) return;
  shownVersion = shown.version;
  const current = reader();
  for (const [id, write] of Object.entries(BOARD_PARTS)) {
    show(element(id, HTMLElement), write(shown, current));
  }
  for (const one of rest) one.hidden = shown.rates.length === 0;
  chart.figures(shown);
}

keepRefreshed(
  {
    figures(figures, ahead) {
      clockAheadMs = ahead;
      isCutOff = false;
      cutOff.textContent = '';
      showFigures(figures);
      chart.answered();
      tick();
    },
    kept(figures) {
      showFigures(figures);
      tick();
    },
    cutOff(since) {
      isCutOff = true;
      const moment = momentText(since - clockAheadMs, language);
      cutOff.textContent = BOARD_TEXTS[language].cutOff(moment);
    },
  },
  Date.parse(board.dataset['asOf'] ?? ''),
);
// A cached page has the ages of its own time.
tick();
setInterval(tick, TICK_MS);
void keepForOffline();
