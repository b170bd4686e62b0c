import type { BankTable, Publication } from '../domain/bcv.ts';
import type { Capture, UtcRange } from '../domain/history.ts';
import type { MarkupRule } from '../domain/markup.ts';
import type { CaracasDay, Instant, UtcDay } from '../domain/time.ts';
import type { Archive } from './collecting/backfill.ts';

/** What the service needs from outside. Types only. */

export interface Clock {
  now(): Instant;
}

/** Structured log lines; the first argument holds fields, the second the sentence. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A quote as stored: the market by its id, the observation time beside the source's. */
export interface StoredQuote {
  readonly market: string;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly updatedAt: Instant;
  readonly capturedAt: Instant;
  /** Value date of an official rate. */
  readonly effectiveDate?: CaracasDay;
  /** Of an official rate: when it was read, for `capturedAt` is not before it takes effect. */
  readonly observedAt?: Instant;
  /** Of a current quote without value dates: the source whose batch brought it. */
  readonly source?: string;
}

/**
 * One checked record on its way into the store. A publication comes with the captures of the
 * official markets that follow from it; their `capturedAt` is when they take effect at the earliest.
 */
export interface Entry {
  readonly captures: readonly StoredQuote[];
  readonly publication?: Publication;
  readonly bankTable?: BankTable;
}

export interface BatchOrigin {
  /** Name of the source, `operator` for pushed records. */
  readonly source: string;
  readonly receivedAt: Instant;
  /** Where the records come from; pushed ones come from nowhere that could be named. */
  readonly provenance?: Provenance;
  /** The collectors' lease under which the batch is made; see `LeaseLost`. */
  readonly lease?: Lease;
}

/** What a capture can be traced back to. */
export interface Provenance {
  readonly parserVersion: number;
  /** One for each body of the reading, in order. */
  readonly bodies: readonly BodyReference[];
}

export interface BodyReference {
  readonly url: string;
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly digest: string;
}

/** The right to collect: one process has it at a time. Each taking has a greater token. */
export interface Lease {
  readonly holder: string;
  readonly token: number;
}

/** The lease went to another process meanwhile; nothing of what was to be written is stored. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process collects now.');
    this.name = 'LeaseLost';
  }
}

/** A quote, and since when it has had the same figures. */
export interface StandingQuote {
  readonly market: string;
  readonly updatedAt: Instant;
  /** Captured first with these figures, without others in between. */
  readonly unchangedSince: Instant;
}

/** What is known of a source, whichever process read it. */
export interface SourceState {
  readonly source: string;
  readonly lastAttemptAt?: Instant;
  /** Last reading that gave records, held ones too. */
  readonly lastSuccessAt?: Instant;
  /** When what it says last changed; update times alone are no change. */
  readonly lastChangeAt?: Instant;
  /** SHA-256 of what `lastChangeAt` is judged by. */
  readonly contentDigest?: string;
  /** The same of each market that it quoted, by its id. */
  readonly standing?: Readonly<
    Record<string, { readonly since: Instant; readonly digest: string }>
  >;
  readonly consecutiveFailures: number;
  /** Of the last attempt, when it failed. */
  readonly failure?: { readonly reason: FailureReason; readonly message: string };
  readonly nextRunAt?: Instant;
  /** Of the last success. */
  readonly provenance?: Provenance;
}

/** How the readings of a source ended on one day. */
export interface SourceDay {
  readonly source: string;
  readonly day: CaracasDay;
  readonly successes: number;
  readonly failures: number;
  /** Successes that brought other figures than the one before. */
  readonly changes: number;
}

/** A reading as it is kept for some weeks, so that another parser can be tried on it. */
export interface KeptReading {
  readonly source: string;
  readonly readAt: Instant;
  readonly bodies: readonly UpstreamBody[];
}

export type HeldStatus = 'held' | 'released' | 'rejected';

