import { marketInPlan } from '../../../app/access/access.ts';
import { boundedCache } from '../../../app/bounded-cache.ts';
import { type ChangeSince, changesSince } from '../../../app/changes.ts';
import { StoreUnavailable } from '../../../app/failures.ts';
import { serviceState } from '../../../app/service-state.ts';
import type { Snapshot } from '../../../app/snapshot.ts';
import { ApiError } from '../../../domain/errors.ts';
import { PERIOD_DAYS } from '../../../domain/history/changes.ts';
import type { Market } from '../../../domain/markets.ts';
import { type Instant, SECOND_MS, utcDayOf } from '../../../domain/time.ts';
import type { BoardFigures, BoardHistory, BoardPast } from '../../../web/board/board-figures.ts';
import { boardPage } from '../../../web/board/board-page.ts';
import type { HistoryFormat } from '../../../web/board/chart-choice.ts';
import { type ConversionAsk, conversionAsk, ruleOf } from '../../../web/board/converter.ts';
import { DEFAULT_LANGUAGE, type Language, languageNamed } from '../../../web/frame/language.ts';
import { CONTENT_TYPES } from '../../encoding/formats.ts';
import { httpDate } from '../../encoding/validators.ts';
import { htmlAnswer, pageView, type Site } from '../../pages/html-pages.ts';
import { PageBody } from '../../pages/page-body.ts';
import type { Services } from '../../routing/endpoint.ts';
import type { Page, PageAnswer, PageRequest } from '../../routing/router.ts';
import { BOARD_REQUESTS_PER_MINUTE, RequestLimit } from '../../server/request-limit.ts';
import { knownOf } from '../state-view.ts';
import { boardFigures, openPlan } from './board-figures.ts';
import { boardHistory, readHistoryAsk } from './board-history.ts';
import { boardPast, readPastAsk } from './board-past.ts';
import { boardPicture } from './board-picture.ts';
import { NO_PAST, type PastFigures, pastFigures } from './board-trends.ts';
import { historyCsv, historyXlsx } from './history-files.ts';

/** How long the board's figures may be kept by a cache, and are by the service. */
const MAX_AGE_SEC = 5;

/** How long the past of the cards is kept: what was a day ago moves by less than it shows. */
const PAST_MAX_AGE_SEC = 60;

/** Answers of history that are kept; the least used is read again. */
export const BOARD_HISTORIES_MAX = 200;

