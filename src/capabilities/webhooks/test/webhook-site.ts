import { loadCatalogue } from '../../../core/catalogue/catalogue.ts';
import { loadRules } from '../../../core/compose.ts';
import { readConfig } from '../../../core/config.ts';
import type { OpenedStore } from '../../../core/storage/store.ts';
import type { WebhookRules } from '../occasion.ts';
import { sealerOf } from '../secrets.ts';
import { webhookStore } from '../webhook-store.ts';
import type { WebhookWish } from '../webhook-types.ts';

export const SECRET = 'a secret of tests that is long enough';

/** A moment of a business day, at noon in Caracas. */
export const NOON = Date.parse('2026-11-24T16:00:00Z');

export function packagedRules(): WebhookRules {
  const config = readConfig({}, {});
  return { ...loadCatalogue(config.catalogueDir), ...loadRules(config) };
}

export function webhooksOn({ engine }: OpenedStore, secret = SECRET) {
  const rules = packagedRules();
  return webhookStore({ engine, sealer: sealerOf(secret, 'webhook'), rules: () => rules });
}

export function wish(given: Partial<WebhookWish> = {}): WebhookWish {
  return {
    url: 'https://shop.example/hook',
    events: ['official.published', 'rate.changed'],
    markets: [],
    thresholdPercent: 1,
    active: true,
    ...given,
  };
}
