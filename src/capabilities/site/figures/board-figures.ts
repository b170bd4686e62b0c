import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { marketInPlan } from '../../../core/app/access/access.ts';
import type { ChangeSince } from '../../../core/app/changes.ts';
import type { Confidence } from '../../../core/app/confidence.ts';
import { firstStoredDay, pastRates } from '../../../core/app/past-rates.ts';
import type { ServiceState } from '../../../core/app/service-state.ts';
import type { Snapshot } from '../../../core/app/snapshot.ts';
import {
  ageView,
  asOfView,
  confidenceView,
  rateView,
  standingView,
  unitChangesView,
} from '../../../core/app/views.ts';
import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import {
  DATE_RULES,
  nothingStoredYet,
  type PastDate,
  requireDayInDepth,
  requireKnownDay,
} from '../../../core/domain/history/past-dates.ts';
import {
  isOfficial,
  type Market,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../../../core/domain/markets.ts';
import type { Quote } from '../../../core/domain/quotes.ts';
import { laterDay, unitAt, unitOfDay } from '../../../core/domain/redenomination.ts';
import { type CaracasDay, type Instant, isoInstant } from '../../../core/domain/time.ts';
import type { StateView } from '../../../core/domain/words/state-words.ts';
import { bankTableView } from '../../../core/http/endpoints/central-bank/bcv.ts';
import { currencyView, inDoubtView } from '../../../core/http/endpoints/central-bank/official.ts';
import { isOpenMarket, openPlan } from '../../../core/http/endpoints/open-plan.ts';
import { sinceView } from '../../../core/http/endpoints/rates/changes.ts';
import { lastValueDateOf } from '../../../core/http/endpoints/rates/past-date.ts';
import { unitChanges } from '../../../core/http/endpoints/rates/units.ts';
import { indexSourcesView, indexView } from '../../../core/http/endpoints/reference-index.ts';
import { stateView } from '../../../core/http/endpoints/state-view.ts';
import { caracasDayText } from '../../../core/http/pipeline/schemas.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { BoardFigures, BoardPast } from '../board/board-figures.ts';
import { type PastFigures, trendsOf } from './board-trends.ts';

interface BoardParts {
  readonly state: ServiceState;
  readonly services: Pick<Services, 'plans' | 'watch' | 'markets' | 'redenominations'>;
  readonly origin: string;
  readonly historyDays: number;
  readonly changes: ReadonlyMap<Market, ChangeSince>;
  readonly confidences: ReadonlyMap<Market, Confidence>;
  readonly past: PastFigures;
}

/** The board's figures at `now`, made by the same functions as those of the API. */
export function boardFigures(snapshot: Snapshot, now: Instant, parts: BoardParts): BoardFigures {
  const { services, origin, historyDays, past } = parts;
  const state = stateView(parts.state);
  const changes = Object.fromEntries(
    [...parts.changes].map(([{ id }, since]) => [id, sinceView(since)]),
  );
  const quotes = snapshot.quotes.filter(({ market }) => isOpenMarket(services, market));
  const reference = quotes.find(({ market }) => market.id === OFFICIAL_USD);
  const missing = missingMarkets(state, quotes, services);
  const { index, bankTable } = snapshot;
  const rates = quotes.map((quote) => boardRate(quote, reference, now, parts));
  const details = rates.map((rate) => rate.details);
  return {
    version: versionOf(snapshot, { state, changes, details }),
    as_of: isoInstant(now),
    fetched_at: isoInstant(snapshot.fetchedAt),
    state,
    missing: missing.length > 0 ? missing : undefined,
    official: Object.fromEntries(
      [...snapshot.official].map(([currency, ofCurrency]) => [currency, currencyView(ofCurrency)]),
    ),
    in_doubt: inDoubtView(snapshot.doubtful),
    ...unitChanges(
      {
        from: unitAt(now),
        to: announcedDays(snapshot).map(unitOfDay).reduce(laterDay, unitAt(now)),
      },
      { services, input: {} },
    ),
    p2p: p2pView(snapshot),
    index: index && indexView(index, { snapshot, origin }),
    index_sources: index && indexSourcesView(index),
    gap: premiumView(quotes, reference),
    trends: trendsOf(snapshot, now, past),
    rates,
    banks: bankTable && bankTableView(bankTable),
    changes,
    history_days: historyDays,
  };
}

/** The value dates of the next official rates and of those in doubt. */
function announcedDays({ official, doubtful }: Snapshot): readonly CaracasDay[] {
  const next = [...official.values()].flatMap((rates) => rates.next ?? []);
  return [...next, ...doubtful].map(({ valueDate }) => valueDate);
}

/**
 * A version of the answer. Within a snapshot it changes with the state, the rates of a day ago and
 * the confidence of the quotes.
 */
function versionOf({ version, validFrom }: Snapshot, besides: object): string {
  const parts = [version, validFrom, crc32(JSON.stringify(besides))];
  return parts.map((part) => part.toString(36)).join('-');
}

/** The board's markets that the reasons name and that have no rate. */
function missingMarkets(
  { reasons }: StateView,
  quotes: readonly Quote[],
  { markets, plans }: Pick<Services, 'markets' | 'plans'>,
): NonNullable<BoardFigures['missing']> {
  const plan = openPlan({ plans });
  const quoted = new Set(quotes.map(({ market }) => market.id));
  const named = new Set(reasons.flatMap(({ markets: ids = [] }) => ids));
  return [...named].flatMap((id) => {
    const market = quoted.has(id) ? undefined : markets.find(id);
    if (market === undefined || !marketInPlan(plans, plan, market)) return [];
    const { name, nameEn, type, base } = market;
    return [{ market: id, name, name_en: nameEn, type, base }];
  });
}

function namedRate(quote: Quote) {
  return { ...rateView(quote), name: quote.market.name, name_en: quote.market.nameEn };
}

function boardRate(
  quote: Quote,
  reference: Quote | undefined,
  now: Instant,
  { services, confidences }: BoardParts,
): BoardFigures['rates'][number] {
  const confidence = confidences.get(quote.market);
  return {
    ...namedRate(quote),
    ...ageView(quote, now),
    in_doubt: quote.inDoubt,
    unchanged_since: standingView(quote).unchanged_since,
    frozen: quote.isFrozen,
    gap_percent: premiumPercent(quote, reference?.mid),
    source: sourceOf(quote, services),
    details: confidence && confidenceView(confidence),
  };
}

/** The premium of a quote over the official dollar in percent, where it applies. */
export function premiumPercent(
  { market, mid }: Pick<Quote, 'market' | 'mid'>,
  reference: number | undefined,
): number | undefined {
  if (reference === undefined || isOfficial(market) || market.base !== 'USD') return undefined;
  return premiumOf({ reference, compared: mid }).percentage;
}

function sourceOf({ market, source }: Quote, { watch }: BoardParts['services']) {
  if (isOfficial(market) || source === undefined) {
    return { name: 'Banco Central de Venezuela', kind: 'official' };
  }
  return { name: source, kind: watch.kindOf(source) };
}

function p2pView({ index, stale }: Snapshot): BoardFigures['p2p'] {
  const median = index?.p2pMedian;
  const quotes = index?.used.find(({ name }) => name === 'p2p')?.quotes;
  if (median === undefined || quotes === undefined) return undefined;
  return {
    median,
    count: quotes.length,
    updated_at: isoInstant(Math.min(...quotes.map(({ updatedAt }) => updatedAt))),
    stale_count: quotes.filter((quote) => stale.includes(quote)).length,
  };
}

function premiumView(quotes: readonly Quote[], reference: Quote | undefined): BoardFigures['gap'] {
  const compared = quotes.find(({ market }) => market.id === PARALLEL_MARKET);
  if (reference === undefined || compared === undefined) return undefined;
  return {
    reference: { market: reference.market.id, value: reference.mid },
    compared: {
      market: compared.market.id,
      value: compared.mid,
      updated_at: isoInstant(compared.updatedAt),
    },
    spread: premiumOf({ reference: reference.mid, compared: compared.mid }),
  };
}

export const pastQuery = z.object({
  date: caracasDayText('A day in Caracas.', 'Un día en Caracas.'),
  rule: z.enum(DATE_RULES).optional(),
});

/**
 * Validates the parameters.
 * @throws ApiError `400` for a day that is not known yet, `403 history_out_of_retention` for a day before the
 *   operator's limit.
 */
export function boardPastDate(
  { date, rule = 'value_date' }: z.output<typeof pastQuery>,
  {
    historyDays,
    now,
    services,
  }: {
    readonly historyDays: number;
    readonly now: Instant;
    readonly services: Pick<Services, 'snapshots'>;
  },
): PastDate {
  const lastValueDate = lastValueDateOf(undefined, services.snapshots.at(now));
  requireKnownDay({ field: 'date', day: date }, { now, lastValueDate });
  requireDayInDepth({ days: historyDays, ofPlans: [] }, date, now);
  return { date, rule };
}

/**
 * The rates of the board's markets on a past day; official ones by `rule` (contract §9).
 * @throws ApiError `rate_not_published`, or `resource_not_found` when nothing is stored that early.
 */
export async function boardPast(
  pastDate: PastDate,
  now: Instant,
  services: Pick<
    Services,
    'store' | 'markets' | 'plans' | 'calendar' | 'redenominations' | 'watch'
  >,
): Promise<BoardPast> {
  const markets = services.markets.list.filter((market) => isOpenMarket(services, market));
  const pastQuotes = await pastRates(markets, pastDate, { ...services, now });
  if (pastQuotes.length === 0)
    throw nothingStoredYet(await firstStoredDay(markets, services.store));
  const rates = pastQuotes.map(({ quote, asOf }) => ({
    ...namedRate(quote),
    source: sourceOf(quote, services),
    as_of: asOfView(asOf),
    ...unitChangesView(asOf.unitChanges),
  }));
  return { date: pastDate.date, rates };
}
