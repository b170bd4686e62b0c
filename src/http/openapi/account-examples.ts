import { SCOPES } from '../../domain/keys.ts';
import { type OperationExample, one } from './operation-example.ts';

/** Examples of what an account sees and manages of itself; see `openapi-examples.ts`. */

const rule = { tag: 'tienda', kind: 'percent', value: 3.5, markets: [], active: true };

const FULL_KEY = {
  id: 'key_3Zk9',
  kind: 'full',
  label: null,
  scopes: SCOPES,
  origins: [],
  allow_no_origin: false,
  requests_per_minute: null,
  current: true,
  created_at: '2026-10-02T14:05:00.000Z',
  expires_at: null,
  revoked_at: null,
};

const SHOP_KEY = {
  id: 'key_8Tq1',
  kind: 'publishable',
  label: 'Tienda en línea',
  scopes: ['rates', 'official'],
  origins: ['https://tienda.example'],
  allow_no_origin: false,
  requests_per_minute: 60,
  current: false,
  created_at: '2026-11-21T03:00:00.000Z',
  expires_at: '2027-06-30T04:00:00.000Z',
  revoked_at: null,
};

function usageOf(date: string, endpoint: string, calls: number, client_errors: number) {
  return { date, endpoint, calls, units: calls - client_errors, client_errors, server_errors: 0 };
}

export const ACCOUNT_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  'GET /v1/account': {
    operationId: 'getAccount',
    schema: 'Account',
    answers: one('An account of the plan Profesional', {
      id: 'acc_7Hq2',
      name: 'Tienda Caracas',
      plan: 'Profesional',
      status: 'active',
      limits: {
        units_per_month: 300000,
        requests_per_minute: 1200,
        bulk_calls_per_hour: 300,
        history_days: 180,
        formats: ['json', 'csv', 'xml'],
        keys_max: 10,
        public_keys_max: 10,
        markups_max: 20,
        features: ['markets', 'spread', 'markup'],
      },
      usage: {
        month: '2026-11',
        units_used: 18250,
        units_remaining: 281750,
        resets_at: '2026-12-01T00:00:00.000Z',
      },
      keys: [FULL_KEY],
      keys_next: null,
    }),
  },
  'GET /v1/account/usage': {
    operationId: 'getUsage',
    schema: 'Usage',
    parameters: { from: '2026-11-19', to: '2026-11-21' },
    answers: one('Three days, one of them without calls', {
      from: '2026-11-19',
      to: '2026-11-21',
      total_calls: 1465,
      total_units: 1461,
      count: 3,
      days: [
        usageOf('2026-11-19', 'GET /v1/fx/convert', 412, 3),
        usageOf('2026-11-19', 'GET /v1/fx/rates', 860, 0),
        usageOf('2026-11-21', 'GET /v1/fx/rates', 193, 1),
      ],
    }),
  },
  'GET /v1/account/keys': {
    operationId: 'listKeys',
    schema: 'Keys',
    answers: one('A full key and one for a page', { keys: [FULL_KEY, SHOP_KEY], next: null }),
  },
  'POST /v1/account/keys': {
    operationId: 'createKey',
    schema: 'CreatedKey',
    bodySchema: 'KeyRequest',
    body: {
      kind: 'publishable',
      label: 'Tienda en línea',
      scopes: ['rates', 'official'],
      origins: ['https://tienda.example'],
      allow_no_origin: false,
      expires_at: '2027-06-30T04:00:00Z',
    },
    answers: one('A key for the pages of a shop', { ...SHOP_KEY, key: 'vfx_pub_…' }),
  },
  'PATCH /v1/account/keys/:id': {
    operationId: 'changeKey',
    schema: 'Key',
    bodySchema: 'KeyChange',
    parameters: { id: 'key_8Tq1' },
    body: { origins: ['https://tienda.example', 'https://www.tienda.example'] },
    answers: one('One more origin', {
      ...SHOP_KEY,
      origins: ['https://tienda.example', 'https://www.tienda.example'],
    }),
  },
  'DELETE /v1/account/keys/:id': {
    operationId: 'revokeKey',
    parameters: { id: 'key_8Tq1' },
    answers: {},
  },
  'POST /v1/account/keys/:id/rotate': {
    operationId: 'rotateKey',
    schema: 'RotatedKey',
    bodySchema: 'Rotation',
    parameters: { id: 'key_3Zk9' },
    body: { grace_sec: 3600 },
    answers: one('The old key works for another hour', {
      id: 'key_8Tq1',
      key: 'vfx_live_…',
      created_at: '2026-11-21T03:00:00.000Z',
      replaces: 'key_3Zk9',
      replaced_expires_at: '2026-11-21T04:00:00.000Z',
    }),
  },
  'GET /v1/account/markups': {
    operationId: 'listMarkups',
    schema: 'Markups',
    answers: one('One rule for every market', { markups: [rule] }),
  },
  'POST /v1/account/markups': {
    operationId: 'createMarkup',
    schema: 'Markup',
    bodySchema: 'NewMarkup',
    body: rule,
    answers: one('The rule as it is saved', rule),
  },
  'PUT /v1/account/markups/:tag': {
    operationId: 'replaceMarkup',
    bodySchema: 'MarkupReplacement',
    parameters: { tag: 'tienda' },
    body: { kind: 'fixed', value: 10, markets: ['parallel'] },
    answers: one('The rule as it is saved', {
      tag: 'tienda',
      kind: 'fixed',
      value: 10,
      markets: ['parallel'],
      active: true,
    }),
  },
  'DELETE /v1/account/markups/:tag': {
    operationId: 'deleteMarkup',
    parameters: { tag: 'tienda' },
    answers: {},
  },
};