/** A record that judgement does not let pass. */
export interface Suspect {
  /** The id of a market, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  /** With its `captured_at`. */
  readonly record: SourceRecord;
  readonly capturedAt: Instant;
  /** Why, in one word and in words. */
  readonly reason: string;
  readonly message: string;
  /** Whether it still counts towards a confirmation; see `confirmedBy`. */
  readonly counts: boolean;
}

export interface HeldRecord extends Suspect {
  readonly id: string;
  readonly source: string;
  readonly provenance?: Provenance;
  readonly heldAt: Instant;
  readonly status: HeldStatus;
}

/** What a batch does besides storing its entries. */
export interface Settlement {
  readonly hold: readonly Suspect[];
  /** Held records, by id, that the batch stores after all. */
  readonly release: readonly string[];
  /** Held records, by id, that a good reading of their source has followed. */
  readonly discount: readonly string[];
}

export interface BatchCounts {
  /** Entries of which something was new. */
  readonly stored: number;
  /** Entries that were stored already, to the last field. */
  readonly duplicate: number;
}

/** All that a snapshot is made of, read at one instant. */
export interface CurrentRecords {
  /** Grows with every batch that stored something. */
  readonly version: number;
  /** When the newest batch was received; undefined before the first. */
  readonly fetchedAt: Instant | undefined;
  /**
   * The last capture of every market without value dates, and of what has them the newest
   * observation of the value date in force, of the one before and of each later one. The
   * currencies of a publication that no market quotes are here too, by their code.
   */
  readonly quotes: readonly StoredQuote[];
  /** The last captured publication that has one of the other currencies. */
  readonly publication: Publication | undefined;
  readonly bankTable: BankTable | undefined;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  /** Name of a plan of the catalogue. */
  readonly plan: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Instant;
}

/** A key without its secret: `digest` is the SHA-256 of the whole key in lower-case hex. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly digest: string;
  readonly createdAt: Instant;
  /** From then on the key is refused. */
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
}

/** What a key opens, read in one go. */
export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
  readonly markups: readonly MarkupRule[];
}

/** The windows in which calls are counted. */
export type UsageWindow = 'minute' | 'hour' | 'month';

export interface UnitsAsk {
  readonly accountId: string;
  readonly window: UsageWindow;
  /** Most units in the window. */
  readonly limit: number;
  /** Units that calls wait for: granted while any remain. */
  readonly need: number;
  /** Units wanted in all, to have some in hand: granted while plenty remain. */
  readonly want: number;
  /** What the holder has of the window. */
  readonly held?: HeldUnits;
  /** Units spent without the store, in a window that it has not heard of. */
  readonly owed?: { readonly since: Instant; readonly units: number };
}

export interface UnitsGrant {
  /** When the window opened: the first call for minute and hour, the first of the month for month. */
  readonly openedAt: Instant;
  /** Negative when units in hand were given to others, because the holder was taken for dead. */
  readonly granted: number;
  /** What the holder is known to have unspent now: all but what calls wait for. */
  readonly reported: number;
  /** Units of the window handed out so far, these included. */
  readonly taken: number;
  /** Unspent units in the hands of others, as they last said. */
  readonly heldElsewhere: number;
  /** Those of them that will come back when they are wanted. */
  readonly recallable: number;
}

/** Units of a window in the hands of a process. */
export interface HeldUnits {
  readonly openedAt: Instant;
  /** Unspent now. */
  readonly units: number;
  /** Unspent when the store was last told; 0 when it knows of none. */
  readonly reported: number;
}

/** Units of an account's window that a process gives back or tells of. */
export interface AccountUnits extends HeldUnits {
  readonly accountId: string;
  readonly window: UsageWindow;
}

export type UsageCount = Pick<UnitsGrant, 'openedAt' | 'taken' | 'heldElsewhere'>;

/** What a process that lives is told. */
export interface HolderRenewal {
  /** Live processes that hold units, this one included. */
  readonly holders: number;
  /** Those of what it told of that others got, for it was taken for dead. */
  readonly lost: readonly AccountUnits[];
}

