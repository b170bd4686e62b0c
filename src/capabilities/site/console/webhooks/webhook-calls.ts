import type { Vesfx } from '../../../../client/vesfx.ts';

/**
 * What the console reads of webhooks, and how. The client has their types and methods only in a product
 * that has webhooks, and the site stands without them.
 */

export interface ShownWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly markets: readonly string[];
  readonly threshold_percent: number;
  readonly description: string | null;
  readonly active: boolean;
  readonly status: 'active' | 'paused' | 'disabled';
  readonly disabled_reason?: string;
  readonly failing_since?: string;
  readonly last_success_at?: string;
  readonly created_at: string;
}

type ShownWish = Omit<ShownWebhook, 'id' | 'status' | 'created_at' | 'active'> &
  Partial<Pick<ShownWebhook, 'active'>>;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'superseded'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface ShownDelivery {
  readonly message_id: string;
  readonly type: string;
  readonly status: DeliveryState;
  readonly created_at: string;
  readonly attempts_made: number;
  readonly next_attempt_at?: string;
  readonly last_status?: number;
  readonly last_error?: string;
}

interface ShownDetails extends ShownDelivery {
  readonly payload: string;
  readonly attempts: readonly {
    readonly number: number;
    readonly at: string;
    readonly status?: number;
    readonly error?: string;
    readonly ms: number;
    readonly excerpt: string;
  }[];
}

interface DeliveryQuery {
  readonly status?: DeliveryState;
  readonly before?: string;
  readonly limit: number;
}

interface WebhookCalls {
  list(): Promise<{ readonly webhooks: readonly ShownWebhook[] }>;
  create(wish: ShownWish): Promise<ShownWebhook & { readonly secret: string }>;
  replace(id: string, wish: ShownWish): Promise<ShownWebhook>;
  delete(id: string): Promise<void>;
  rotate(id: string, rule: { readonly grace_sec: number }): Promise<{ readonly secret: string }>;
  test(id: string): Promise<unknown>;
  deliveries(
    id: string,
    query: DeliveryQuery,
  ): Promise<{ readonly deliveries: readonly ShownDelivery[] }>;
  delivery(id: string, message: string): Promise<ShownDetails>;
  redeliver(id: string, message: string): Promise<unknown>;
  recover(id: string, rule: { readonly since: string }): Promise<{ readonly count: number }>;
}

/** The client has these methods wherever the service has the addresses, and else nothing calls them. */
export function webhooksOf(vesfx: Vesfx): WebhookCalls {
  return vesfx.webhooks as unknown as WebhookCalls;
}
