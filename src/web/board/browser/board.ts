import { h, hydrate } from 'preact';
import { element } from '../../frame/browser/elements.ts';
import { BoardApp } from '../board-app.ts';
import { BOARD_DATA_ID, BOARD_ID, type BoardData, type LiveBoard } from '../board-data.ts';
import type { BoardPast, ConvertibleRate } from '../board-figures.ts';
import { Charts } from './charts.ts';
import { keepForOffline } from './offline.ts';
import { PageClock } from './page-clock.ts';
import { keepRefreshed } from './refresh.ts';

/** Continues the page that the service sent, and keeps it current. */

const READ_TIMEOUT_MS = 20_000;
/** Statuses for a day without rates. They are no failure. */
const REFUSED = [400, 403, 404, 422];

// The service writes the data from a value of this type.
const data = JSON.parse(element(BOARD_DATA_ID, HTMLElement).textContent) as BoardData;
const clock = new PageClock(data.now);

const live: LiveBoard = {
  clock,
  start({ figures, kept, cutOff }) {
    // A cached page has the ages of its own time.
    clock.start();
    keepRefreshed(
      {
        figures(received, aheadMs) {
          clock.aheadMs = aheadMs;
          figures(received);
        },
        kept,
        cutOff: (since) => cutOff(since - clock.aheadMs),
      },
      Date.parse(data.figures.as_of),
    );
  },
  charts: Charts,
  opened: { search: location.search.slice(1), early: changedFields() },
  ratesOn,
  showAddress: (address) => history.replaceState(null, '', address),
  later(act, waitMs) {
    const timer = setTimeout(act, waitMs);
    return () => clearTimeout(timer);
  },
  copy: (text) =>
    Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => 'clipboard' in navigator,
      // The browser refused. The reader can still select the text.
      () => false,
    ),
  // A reader who closes the menu wants nothing more.
  share:
    'share' in navigator
      ? (text, url) => navigator.share({ text, url }).catch(() => undefined)
      : undefined,
  absolute: (address) => new URL(address, location.href).href,
};

/** What the reader changed in the form before this script was loaded. */
function changedFields(): LiveBoard['opened']['early'] {
  const fields = document.querySelectorAll<HTMLInputElement>('#converter input:not([type=hidden])');
  return Object.fromEntries(
    [...fields].flatMap((one) => {
      const isChanged =
        one.type === 'radio'
          ? one.name === 'via' && one.checked && !one.defaultChecked
          : one.value !== one.defaultValue;
      return isChanged ? [[one.name, one.value]] : [];
    }),
  );
}

async function ratesOn(query: string): Promise<readonly ConvertibleRate[] | undefined> {
  try {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const response = await fetch(`/board/rates.json?${query}`, { signal });
    if (REFUSED.includes(response.status)) return [];
    if (!response.ok) return undefined;
    // The service writes the body from a value of this type.
    return ((await response.json()) as BoardPast).rates;
  } catch {
    return undefined;
  }
}

hydrate(h(BoardApp, { data, live }), element(BOARD_ID, HTMLElement));
void keepForOffline();