/** What an account called at one endpoint on one UTC day. */
export interface UsageDay {
  readonly accountId: string;
  readonly day: UtcDay;
  /** Method and path, as in `GET /v1/fx/rates/:market`. */
  readonly endpoint: string;
  /** Answered and refused ones. */
  readonly calls: number;
  /** Units of the month that the answered ones cost. */
  readonly units: number;
  /** Calls refused with a 4xx status. */
  readonly clientErrors: number;
  /** Calls that failed with a 5xx status. */
  readonly serverErrors: number;
}

/** The store cannot be reached, or stayed locked longer than a caller may wait. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/**
 * A record as it stands on a line of NDJSON (decisions §7). Ingestion checks it whoever made it, so
 * a source need not.
 */
export type SourceRecord = Readonly<Record<string, unknown>> & {
  readonly kind: 'quote' | 'official' | 'bank_table';
};

export interface UpstreamRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly json?: unknown;
  /** Media types an answer may have; any other is a failure. */
  readonly accept: readonly string[];
}

/** A body as it came, without its transfer and content coding, in its own charset. */
export interface UpstreamBody {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The `Content-Type` header. */
  readonly contentType?: string;
}

/** Makes one request. @throws SourceFailure for all but a whole answer of status 200. */
export type Fetch = (request: UpstreamRequest) => Promise<UpstreamBody>;

/** Why a source could not be read; `reason` is one word for metrics, the message is for people. */
export type FailureReason =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'content_type'
  | 'too_large'
  | 'forbidden_address'
  | 'paused'
  | 'content'
  | 'refused';

export class SourceFailure extends Error {
  readonly reason: FailureReason;
  /** How long upstream asked to be left alone (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.name = 'SourceFailure';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** When a source is read: times in Caracas, as five-field cron patterns. */
export interface ScheduleRule {
  readonly cron: string;
  /** Only on business days, and only until the publication expected that day has been seen. */
  readonly whileExpected: boolean;
}

/** What is read: one upstream, its records and when. */
export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Why it is off, when that is not the operator's switch. */
  readonly whyOff?: string;
  readonly url: string;
  readonly schedule: readonly ScheduleRule[];
  /** Most milliseconds a reading starts after its time, so that not all start at once. */
  readonly jitterMs: number;
  /** Whole of one request, from name to last byte. */
  readonly timeoutMs: number;
  /** Read only when the source of that name failed at its last turn. */
  readonly fallbackFor?: string;
  /** Ids of the markets it quotes; empty for the tables of the central bank. */
  readonly markets: readonly string[];
  /** Grows whenever the same body would give other records. */
  readonly parserVersion: number;
  /** Asks for the bodies of one reading, in order. */
  read(fetch: Fetch): Promise<readonly UpstreamBody[]>;
  /** Pure. @throws SourceFailure `content` when the bodies are not what the source publishes. */
  parse(bodies: readonly UpstreamBody[]): readonly SourceRecord[];
  /** Of a source that has the past: its files. */
  archive?(fetch: Fetch): Archive;
}

/** What is durable. Every method that writes returns only once its effect survives a power cut. */
export interface Store {
  // Records

