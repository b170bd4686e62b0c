import { boundedCache } from '../../../core/app/bounded-cache.ts';
import type { Snapshot } from '../../../core/app/snapshot.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { utcDayOf } from '../../../core/domain/time.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../../core/domain/words/language.ts';
import { unitChangesHeader } from '../../../core/http/endpoints/rates/units.ts';
import { CONTENT_TYPES } from '../../../core/http/framework/encoding/formats.ts';
import { keptBy } from '../../../core/http/framework/encoding/made-once.ts';
import { joinedInSlices } from '../../../core/http/framework/encoding/slices.ts';
import {
  type WrittenAnswer,
  WrittenBody,
} from '../../../core/http/framework/encoding/written-answer.ts';
import { bytesWithForms, httpDate } from '../../../core/http/framework/routing/answer.ts';
import { type Endpoint, writtenEndpoint } from '../../../core/http/pipeline/endpoint.ts';
import { oneExample } from '../../../core/http/pipeline/operation.ts';
import type { BoardHistory } from '../board/board-figures.ts';
import type { HistoryFormat } from '../board/history/chart-choice.ts';
import { boardPast, boardPastDate, pastQuery } from './board-figures.ts';
import { BoardHistories, checkedHistoryRequest, historyQuery } from './board-history.ts';
import { BOARD_EXAMPLE, boardSchema } from './board-schema.ts';
import { BOARD_MAX_AGE_SEC, type CurrentFigures } from './current-figures.ts';
import { historyCsv, historyXlsx } from './history-files.ts';

/** Requests per minute and address for the page and its data. */
// limit: From one address: requests for the board, pictures of conversions | 300, 60 a minute, all workers | 429 | PICTURES_PER_MINUTE
export const BOARD_REQUESTS_PER_MINUTE = 300;
/** Pictures per minute and address: each has to be drawn. */
const PICTURES_PER_MINUTE = 60;

/** Limit of requests from one IP address for the page and its data. */
export const BOARD_LIMIT = {
  name: 'board',
  perMinute: BOARD_REQUESTS_PER_MINUTE,
  message: sentence(
    'Too many requests for the board from this address.',
    'Demasiadas consultas del tablero desde esta dirección.',
  ),
};

/** Limit of pictures of conversions from one IP address: each has to be drawn. */
export const PICTURE_LIMIT = {
  name: 'picture',
  perMinute: PICTURES_PER_MINUTE,
  message: sentence(
    'Too many pictures of conversions for this address.',
    'Demasiadas imágenes de conversiones para esta dirección.',
  ),
};

/** Most bytes of cached histories, for each snapshot. The least recently used goes first. */
// limit: History answers kept of a snapshot | 8 MB | the least used made again
const MAX_BOARD_HISTORY_BYTES = 8 * 1024 * 1024;

interface HistoryFile {
  readonly contentType: string;
  /** The language, where none is asked. */
  readonly locale: Language;
  readonly write: typeof historyCsv;
}

const HISTORY_FILES: Readonly<Record<HistoryFormat, HistoryFile>> = {
  json: {
    contentType: CONTENT_TYPES.json,
    locale: 'en',
    write: (history, _, isGone) => joinedInSlices(jsonPieces(history), isGone),
  },
  csv: { contentType: CONTENT_TYPES.csv, locale: 'en', write: historyCsv },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    locale: DEFAULT_LANGUAGE,
    write: historyXlsx,
  },
};

/** What the board's endpoints share: pages of any origin may read them (contract §11). */
const shared = {
  access: 'open',
  anyOrigin: true,
  addressLimit: BOARD_LIMIT,
  hasFigures: true,
} as const;

