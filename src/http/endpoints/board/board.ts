import { boundedCache } from '../../../app/bounded-cache.ts';
import { utcDayOf } from '../../../domain/time.ts';
import type { BoardHistory } from '../../../web/board/board-figures.ts';
import type { HistoryFormat } from '../../../web/board/chart-choice.ts';
import { CONTENT_TYPES } from '../../encoding/formats.ts';
import { httpDate } from '../../encoding/validators.ts';
import { type WrittenAnswer, WrittenBody } from '../../encoding/written-answer.ts';
import { BOARD_REQUESTS_PER_MINUTE } from '../../routing/address-limits.ts';
import { type Endpoint, writtenEndpoint } from '../../routing/endpoint.ts';
import { boardHistory, checkedHistoryRequest, historyQuery } from './board-history.ts';
import { boardPast, boardPastDate, pastQuery } from './board-past.ts';
import { BOARD_MAX_AGE_SEC, type CurrentFigures } from './current-figures.ts';
import { type FileForm, historyCsv, historyXlsx } from './history-files.ts';

/** Limit of requests from one IP address for the page and its data. */
export const BOARD_LIMIT = {
  name: 'board',
  perMinute: BOARD_REQUESTS_PER_MINUTE,
  message: 'Too many requests for the board from this address.',
};

/** Most cached answers of history. The least recently used is removed first. */
const MAX_BOARD_HISTORIES = 200;

const HISTORY_TYPES: Readonly<Record<HistoryFormat, string>> = {
  json: CONTENT_TYPES.json,
  csv: CONTENT_TYPES.csv,
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** What the board's endpoints share: pages of any origin may read them (decisions §11). */
const shared = {
  access: 'open',
  anyOrigin: true,
  addressLimit: BOARD_LIMIT,
} as const;

/** The endpoints of the board's page: open to anyone, limited by IP address. */
export function boardEndpoints(current: CurrentFigures): readonly Endpoint[] {
  const { historyDays } = current.board;
  return [
    writtenEndpoint({
      ...shared,
      path: '/board.json',
      async handle({ now }) {
        const { json } = await current.at(now);
        const answer = boardAnswer(json, CONTENT_TYPES.json);
        // The clock of the ages, for readers whose own clock is wrong.
        return { ...answer, headers: [...(answer.headers ?? []), 'Date', httpDate(now)] };
      },
    }),
    writtenEndpoint({
      ...shared,
      path: '/board/rates.json',
      query: pastQuery,
      rejectUnknown: true,
      async handle({ input, services, now }) {
        const pastDate = boardPastDate(input, { historyDays, now });
        const past = await boardPast(pastDate, now, services);
        const body = new WrittenBody(JSON.stringify(past), { kept: false });
        return boardAnswer(body, CONTENT_TYPES.json);
      },
    }),
    ...historyEndpoints(historyDays),
  ];
}

function historyEndpoints(historyDays: number): readonly Endpoint[] {
  const bodies = boundedCache<WrittenBody>(MAX_BOARD_HISTORIES);
  const historyEndpoint = (format: HistoryFormat) =>
    writtenEndpoint({
      ...shared,
      path: `/board/history.${format}`,
      query: historyQuery,
      rejectUnknown: true,
      async handle({ input, services, snapshot: { version, validFrom }, now }) {
        const request = checkedHistoryRequest(input, { services, historyDays });
        const { days, locale, candles } = request;
        const ids = request.markets.map(({ id }) => id);
        const basis = [version, validFrom, utcDayOf(now)];
        const name = [format, locale ?? '', candles, ...basis, days, ...ids].join(' ');
        let body = bodies.get(name);
        if (body === undefined) {
          const found = await boardHistory(request, now, services);
          body = new WrittenBody(await written(found, format, request), { kept: false });
          bodies.set(name, body);
        }
        const answer = boardAnswer(body, HISTORY_TYPES[format]);
        if (format === 'json') return answer;
        const file = `vesfx-${ids.join('-')}-${days}d.${format}`;
        const disposition = ['Content-Disposition', `attachment; filename="${file}"`];
        return { ...answer, headers: [...(answer.headers ?? []), ...disposition] };
      },
    });
  return [historyEndpoint('json'), historyEndpoint('csv'), historyEndpoint('xlsx')];
}

function written(
  history: BoardHistory,
  format: HistoryFormat,
  form: FileForm,
): string | Promise<Buffer> {
  switch (format) {
    case 'json':
      return JSON.stringify(history);
    case 'csv':
      return historyCsv(history, form);
    case 'xlsx':
      return historyXlsx(history, form);
    default:
      return format satisfies never;
  }
}

/** An answer of the board, which a cache may keep for some seconds. */
export function boardAnswer(body: WrittenBody, contentType: string): WrittenAnswer {
  const headers = ['Cache-Control', `public, max-age=${BOARD_MAX_AGE_SEC}`];
  return { contentType, body, headers };
}