  /**
   * Stores a batch whole or not at all. `confirm` is asked after the last entry and before the
   * commit; false undoes everything. The counts are the same either way.
   * @throws LeaseLost when the origin has a lease that is no longer the current one.
   */
  appendBatch(
    origin: BatchOrigin,
    entries: AsyncIterable<Entry> | Iterable<Entry>,
    confirm: () => boolean | Settlement,
  ): Promise<BatchCounts>;
  /** `today` is the Caracas day of the snapshot. */
  currentRecords(today: CaracasDay): Promise<CurrentRecords>;
  /** The last capture before `before`, exclusive. */
  lastCaptureBefore(market: string, before: Instant): Promise<Capture | undefined>;
  /** The official rate of the newest value date up to `date`, inclusive. */
  officialRateUpTo(market: string, date: CaracasDay): Promise<StoredQuote | undefined>;
  /** The value dates of an official market from `since` on, inclusive, in order. */
  valueDatesSince(market: string, since: CaracasDay): Promise<readonly CaracasDay[]>;
  /** The last publication captured before `before`, exclusive. */
  lastPublicationBefore(before: Instant): Promise<Publication | undefined>;
  /** When the newest batch of a source was received. */
  lastBatchOf(source: string): Promise<Instant | undefined>;
  /** The markets without value dates whose last capture a source brought. */
  standingQuotes(source: string): Promise<readonly StandingQuote[]>;
  /** The last capture of each UTC day in `[start, end)`, oldest first. */
  lastCaptureOfEachDay(market: string, start: Instant, end: Instant): Promise<readonly Capture[]>;
  /** The most recent `limit` captures in `[start, end)`, oldest first. */
  latestCaptures(
    market: string,
    range: { readonly start: Instant; readonly end: Instant },
    limit: number,
  ): Promise<readonly Capture[]>;

  // Collecting

  /** Takes the lease or renews it. @returns undefined while another holder has it. */
  takeLease(holder: string, now: Instant, until: Instant): Promise<Lease | undefined>;
  /** Gives the lease up, if it is still the holder's. */
  dropLease(lease: Lease): Promise<void>;
  sourceStates(): Promise<readonly SourceState[]>;
  /**
   * Saves what a reading left behind, and counts the reading in its day.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  saveSourceState(state: SourceState, lease?: Lease): Promise<void>;
  /** The days from `since` on, inclusive, on which sources were read, in order. */
  sourceDays(since: CaracasDay): Promise<readonly SourceDay[]>;
  /**
   * Keeps the bodies, compressed; equal bodies are kept once.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  keepReading(reading: KeptReading, lease?: Lease): Promise<void>;
  /** The times of the kept readings of a source, oldest first. */
  keptReadingTimes(source: string): Promise<readonly Instant[]>;
  keptReading(source: string, readAt: Instant): Promise<KeptReading | undefined>;
  /**
   * Forgets kept readings, held records and the days of sources from before.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  forgetBefore(before: Instant, lease?: Lease): Promise<void>;
  /** Held records, newest first, at most `limit`. */
  listHeld(status: HeldStatus, limit: number): Promise<readonly HeldRecord[]>;
  /** Those that still count towards a confirmation, oldest first, of each subject and source. */
  countingHeld(): Promise<readonly HeldRecord[]>;
  findHeld(id: string): Promise<HeldRecord | undefined>;
  /** How many records of each source are held. */
  countHeld(): Promise<ReadonlyMap<string, number>>;
  /** @returns false when it is not held (any more). */
  rejectHeld(id: string): Promise<boolean>;

  // What can be done without

