import { LeaseLost } from '../../../core/app/failures.ts';
import type { Lease } from '../../../core/app/ports/lease.ts';
import { repeat } from '../../../core/app/repeat.ts';
import { ThrottledLog } from '../../../core/app/throttled-log.ts';
import type { Edition } from '../../../core/capability.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../core/domain/time.ts';
import type { Queries } from '../../../core/storage/engine.ts';
import { requireLease } from '../../../core/storage/queries/collecting.ts';
import { DegradedSources } from '../degraded.ts';
import { type DegradedSource, EVENTS_KEPT_MS, newsOf, storeNews } from '../events.ts';
import { type Occasion, readOccasion } from '../occasion.ts';
import { fanOut } from './fan-out.ts';
import type { Sender, SenderParts } from './sender.ts';

const TICK_MS = SECOND_MS;
/** How often the conditions of the sources are looked at. */
const SOURCES_EVERY_MS = 15 * SECOND_MS;
/** How often every rate is compared with what is known of it: an endpoint may have been revived. */
// limit: Once active again, told unknown rates | within 1 min
const COMPARE_EVERY_MS = MINUTE_MS;
const REMOVE_EVERY_MS = HOUR_MS;
// limit: Messages and attempts kept | 30 days | removed
export const MESSAGES_KEPT_MS = 30 * DAY_MS;
/** Rows that one transaction removes. */
const REMOVED_AT_ONCE = 500;

interface DelivererParts extends Pick<SenderParts, 'engine' | 'clock' | 'log' | 'lease'> {
  readonly edition: () => Edition;
  readonly sender: Sender;
}

/** What was looked at last, under a lease. Another holder looks at everything again. */
interface Seen {
  readonly lease: Lease;
  /** The version of the records. */
  readonly records: number;
  readonly occasion: Occasion;
  readonly edition: Edition;
}

/**
 * Makes events of what is published and messages of them, and has them sent, while this process holds
 * the lease to collect. Without an endpoint it only asks whether there is one.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #degraded = new DegradedSources();
  readonly #failed: ThrottledLog;
  #seen: Seen | undefined;
  #sourcesSeenAt = Number.NEGATIVE_INFINITY;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #removedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#failed = new ThrottledLog(parts.log, 'the messages of webhooks could not be made');
  }

  start(): () => Promise<void> {
    const stop = repeat(TICK_MS, () => this.tick());
    return async () => {
      await stop();
      await this.#parts.sender.stop();
    };
  }

  /** Looks once. Never rejects. */
  async tick(): Promise<void> {
    const { engine, clock, lease: current, sender } = this.#parts;
    const now = clock.now();
    try {
      const lease = current();
      const state = lease && (await engine.read(stateOf));
      if (lease === undefined || state?.hasEndpoints !== true) {
        this.#seen = undefined;
        return;
      }
      await this.#tell(lease, state.records, now);
      await sender.wake();
      await this.#remove(lease, now);
    } catch (error) {
      // Whatever was not told is looked at again.
      this.#seen = undefined;
      if (!(error instanceof LeaseLost)) this.#failed.warn({ err: error }, now);
    }
  }

  async #tell(lease: Lease, records: number, now: Instant): Promise<void> {
    const { engine, edition: current } = this.#parts;
    const edition = current();
    const seen = this.#seen?.lease.token === lease.token ? this.#seen : undefined;
    const { validFrom = now, validUntil = now } = seen?.occasion.snapshot ?? {};
    const isSame =
      seen?.records === records && seen.edition === edition && now >= validFrom && now < validUntil;
    const degraded = await this.#lookAtSources(edition, now);
    const comparesAll = seen === undefined || Math.abs(now - this.#comparedAt) >= COMPARE_EVERY_MS;
    if (isSame && degraded === undefined && !comparesAll) return;
    const occasion = isSame ? seen.occasion : await readOccasion(engine, edition, now);
    const hasNews = await this.#underLease(lease, async (db) => {
      const news = await newsOf(db, { ...occasion, now }, edition.redenominations, degraded);
      return storeNews(db, news, now);
    });
    const changed = changedMarkets(comparesAll ? undefined : seen.occasion, occasion);
    for (
      let after: string | undefined = hasNews || comparesAll || changed.size > 0 ? '' : undefined;
      after !== undefined;
    ) {
      const page = { after, changed };
      after = await this.#underLease(lease, (db) =>
        fanOut(db, edition, { ...occasion, now }, page),
      );
    }
    this.#seen = { lease, records, occasion, edition };
    if (comparesAll) this.#comparedAt = now;
  }

  async #lookAtSources(
    { watch }: Edition,
    now: Instant,
  ): Promise<readonly DegradedSource[] | undefined> {
    if (Math.abs(now - this.#sourcesSeenAt) < SOURCES_EVERY_MS) return undefined;
    this.#sourcesSeenAt = now;
    return this.#degraded.at(now, (await watch.health()).sources);
  }

  #underLease<T>(lease: Lease, work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#parts.engine.write({ collecting: true }, async (db) => {
      await requireLease(db, lease);
      return work(db);
    });
  }

  async #remove(lease: Lease, now: Instant): Promise<void> {
    if (Math.abs(now - this.#removedAt) < REMOVE_EVERY_MS) return;
    this.#removedAt = now;
    while (await this.#underLease(lease, (db) => removeExpired(db, now)));
  }
}

async function stateOf(db: Queries) {
  const endpoint = await db.selectFrom('webhook_endpoint').select('id').limit(1).executeTakeFirst();
  const version = await db
    .selectFrom('version')
    .select('seq')
    .where('topic', '=', 'records')
    .executeTakeFirstOrThrow();
  return { hasEndpoints: endpoint !== undefined, records: version.seq };
}

/** The markets with another rate than before; all when nothing is known of before. */
function changedMarkets(before: Occasion | undefined, { snapshot }: Occasion): Set<string> {
  const changed = snapshot.quotes.filter(
    ({ market, mid }) => before?.snapshot.quoteOf(market)?.mid !== mid,
  );
  return new Set(changed.map(({ market }) => market.id));
}

/** Removes some of what is old. @returns whether there may be more. */
async function removeExpired(db: Queries, now: Instant): Promise<boolean> {
  const messages = await db
    .selectFrom('webhook_message')
    .select('id')
    .where('created_at', '<', now - MESSAGES_KEPT_MS)
    .limit(REMOVED_AT_ONCE)
    .execute();
  const events = await db
    .selectFrom('webhook_event')
    .select('seq')
    .where('at', '<', now - EVENTS_KEPT_MS)
    .where('is_open', '=', 0)
    .limit(REMOVED_AT_ONCE)
    .execute();
  const ids = messages.map(({ id }) => id);
  const seqs = events.map(({ seq }) => seq);
  if (ids.length > 0) await db.deleteFrom('webhook_message').where('id', 'in', ids).execute();
  if (seqs.length > 0) await db.deleteFrom('webhook_event').where('seq', 'in', seqs).execute();
  return Math.max(ids.length, seqs.length) === REMOVED_AT_ONCE;
}
