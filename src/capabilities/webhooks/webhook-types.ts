import type { Plan } from '../../core/domain/plans.ts';
import type { Instant } from '../../core/domain/time.ts';

/** What an endpoint may ask for (contract §24). Receivers compare these names, so none is renamed. */
export const WEBHOOK_EVENTS = [
  'official.published',
  'official.in_force',
  'official.corrected',
  'rate.changed',
  'rate.in_doubt',
  'source.degraded',
  'source.recovered',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent when an account asks for it, whatever the endpoint asks for. */
export const TEST_EVENT = 'webhook.test';
export type MessageType = WebhookEvent | typeof TEST_EVENT;

export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/**
 * Why the service stopped sending to an endpoint. `failing`: every attempt of five days failed.
 * `gone`: it answered 410.
 */
export const DISABLED_REASONS = ['failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/**
 * `superseded`: before it was delivered, the same market changed again. `failed`: its attempts are
 * used up, or the endpoint was disabled; it can be asked for again.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'superseded'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What an account decides about an endpoint. */
export interface WebhookWish {
  /** As `URL` writes it. */
  readonly url: string;
  /** At least one, none twice. */
  readonly events: readonly WebhookEvent[];
  /** Ids of the markets of `rate.changed` and `rate.in_doubt`; every market of the plan when empty. */
  readonly markets: readonly string[];
  readonly thresholdPercent: number;
  readonly description?: string | undefined;
  readonly active: boolean;
}

export interface Webhook extends Omit<WebhookWish, 'active'> {
  readonly id: string;
  readonly accountId: string;
  readonly status: WebhookStatus;
  /** Only of a disabled one. */
  readonly disabledReason?: DisabledReason;
  /** Since when every attempt has failed. */
  readonly failingSince?: Instant;
  readonly lastSuccessAt?: Instant;
  readonly createdAt: Instant;
}

/** A message to an endpoint. Its id is the `webhook-id` of every attempt. */
export interface Delivery {
  readonly messageId: string;
  readonly type: MessageType;
  readonly status: DeliveryStatus;
  readonly createdAt: Instant;
  readonly attemptsMade: number;
  /** Only of a pending one. */
  readonly nextAttemptAt?: Instant;
  /** Status of the last answer; absent without one. */
  readonly lastStatus?: number;
  /** Why the last attempt failed. */
  readonly lastError?: string;
}

export interface DeliveryAttempt {
  /** From 1. */
  readonly number: number;
  readonly at: Instant;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
  /** The beginning of the answer. */
  readonly excerpt: string;
}

export interface DeliveryDetails extends Delivery {
  /** The JSON text that is sent. */
  readonly payload: string;
  /** The last ones, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  /** The id of a message: those that are older. */
  readonly before?: string | undefined;
  /** At most `MAX_DELIVERIES`. */
  readonly limit: number;
}

/** A refusal, as a word: the caller says it in the language of the request. */
export type NotThere = 'missing';
/** The endpoint is paused or disabled, so nothing would be sent. */
export type Inactive = 'inactive';

/** What accounts and operators do with endpoints. Every method finds only the account's own. */
export interface WebhookStore {
  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]>;
  find(accountId: string, id: string): Promise<Webhook | undefined>;
  /**
   * Creates an endpoint. It is told what happens from now on.
   * @param max Of the account's plan; null for no limit.
   */
  create(
    accountId: string,
    wish: WebhookWish,
    options: { readonly max: number | null; readonly now: Instant },
  ): Promise<{ readonly webhook: Webhook; readonly secret: string } | 'exists' | 'full'>;
  /** Replaces all that the account decides. `active` revives a disabled one, without what it missed. */
  replace(
    accountId: string,
    id: string,
    wish: WebhookWish,
    now: Instant,
  ): Promise<Webhook | NotThere | 'exists'>;
  delete(accountId: string, id: string): Promise<boolean>;
  /** A new secret. The one before signs too for `graceMs`; of two rotations only the last one. */
  rotate(
    accountId: string,
    id: string,
    options: { readonly graceMs: number; readonly now: Instant },
  ): Promise<
    { readonly secret: string; readonly previousExpiresAt: Instant | undefined } | NotThere
  >;
  /** Sends `webhook.test`. `too_many` beyond `MAX_TESTS_PER_MINUTE`. @returns the id of the message. */
  test(
    accountId: string,
    id: string,
    now: Instant,
  ): Promise<{ readonly messageId: string } | NotThere | Inactive | 'too_many'>;
  /** Newest first. */
  deliveries(
    accountId: string,
    id: string,
    filter: DeliveryFilter,
  ): Promise<readonly Delivery[] | NotThere>;
  delivery(accountId: string, id: string, messageId: string): Promise<DeliveryDetails | NotThere>;
  /** Sends a message again, delivered or not, with its id. */
  redeliver(
    accountId: string,
    id: string,
    message: { readonly messageId: string; readonly now: Instant },
  ): Promise<'accepted' | NotThere | Inactive>;
  /**
   * Sends again what failed since then, and what the endpoint was not told while it was paused or
   * disabled; the oldest `MAX_RECOVERED`.
   * @returns how many messages.
   */
  recover(
    accountId: string,
    id: string,
    span: { readonly since: Instant; readonly now: Instant },
  ): Promise<{ readonly count: number } | NotThere | Inactive>;
}

/**
 * Whether nothing is sent to a webhook: of those of an account the oldest count.
 * @param older How many of them are older.
 */
export function isOverPlan({ webhooksMax }: Pick<Plan, 'webhooksMax'>, older: number): boolean {
  return webhooksMax !== null && older >= webhooksMax;
}

/** Deliveries of one answer. */
// limit: Deliveries of one answer | 100 | the next page
export const MAX_DELIVERIES = 100;
// limit: Messages of one recovery | 1,000 | the next one
export const MAX_RECOVERED = 1_000;
// limit: Tests of a webhook | 10 a minute | 429
export const MAX_TESTS_PER_MINUTE = 10;
export const MAX_WEBHOOK_EVENTS = 10;
export const MAX_WEBHOOK_MARKETS = 100;
/** In characters. */
// limit: Address, description, events, markets | 2,000, 200 characters, 10, 100 | 400 | MAX_WEBHOOK_DESCRIPTION_LENGTH, MAX_WEBHOOK_EVENTS, MAX_WEBHOOK_MARKETS
export const MAX_WEBHOOK_URL_LENGTH = 2_000;
export const MAX_WEBHOOK_DESCRIPTION_LENGTH = 200;
// limit: Threshold of `rate.changed` | 0.01 to 50 % | 400 | MAX_THRESHOLD_PERCENT
export const MIN_THRESHOLD_PERCENT = 0.01;
export const MAX_THRESHOLD_PERCENT = 50;
export const DEFAULT_THRESHOLD_PERCENT = 1;
/** In seconds. */
// limit: Former secret signs | 7 days | 400
export const MAX_SECRET_GRACE_SEC = 604_800;
export const DEFAULT_SECRET_GRACE_SEC = 86_400;
