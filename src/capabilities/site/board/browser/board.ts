import { h, hydrate } from 'preact';
import { element } from '../../frame/browser/elements.ts';
import { BoardApp } from '../board-app.ts';
import { BOARD_DATA_ID, BOARD_ID, type BoardData, type LiveBoard } from '../board-data.ts';
import { CHART_NAMES } from '../history/history-choice.ts';
import { Charts } from './charts.ts';
import { keepForOffline } from './offline.ts';
import { PageClock } from './page-clock.ts';
import { keepRefreshed } from './refresh.ts';

/** Continues the page that the service sent, and keeps it current. */

// The service writes the data from a value of this type.
const data = JSON.parse(element(BOARD_DATA_ID, HTMLElement).textContent) as BoardData;
const clock = new PageClock(data.now);

const live: LiveBoard = {
  clock,
  start(onChange) {
    // A cached page has the ages of its own time.
    clock.start();
    const page = { pageIsOf: Date.parse(data.figures.as_of), stream: data.stream };
    keepRefreshed(clock, page, onChange);
  },
  charts: Charts,
  opened: { search: location.search.slice(1), early: changedFields() },
  showAddress(address) {
    const next = new URL(address, location.href);
    const isChart = next.searchParams.has('chart');
    for (const [name, value] of new URLSearchParams(location.search)) {
      if (CHART_NAMES.includes(name) !== isChart) next.searchParams.set(name, value);
    }
    history.replaceState(null, '', String(next).replaceAll('%2C', ','));
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

hydrate(h(BoardApp, { data, live }), element(BOARD_ID, HTMLElement));
void keepForOffline();
