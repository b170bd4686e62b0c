import { boundedCache } from '../../../core/app/bounded-cache.ts';
import { changesSince } from '../../../core/app/changes.ts';
import { confidenceOf } from '../../../core/app/confidence.ts';
import { withoutStore } from '../../../core/app/failures.ts';
import { serviceState } from '../../../core/app/service-state.ts';
import type { Snapshot } from '../../../core/app/snapshot.ts';
import { PERIOD_DAYS } from '../../../core/domain/history/changes.ts';
import {
  caracasDayOf,
  type Instant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { isOpenMarket } from '../../../core/http/endpoints/open-plan.ts';
import { knownOf } from '../../../core/http/endpoints/state-view.ts';
import { WrittenBody } from '../../../core/http/framework/encoding/written-answer.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import { type BoardDays, type BoardFigures, NO_DAYS } from '../board/board-figures.ts';
import { boardDays } from './board-days.ts';
import { boardFigures } from './board-figures.ts';
import { NO_PAST, type PastFigures, pastFigures } from './board-trends.ts';

/** How long caches and the service keep the board's figures. */
export const BOARD_MAX_AGE_SEC = 5;

/** How long the past of the cards is cached: it changes less than the cards show. */
const PAST_MAX_AGE_SEC = 60;

/** Most pictures kept of the current figures; the least recently used goes first. */
// limit: Pictures kept of a version | 100 | drawn again
const MAX_PICTURES = 100;

/** Shown while the store does not answer. */
const NOTHING = new Map<never, never>();

interface Board {
  readonly services: Services;
  readonly publicUrl: () => string;
  readonly historyDays: number;
}

/** What is read of the past, for the cards and for the page. */
type KnownPast = readonly [PastFigures, BoardDays];

interface CachedFigures {
  readonly snapshot: Snapshot;
  readonly builtAt: Instant;
  readonly figures: BoardFigures;
  readonly days: BoardDays;
  readonly json: WrittenBody;
  /** Pages without conversion parameters, by language. */
  readonly pages: Map<string, WrittenBody>;
  /** By language, or by the address of a conversion. They stay as long as the version does. */
  readonly pictures: ReturnType<typeof boundedCache<Promise<WrittenBody>>>;
}

/**
 * The current figures, rebuilt every few seconds. Their ETag changes with the snapshot, with stale
 * quotes and with the state, but not with the ages, which the reader counts.
 */
export class CurrentFigures {
  readonly board: Board;
  #cached: CachedFigures | undefined;
  #building: Promise<CachedFigures> | undefined;
  #past: { readonly readAt: Instant; readonly figures: Promise<KnownPast> } | undefined;

  constructor(board: Board) {
    this.board = board;
  }

  /** Those that ask while the figures are built wait for them. */
  async at(now: Instant): Promise<CachedFigures> {
    if (this.#known(now) === undefined) await this.#building?.catch(() => undefined);
    const known = this.#known(now);
    if (known !== undefined) return known;
    this.#building ??= this.#build(now).finally(() => {
      this.#building = undefined;
    });
    return this.#building;
  }

  #known(now: Instant): CachedFigures | undefined {
    const cached = this.#cached;
    if (cached?.snapshot !== this.board.services.snapshots.at(now)) return undefined;
    const age = now - cached.builtAt;
    return age >= 0 && age < BOARD_MAX_AGE_SEC * SECOND_MS ? cached : undefined;
  }

  async #build(now: Instant): Promise<CachedFigures> {
    const { services, historyDays, publicUrl } = this.board;
    const health = await knownOf(services.watch);
    // Without the store there is no past; the current figures are still shown.
    const [past, days] = await this.#pastAt(now).catch(() => [NO_PAST, NO_DAYS] as const);
    const snapshot = services.snapshots.at(now);
    const shown = snapshot.quotes.filter(({ market }) => isOpenMarket(services, market));
    const compared = historyDays < PERIOD_DAYS['1d'] ? [] : shown;
    const since = changesSince(compared, '1d', { ...services, now, isAdjusted: true });
    const changes = await withoutStore(since, NOTHING);
    const confidences = await withoutStore(confidenceOf(shown, services, now), NOTHING);
    const state = serviceState({
      snapshot,
      known: health,
      database: services.monitor.condition,
      now,
    });
    const parts = { services, state, origin: publicUrl(), historyDays, changes, confidences, past };
    const figures = boardFigures(snapshot, now, parts);
    const { version } = figures;
    this.#cached = {
      snapshot,
      builtAt: now,
      figures,
      days,
      json: new WrittenBody(JSON.stringify(figures), { kept: false, version }),
      pages: new Map(),
      pictures:
        this.#cached?.figures.version === version
          ? this.#cached.pictures
          : boundedCache<Promise<WrittenBody>>(MAX_PICTURES),
    };
    return this.#cached;
  }

  #pastAt(now: Instant): Promise<KnownPast> {
    const readAt = this.#past?.readAt ?? Number.NEGATIVE_INFINITY;
    const age = now - readAt;
    // At midnight the unit may change.
    const isOfToday = readAt >= startOfCaracasDay(caracasDayOf(now));
    if (this.#past === undefined || !isOfToday || age < 0 || age >= PAST_MAX_AGE_SEC * SECOND_MS) {
      const figures = Promise.all([pastFigures(now, this.board), boardDays(now, this.board)]);
      this.#past = { readAt: now, figures };
      // A failure is not cached: the next request reads again.
      figures.catch(() => {
        if (this.#past?.figures === figures) this.#past = undefined;
      });
    }
    return this.#past.figures;
  }
}
