import { h, hydrate } from 'preact';
import { element } from '../../frame/browser/elements.ts';
import { BoardApp } from '../board-app.ts';
import { BOARD_DATA_ID, BOARD_ID, type BoardData } from '../board-data.ts';
import { liveChart } from './chart.ts';
import { liveConverter } from './converter-form.ts';
import { keepForOffline } from './offline.ts';
import { PageClock } from './page-clock.ts';
import { keepRefreshed } from './refresh.ts';

/** Continues the page that the service sent, and keeps it current. */

// The service writes the data from a value of this type.
const data = JSON.parse(element(BOARD_DATA_ID, HTMLElement).textContent) as BoardData;
const clock = new PageClock(data.now);

hydrate(
  h(BoardApp, {
    data,
    live: {
      clock,
      start(listener) {
        // A cached page has the ages of its own time.
        clock.start();
        const { figures, kept, cutOff } = listener;
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
      startChart: liveChart,
      startConverter: liveConverter,
    },
  }),
  element(BOARD_ID, HTMLElement),
);
void keepForOffline();