const HISTORY_TYPES: Readonly<Record<HistoryFormat, string>> = {
  json: CONTENT_TYPES.json,
  csv: CONTENT_TYPES.csv,
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

function written(
  history: BoardHistory,
  format: HistoryFormat,
  locale: Language | undefined,
): string | Promise<Buffer> {
  switch (format) {
    case 'json':
      return JSON.stringify(history);
    case 'csv':
      return historyCsv(history, locale);
    case 'xlsx':
      return historyXlsx(history, locale ?? DEFAULT_LANGUAGE);
    default:
      return format satisfies never;
  }
}

export interface Board {
  readonly services: Services;
  readonly publicUrl: () => string;
  readonly historyDays: number;
  readonly site: () => Site;
}

/** Figures as they are sent, for some seconds. */
interface CachedFigures {
  readonly snapshot: Snapshot;
  readonly builtAt: Instant;
  readonly figures: BoardFigures;
  readonly json: PageBody;
  /** Pages that convert nothing in particular, by language. */
  readonly pages: Map<string, PageBody>;
  /** What links show in chats, by language. */
  readonly pictures: Map<Language, PageBody>;
}

/** The board and what it reads: open to anyone, limited by address, the same data as the page. */
export function boardPages(board: Board): readonly Page[] {
  const { services, site } = board;
  const limit = new RequestLimit(
    BOARD_REQUESTS_PER_MINUTE,
    'Too many requests for the board from this address.',
  );
  const current = keptFigures(board);
  const histories = boundedCache<PageBody>(BOARD_HISTORIES_MAX);

  const limited =
    (respond: Page['respond']): Page['respond'] =>
    (request) => {
      limit.take(request.address(), request.now);
      return respond(request);
    };

  async function history(request: PageRequest, format: HistoryFormat): Promise<PageAnswer> {
    const { query, now } = request;
    const ask = readHistoryAsk(query, board);
    const { version, validFrom } = services.snapshots.at(now);
    const ids = ask.markets.map(({ id }) => id);
    const key = [
      format,
      ask.locale ?? '',
      version,
      validFrom,
      utcDayOf(now),
      ask.days,
      ...ids,
    ].join(' ');
    let body = histories.get(key);
    if (body === undefined) {
      const found = await boardHistory(ask, now, services);
      body = new PageBody(await written(found, format, ask.locale), { kept: false });
      histories.set(key, body);
    }
    const answer = dataAnswer(body, HISTORY_TYPES[format]);
    if (format === 'json') return answer;
    const file = `vesfx-${ids.join('-')}-${ask.days}d.${format}`;
    const disposition = ['Content-Disposition', `attachment; filename="${file}"`];
    return { ...answer, headers: [...(answer.headers ?? []), ...disposition] };
  }

  /** The rates of a day for the page, which says itself when there are none. */
  async function pastOrNone(ask: ConversionAsk, now: Instant): Promise<BoardPast> {
    const { date } = ask;
    try {
      const asked = new URLSearchParams({ date, rule: ruleOf(ask) }).toString();
      const past = readPastAsk(asked, { historyDays: board.historyDays, now });
      return await boardPast(past, now, services);
    } catch (error) {
      if (error instanceof ApiError) return { date, rates: [] };
      throw error;
    }
  }

  return [
    {
      path: '/',
      respond: limited(async (request) => {
        const view = pageView(request, site());
        const kept = await current(request.now);
        const write = (ask: ConversionAsk, past?: BoardPast) =>
          boardPage(view, {
            figures: kept.figures,
            ask,
            past,
            now: request.now,
            publicUrl: board.publicUrl(),
          });
        const cacheControl = `public, max-age=${MAX_AGE_SEC}`;
        const ask = marketById(conversionAsk(view.query), services);
        if (ask.date !== '') {
          const past = await pastOrNone(ask, request.now);
          return htmlAnswer(view, write(ask, past), { cacheControl });
        }
        const names = [...view.query.keys()];
        if (names.some((name) => name !== 'lang')) {
          return htmlAnswer(view, write(ask), { cacheControl });
        }
        const name = `${view.language} ${view.languageChosen}`;
        const body = kept.pages.get(name) ?? new PageBody(write(ask), { kept: false });
        kept.pages.set(name, body);
        return htmlAnswer(view, body, { cacheControl });
      }),
    },
    {
      path: '/board.json',
      respond: limited(async ({ now }) => {
        const { json } = await current(now);
        const answer = dataAnswer(json, CONTENT_TYPES.json);
        // By the clock that the ages are counted with, for readers whose own is wrong.
        return { ...answer, headers: [...(answer.headers ?? []), 'Date', httpDate(now)] };
      }),
    },
    {
      path: '/board/rates.json',
      respond: limited(async ({ query, now }) => {
        const ask = readPastAsk(query, { historyDays: board.historyDays, now });
        const past = await boardPast(ask, now, services);
        const body = new PageBody(JSON.stringify(past), { kept: false });
        return dataAnswer(body, CONTENT_TYPES.json);
      }),
    },
    {
      path: '/board/picture.png',
      respond: limited(async (request) => {
        // By its address alone, for chats say no language.
        const named = new URLSearchParams(request.query).get('lang');
        const language = languageNamed(named) ?? DEFAULT_LANGUAGE;
        const { figures, pictures } = await current(request.now);
        let body = pictures.get(language);
        if (body === undefined) {
          body = new PageBody(boardPicture(figures, language), { kept: false });
          pictures.set(language, body);
        }
        return dataAnswer(body, 'image/png');
      }),
    },
    { path: '/board/history.json', respond: limited((request) => history(request, 'json')) },
    { path: '/board/history.csv', respond: limited((request) => history(request, 'csv')) },
    { path: '/board/history.xlsx', respond: limited((request) => history(request, 'xlsx')) },
  ];
}

function dataAnswer(body: PageBody, contentType: string): PageAnswer {
  const headers = ['Cache-Control', `public, max-age=${MAX_AGE_SEC}`];
  return { contentType, body, headers };
}

/** Aliases are as good as ids, as everywhere. */
function marketById(ask: ConversionAsk, { markets }: Services): ConversionAsk {
  return { ...ask, via: markets.find(ask.via)?.id ?? ask.via };
}

/**
 * The figures of the moment. Their tag changes with the snapshot, with what has become stale and with
 * what is wrong, not with the ages: who has them can count those.
 */
function keptFigures({
  services,
  publicUrl,
  historyDays,
}: Board): (now: Instant) => Promise<CachedFigures> {
  let kept: CachedFigures | undefined;
  let past: { readonly readAt: Instant; readonly figures: Promise<PastFigures> } | undefined;
  const pastAt = (now: Instant): Promise<PastFigures> => {
    const age = now - (past?.readAt ?? Number.NEGATIVE_INFINITY);
    if (past === undefined || age < 0 || age >= PAST_MAX_AGE_SEC * SECOND_MS) {
      const figures = pastFigures(now, { services, historyDays });
      past = { readAt: now, figures };
      // A failure is not kept: the next request reads again.
      figures.catch(() => {
        if (past?.figures === figures) past = undefined;
      });
    }
    return past.figures;
  };
  const isCurrent = (now: Instant): boolean => {
    const age = now - (kept?.builtAt ?? Number.NEGATIVE_INFINITY);
    const isSame = kept?.snapshot === services.snapshots.at(now);
    return isSame && age >= 0 && age < MAX_AGE_SEC * SECOND_MS;
  };
  return async (now) => {
    if (kept !== undefined && isCurrent(now)) return kept;
    const known = await knownOf(services.watch);
    // Without the store there is no past to tell; the figures of now go on.
    const before = await pastAt(now).catch(() => NO_PAST);
    // Another request may have built them meanwhile.
    if (kept !== undefined && isCurrent(now)) return kept;
    const snapshot = services.snapshots.at(now);
    const changes = await dayChanges(snapshot, services, { historyDays, now });
    const state = serviceState({ snapshot, known, now });
    const parts = { services, state, origin: publicUrl(), historyDays, changes, past: before };
    const figures = boardFigures(snapshot, now, parts);
    const { version } = figures;
    const json = new PageBody(JSON.stringify(figures), { kept: false, version });
    kept = { snapshot, builtAt: now, figures, json, pages: new Map(), pictures: new Map() };
    return kept;
  };
}

/** How the board's rates changed over a day; nothing while the store cannot be read. */
async function dayChanges(
  { quotes }: Snapshot,
  services: Services,
  { historyDays, now }: { readonly historyDays: number; readonly now: Instant },
): Promise<ReadonlyMap<Market, ChangeSince>> {
  if (historyDays < PERIOD_DAYS['1d']) return new Map();
  const plan = openPlan(services);
  const shown = quotes.filter(({ market }) => marketInPlan(services.plans, plan, market));
  try {
    return await changesSince(shown, '1d', { store: services.store, now });
  } catch (error) {
    if (error instanceof StoreUnavailable) return new Map();
    throw error;
  }
}
