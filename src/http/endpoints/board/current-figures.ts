import { marketInPlan } from '../../../app/access/access.ts';
import { type ChangeSince, changesSince } from '../../../app/changes.ts';
import { type Confidence, confidenceOf } from '../../../app/confidence.ts';
import { StoreUnavailable } from '../../../app/failures.ts';
import { serviceState } from '../../../app/service-state.ts';
import type { Snapshot } from '../../../app/snapshot.ts';
import { PERIOD_DAYS } from '../../../domain/history/changes.ts';
import type { Market } from '../../../domain/markets.ts';
import type { Quote } from '../../../domain/quotes.ts';
import { type Instant, SECOND_MS } from '../../../domain/time.ts';
import type { BoardFigures } from '../../../web/board/board-figures.ts';
import type { Language } from '../../../web/frame/language.ts';
import { WrittenBody } from '../../encoding/written-answer.ts';
import type { Services } from '../../routing/endpoint.ts';
import { knownOf } from '../state-view.ts';
import { boardFigures, openPlan } from './board-figures.ts';
import { NO_PAST, type PastFigures, pastFigures } from './board-trends.ts';

/** How long caches and the service keep the board's figures. */
export const BOARD_MAX_AGE_SEC = 5;

/** How long the past of the cards is cached: it changes less than the cards show. */
const PAST_MAX_AGE_SEC = 60;

/** What the board's endpoints need. */
export interface Board {
  readonly services: Services;
  readonly publicUrl: () => string;
  readonly historyDays: number;
}

/** The cached answer, for some seconds. */
export interface CachedFigures {
  readonly snapshot: Snapshot;
  readonly builtAt: Instant;
  readonly figures: BoardFigures;
  readonly json: WrittenBody;
  /** Pages without conversion parameters, by language. */
  readonly pages: Map<string, WrittenBody>;
  /** Preview pictures, by language. */
  readonly pictures: Map<Language, WrittenBody>;
}

/**
 * The current figures, rebuilt every few seconds. Their ETag changes with the snapshot, with stale
 * quotes and with the state, but not with the ages, which the reader counts.
 */
export class CurrentFigures {
  readonly board: Board;
  #cached: CachedFigures | undefined;
  #past: { readonly readAt: Instant; readonly figures: Promise<PastFigures> } | undefined;

  constructor(board: Board) {
    this.board = board;
  }

  async at(now: Instant): Promise<CachedFigures> {
    const known = this.#known(now);
    return known ?? (await this.#build(now));
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
    const past = await this.#pastAt(now).catch(() => NO_PAST);
    // Another request may have built them in between.
    const known = this.#known(now);
    if (known !== undefined) return known;
    const snapshot = services.snapshots.at(now);
    const changes = await dayChanges(snapshot, services, { historyDays, now });
    const confidences = await shownConfidences(snapshot, services, now);
    const state = serviceState({ snapshot, known: health, now });
    const parts = { services, state, origin: publicUrl(), historyDays, changes, confidences, past };
    const figures = boardFigures(snapshot, now, parts);
    const { version } = figures;
    const json = new WrittenBody(JSON.stringify(figures), { kept: false, version });
    const built = {
      snapshot,
      builtAt: now,
      figures,
      json,
      pages: new Map(),
      pictures: new Map(),
    };
    this.#cached = built;
    return built;
  }

  #pastAt(now: Instant): Promise<PastFigures> {
    const age = now - (this.#past?.readAt ?? Number.NEGATIVE_INFINITY);
    if (this.#past === undefined || age < 0 || age >= PAST_MAX_AGE_SEC * SECOND_MS) {
      const figures = pastFigures(now, this.board);
      this.#past = { readAt: now, figures };
      // A failure is not cached: the next request reads again.
      figures.catch(() => {
        if (this.#past?.figures === figures) this.#past = undefined;
      });
    }
    return this.#past.figures;
  }
}

/** The changes of the board's rates over a day; empty while the store cannot be read. */
async function dayChanges(
  { quotes }: Snapshot,
  services: Services,
  { historyDays, now }: { readonly historyDays: number; readonly now: Instant },
): Promise<ReadonlyMap<Market, ChangeSince>> {
  if (historyDays < PERIOD_DAYS['1d']) return new Map();
  try {
    return await changesSince(shownOf(quotes, services), '1d', { store: services.store, now });
  } catch (error) {
    if (error instanceof StoreUnavailable) return new Map();
    throw error;
  }
}

/** The confidence of the board's quotes; empty while the store cannot be read. */
async function shownConfidences(
  { quotes }: Snapshot,
  services: Services,
  now: Instant,
): Promise<ReadonlyMap<Market, Confidence>> {
  const shown = shownOf(quotes, services);
  try {
    const known = await confidenceOf(shown, services, now);
    return new Map(
      shown.flatMap(({ market }, place) => {
        const one = known[place];
        return one === undefined ? [] : [[market, one] as const];
      }),
    );
  } catch (error) {
    if (error instanceof StoreUnavailable) return new Map();
    throw error;
  }
}

function shownOf(quotes: readonly Quote[], { plans }: Services): readonly Quote[] {
  const plan = openPlan({ plans });
  return quotes.filter(({ market }) => marketInPlan(plans, plan, market));
}