/** The endpoints of the board's page: open to anyone, limited by IP address. */
export function boardEndpoints(
  current: Pick<CurrentFigures, 'at'> & { readonly board: { readonly historyDays: number } },
): readonly Endpoint[] {
  const { historyDays } = current.board;
  return [
    writtenEndpoint({
      ...shared,
      path: '/board.json',
      section: 'contract 11',
      summary: sentence('Read the board', 'Las cifras de la página pública'),
      description: sentence(
        'Every figure of the public page at once: rates with their age, official rates, P2P median, index, premium, bank table, changes and trends. At most 300 requests per minute from one IP address; pages of any origin may read it.',
        'Todas las cifras de la página pública de una vez: tasas con su antigüedad, tasas oficiales, mediana P2P, índice, brecha, tabla de bancos, cambios y tendencias. Como máximo 300 consultas por minuto desde una dirección IP; se puede usar desde páginas de cualquier origen.',
      ),
      operation: {
        id: 'getBoard',
        tag: 'Rates',
        schema: 'Board',
        answers: oneExample(
          'The official and the parallel rate',
          'La tasa oficial y la paralela',
          BOARD_EXAMPLE,
        ),
      },
      answer: boardSchema,
      async handle({ now }) {
        const { json } = await current.at(now);
        // The clock of the ages, for readers whose own clock is wrong.
        return boardAnswer(json, CONTENT_TYPES.json, ['Date', httpDate(now)]);
      },
    }),
    writtenEndpoint({
      ...shared,
      path: '/board/rates.json',
      query: pastQuery,
      rejectUnknown: true,
      async handle({ input, services, now, inTurn }) {
        const pastDate = boardPastDate(input, { historyDays, now, services });
        const past = await inTurn(() => boardPast(pastDate, now, services));
        const body = new WrittenBody(JSON.stringify(past), { kept: false });
        return boardAnswer(body, CONTENT_TYPES.json);
      },
    }),
    ...historyEndpoints(historyDays),
  ];
}

function historyEndpoints(historyDays: number): readonly Endpoint[] {
  /** What was read and written for a snapshot. It goes with it. */
  const kept = keptBy((_: Snapshot) => ({
    histories: new BoardHistories(historyDays),
    bodies: boundedCache<WrittenBody>(MAX_BOARD_HISTORY_BYTES, ({ bytes }) =>
      bytesWithForms(bytes.length),
    ),
  }));
  const historyEndpoint = (format: HistoryFormat) =>
    writtenEndpoint({
      ...shared,
      path: `/board/history.${format}`,
      query: historyQuery,
      rejectUnknown: true,
      async handle({ input, services, snapshot, now, isGone, inTurn }) {
        const request = checkedHistoryRequest(input, { services, historyDays, now });
        const { from, to, days, candles } = request;
        const { contentType, locale: usual, write } = HISTORY_FILES[format];
        const locale = request.locale ?? usual;
        const ids = request.markets.map(({ id }) => id);
        // Of JSON there is one form for all languages.
        const form = format === 'json' ? format : `${format} ${locale}`;
        const name = [form, candles, utcDayOf(now), days, ...ids].join(' ');
        const { histories, bodies } = kept(snapshot);
        const make = async () => {
          // Who files a month needs its Sundays too; a chart repeats the rates by itself.
          const everyDay = format !== 'json';
          const history = await histories.of(request, { ...services, now }, everyDay);
          const bytes = await write(history, { locale, candles, notice: services.notice }, isGone);
          const body = new WrittenBody(bytes, { kept: false, isPacked: format === 'xlsx' });
          bodies.set(name, body);
          return body;
        };
        // While it waited for its turn, another request may have made it.
        const body = bodies.get(name) ?? (await inTurn(() => bodies.get(name) ?? make()));
        const marks = unitChangesHeader(request.marks);
        if (format === 'json') return boardAnswer(body, contentType, marks);
        const file = `vesfx-${ids.join('-')}-${from}_${to}.${format}`;
        const disposition = ['Content-Disposition', `attachment; filename="${file}"`];
        return boardAnswer(body, contentType, [...marks, ...disposition]);
      },
    });
  return [historyEndpoint('json'), historyEndpoint('csv'), historyEndpoint('xlsx')];
}

/** The same text as `JSON.stringify`, a series at a time. */
function* jsonPieces({ series, ...around }: BoardHistory): Generator<string> {
  let before = `${JSON.stringify(around).slice(0, -1)},"series":[`;
  for (const one of series) {
    yield before + JSON.stringify(one);
    before = ',';
  }
  yield ']}';
}

/** An answer of the board, which a cache may keep for some seconds. */
export function boardAnswer(
  body: WrittenBody,
  contentType: string,
  more: readonly string[] = [],
): WrittenAnswer {
  const headers = ['Cache-Control', `public, max-age=${BOARD_MAX_AGE_SEC}`, ...more];
  return { contentType, body, headers };
}