  /** When each market was captured first, by its id. */
  firstCaptures(): Promise<ReadonlyMap<string, Instant>>;
  /**
   * Goes through a short stretch of a market's captures in `[from, before)`. Removes those after
   * which another came on the same UTC day, of the same value date; a dry run counts them.
   * @returns what it met, what of it is gone, and where to go on: undefined at the end.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  thinCaptures(
    place: { readonly market: string; readonly from: Instant; readonly before: Instant },
    options: { readonly dryRun: boolean; readonly lease?: Lease },
  ): Promise<{
    readonly captures: number;
    readonly thinned: number;
    readonly next: Instant | undefined;
  }>;
  /** Of the batches received before, at least all of which something is left. */
  referencedBatches(before: Instant): Promise<ReadonlySet<number>>;
  /**
   * Goes through some batches after the one given. Forgets those received before that are not to be
   * kept, but never the newest of a source.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  forgetBatches(stretch: {
    readonly after: number;
    readonly before: Instant;
    readonly keep: ReadonlySet<number>;
    readonly lease?: Lease;
  }): Promise<{ readonly forgotten: number; readonly next: number | undefined }>;

  // Accounts and keys

  createAccount(account: Account): Promise<void>;
  listAccounts(): Promise<readonly Account[]>;
  /** How many accounts are on each plan. */
  countAccounts(): Promise<ReadonlyMap<string, number>>;
  findAccount(id: string): Promise<Account | undefined>;
  /** @returns false when there is no such account. */
  updateAccount(
    id: string,
    change: { readonly plan?: string; readonly status?: Account['status'] },
  ): Promise<boolean>;
  /** Removes the account with its keys and rules. @returns false when there is no such account. */
  deleteAccount(id: string): Promise<boolean>;
  /** @returns false, and stores nothing, when the account has `maxLive` keys that are live at `now`. */
  createKey(key: ApiKey, maxLive: number | null, now: Instant): Promise<boolean>;
  listKeys(accountId: string): Promise<readonly ApiKey[]>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /** @returns false when there is no such key. Revoking twice keeps the first time. */
  revokeKey(id: string, at: Instant): Promise<boolean>;
  /**
   * Adds `next` and lets the old key expire at `oldExpiresAt`, in one step.
   * @returns what stood in the way: the old key is revoked or expired when `next` begins, or the
   *   account has `maxLive` live keys then.
   */
  rotateKey(
    oldId: string,
    oldExpiresAt: Instant,
    next: ApiKey,
    maxLive: number | null,
  ): Promise<'rotated' | 'dead' | 'full'>;
  findKeyHolder(digest: string): Promise<KeyHolder | undefined>;
  listMarkups(accountId: string): Promise<readonly MarkupRule[]>;
  /** @returns what stood in the way: the tag's presence or absence, or the account's maximum. */
  saveMarkup(
    accountId: string,
    rule: MarkupRule,
    mode: 'create' | 'replace' | 'either',
    max: number | null,
  ): Promise<'saved' | 'exists' | 'missing' | 'full'>;
  deleteMarkup(accountId: string, tag: string): Promise<boolean>;

  // Usage

  /**
   * Hands units of each window to `holder`, opening a window that is over, in one transaction.
   * When none remain but other holders have some, those are asked for (see `wantedFrom`).
   * @param options.reclaim Whether the units of holders that are dead may be handed out.
   */
  takeUnits(
    holder: string,
    asks: readonly UnitsAsk[],
    options: { readonly now: Instant; readonly reclaim: boolean },
  ): Promise<readonly UnitsGrant[]>;
  returnUnits(holder: string, returns: readonly AccountUnits[]): Promise<void>;
  /** Says that `holder` lives, and what it has unspent of these windows. */
  renewHolder(
    holder: string,
    inHand: readonly AccountUnits[],
    now: Instant,
  ): Promise<HolderRenewal>;
  /** Windows of which `holder` has units while another process ran out of them. */
  wantedFrom(holder: string): Promise<readonly { accountId: string; window: UsageWindow }[]>;
  /** Units handed out in the account's current month, and those unspent but in `holder`'s hands. */
  monthUsage(holder: string, accountId: string, now: Instant): Promise<UsageCount>;
  /** Adds to what is counted of the same account, day and endpoint. */
  addUsageDays(counts: readonly UsageDay[]): Promise<void>;
  /** By day, then by endpoint. */
  usageDays(accountId: string, range: UtcRange): Promise<readonly UsageDay[]>;
  /** Forgets the days before `first`, of every account. */
  forgetUsageDaysBefore(first: UtcDay): Promise<void>;

  // News

  /** `records` grows with every stored batch, `access` with every change of accounts and keys. */
  versions(): Promise<{ readonly records: number; readonly access: number }>;
  /** Accounts changed after that version of `access`, deleted ones too. */
  accountsChangedSince(access: number): Promise<readonly string[]>;

  // Care

  /** Writes a consistent copy to a file that does not exist yet. */
  backup(file: string): Promise<void>;
  /** Reads everything. @returns what is damaged, empty when nothing is. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
