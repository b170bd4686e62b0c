import { buildSnapshot, observedRates, quoteFrom, type Snapshot } from '../../core/app/snapshot.ts';
import type { Edition } from '../../core/capability.ts';
import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import { currencyOf, isOfficial } from '../../core/domain/markets.ts';
import { type ChangedRate, ratesFromNow } from '../../core/domain/official.ts';
import type { Quote } from '../../core/domain/quotes.ts';
import { laterDay } from '../../core/domain/redenomination.ts';
import { type CaracasDay, caracasDayOf, type Instant } from '../../core/domain/time.ts';
import type { Transactions } from '../../core/storage/engine.ts';
import { records } from '../../core/storage/queries/records.ts';

/** What events and messages rest on, of the catalogue. */
export type WebhookRules = Pick<Edition, 'markets' | 'plans' | 'redenominations' | 'thresholds'>;

/** An official rate of a value date that is in force or to come. */
export interface OfficialDayRate extends ChangedRate {
  readonly currency: PublishedCurrency;
  readonly capturedAt: Instant;
}

/** What is published at an instant. */
export interface Occasion {
  readonly now: Instant;
  readonly today: CaracasDay;
  readonly snapshot: Snapshot;
  readonly official: readonly OfficialDayRate[];
  /** The published quotes, and of official markets also those to come, by subject. */
  readonly quotes: ReadonlyMap<string, Quote>;
  /** The subjects of those in doubt. */
  readonly inDoubt: ReadonlySet<string>;
}

/** What a doubt is about: a market, and for official rates the value date too. */
export function subjectOf({ market, effectiveDate }: Pick<Quote, 'market' | 'effectiveDate'>) {
  return effectiveDate === undefined ? market.id : `${market.id} ${effectiveDate}`;
}

export async function readOccasion(
  engine: Transactions,
  rules: Omit<WebhookRules, 'plans'>,
  now: Instant,
): Promise<Occasion> {
  const { markets, redenominations } = rules;
  const today = caracasDayOf(now);
  const stored = await records(engine).currentRecords(today);
  const snapshot = buildSnapshot(stored, markets, { ...rules, now, startedAt: now });
  const capturedAt = new Map(
    stored.quotes.map((quote) => [
      `${currencyOf(quote.market)} ${quote.effectiveDate}`,
      quote.observedAt ?? quote.capturedAt,
    ]),
  );
  const official = ratesFromNow(observedRates(stored.quotes), today, redenominations);
  const toCome = stored.quotes.flatMap((quote) => {
    const market = markets.find(quote.market);
    const { effectiveDate: day } = quote;
    if (market?.id !== quote.market || !isOfficial(market) || day === undefined) return [];
    if (day <= today) return [];
    return [quoteFrom(quote, market, { now, day: laterDay(day, today), redenominations })];
  });
  const contradicted = new Set(
    snapshot.doubtful.map(({ currency, valueDate, rate }) => `${currency} ${valueDate} ${rate}`),
  );
  const isContradicted = ({ market, effectiveDate, mid }: Quote) =>
    contradicted.has(`${currencyOf(market.id)} ${effectiveDate} ${mid}`);
  const inDoubt = [...snapshot.inDoubt, ...toCome.filter(isContradicted)];
  return {
    ...{ now, today, snapshot },
    official: official.map((rate) => ({
      ...rate,
      capturedAt: Math.min(capturedAt.get(`${rate.currency} ${rate.valueDate}`) ?? now, now),
    })),
    quotes: new Map([...snapshot.quotes, ...toCome].map((quote) => [subjectOf(quote), quote])),
    inDoubt: new Set(inDoubt.map(subjectOf)),
  };
}
