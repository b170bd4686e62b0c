import { describe, expect, test } from 'vitest';
import type { AuditState } from '../../src/core/app/ports/audit.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import {
  MAX_AUDITED_FIGURES,
  MAX_AUDITED_HELD,
} from '../../src/core/storage/queries/audit/batch-changes.ts';
import { ADMIN_TOKEN, startTestService, type TestService } from '../harness/service.ts';

/** Who changed what over HTTP, in the log that `vesfx audit` shows (contract §28). */

const AT = '2026-11-21T11:59:00.000Z';
const lines = (...records: readonly object[]) =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
const quoteAt = (mid: number, at = AT) => ({
  kind: 'quote',
  market: 'binance',
  mid,
  updated_at: at,
});

/** How many figures a row lists. */
const figuresOf = (after: AuditState | null) =>
  Array.isArray(after?.['figures']) ? after['figures'].length : undefined;

async function audited({ service }: TestService) {
  const page = await service.store.auditPage({ since: 0, after: undefined, limit: 1_000 });
  return page.changes;
}

/** A request of each endpoint that is no GET, on a fresh service. Returns what its row must tell. */
interface Writing {
  readonly path: string;
  readonly body?: unknown;
  readonly as?: 'admin';
  readonly rows: readonly string[];
}

async function writingRequests(service: TestService) {
  const key = await service.keyFor('Escala');
  const keys = await service.call('/v1/account/keys', { key });
  const own: string = keys.json.keys[0].id;
  const make = async () =>
    (await service.call('/v1/account/keys', { key, method: 'POST', body: { kind: 'full' } })).json
      .id;
  const [changed, rotated, revoked] = [await make(), await make(), await make()];
  const rule = { kind: 'percent', value: 3 };
  for (const tag of ['kept', 'gone']) {
    await service.call('/v1/account/markups', { key, method: 'POST', body: { tag, ...rule } });
  }
  const requests: Readonly<Record<string, Writing>> = {
    'POST /v1/account/keys': { path: '/v1/account/keys', body: { kind: 'full' }, rows: ['key'] },
    'PATCH /v1/account/keys/:id': {
      path: `/v1/account/keys/${changed}`,
      body: { label: 'caja' },
      rows: ['key'],
    },
    'POST /v1/account/keys/:id/rotate': {
      path: `/v1/account/keys/${rotated}/rotate`,
      body: {},
      rows: ['key', 'key'],
    },
    'DELETE /v1/account/keys/:id': { path: `/v1/account/keys/${revoked}`, rows: ['key'] },
    'POST /v1/account/markups': {
      path: '/v1/account/markups',
      body: { tag: 'fresh', ...rule },
      rows: ['markup'],
    },
    'PUT /v1/account/markups/:tag': {
      path: '/v1/account/markups/kept',
      body: { ...rule, value: 4 },
      rows: ['markup'],
    },
    'DELETE /v1/account/markups/:tag': { path: '/v1/account/markups/gone', rows: ['markup'] },
    'POST /v1/admin/records': {
      path: '/v1/admin/records',
      body: lines(quoteAt(931.4)),
      as: 'admin',
      rows: ['records'],
    },
  };
  return { key, own, requests };
}

/** Endpoints that are no GET and change nothing, each with why. */
const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  'POST /v1/fx/bulk/convert': 'it converts amounts',
};

describe('the audit log of requests (contract §28)', () => {
  test('has a row of every endpoint that changes something, with the key or the admin', async () => {
    const service = await startTestService();
    const { key, own, requests } = await writingRequests(service);
    const writing = allEndpoints({ admin: true })
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys({ ...requests, ...CHANGES_NOTHING }).toSorted()).toEqual(writing.toSorted());

    for (const [endpoint, { path, body, as, rows }] of Object.entries(requests)) {
      const before = (await audited(service)).length;
      const { status } = await service.call(path, {
        method: endpoint.split(' ')[0] ?? '',
        ...(body !== undefined && { body }),
        ...(as === 'admin' ? { headers: { 'X-Admin-Token': ADMIN_TOKEN } } : { key }),
      });
      expect([200, 201, 204], endpoint).toContain(status);
      const found = await audited(service);
      expect(found.length - before, endpoint).toBe(rows.length);
      const mine = found.filter(({ via }) => via === endpoint);
      const last = mine.slice(-rows.length);
      expect(
        last.map(({ what }) => what),
        endpoint,
      ).toEqual(rows);
      for (const { kind, actor, at } of last) {
        expect([kind, actor, at], endpoint).toEqual(['request', as ?? own, service.clock.now()]);
      }
    }
  });

  test('has no row of a refused request, and none of a secret', async () => {
    const service = await startTestService();
    const { key, requests } = await writingRequests(service);
    const before = (await audited(service)).length;
    for (const [endpoint, { path, body }] of Object.entries(requests)) {
      const options = { method: endpoint.split(' ')[0] ?? '', ...(body !== undefined && { body }) };
      const other = await service.keyFor('Gratis');
      for (const headers of [{ 'X-API-Key': 'vfx_live_wrong' }, { 'X-API-Key': other }]) {
        if (headers['X-API-Key'] === other && endpoint === 'POST /v1/account/keys') continue;
        const { status } = await service.call(path, { ...options, headers });
        expect(status, endpoint).toBeGreaterThanOrEqual(400);
      }
    }
    expect((await audited(service)).length).toBe(before);
    const text = JSON.stringify(await audited(service));
    expect(text).not.toContain(key.slice(-38));
    expect(text).not.toContain(ADMIN_TOKEN);
    expect(text).not.toMatch(/vfx_\w+_[0-9A-Za-z]{6}/);
  });

  test('lists the figures of a batch and those that it corrects, up to a limit', async () => {
    const service = await startTestService();
    const push = (body: string, query = '') =>
      service.call(`/v1/admin/records${query}`, {
        method: 'POST',
        headers: { 'X-Admin-Token': ADMIN_TOKEN },
        body,
      });
    const official = (day: string, USD: number) => ({
      kind: 'official',
      value_date: day,
      rates: { USD },
      captured_at: AT,
    });
    await push(lines(official('2026-11-20', 890)), '?trust=true');
    await push(
      lines({ ...official('2026-11-20', 891), captured_at: '2026-11-21T11:59:30.000Z' }),
      '?trust=true',
    );
    const at = (minute: number) => new Date(Date.parse(AT) - minute * 60_000).toISOString();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...quoteAt(931 + index / 100, at(index + 1)),
        captured_at: at(index + 1),
      }));
    await push(lines(...many(MAX_AUDITED_FIGURES).toReversed()), '?trust=true');
    await push(
      lines(
        ...many(2 * MAX_AUDITED_FIGURES + 1)
          .slice(MAX_AUDITED_FIGURES)
          .toReversed(),
      ),
      '?trust=true',
    );
    const rows = await audited(service);
    expect(rows.map(({ what, id }) => `${what} ${id}`)).toEqual(Array(4).fill('records operator'));
    const usd = (mid: number) => ({ market: 'reference', value_date: '2026-11-20', mid });
    expect(rows[0]).toMatchObject({
      before: null,
      after: { stored: 1, corrected: 0, trusted: true, figures: [usd(890)] },
    });
    expect(rows[1]).toMatchObject({
      before: { figures: [usd(890)] },
      after: { stored: 1, corrected: 1, corrections: [usd(891)], figures: [usd(891)] },
    });
    const counts = rows.slice(2).map(({ after }) => [after?.['stored'], figuresOf(after)]);
    expect(counts).toEqual([
      [MAX_AUDITED_FIGURES, MAX_AUDITED_FIGURES],
      [MAX_AUDITED_FIGURES + 1, MAX_AUDITED_FIGURES],
    ]);
  });

  test('has a row of each held record that a person decides, and of what is held', async () => {
    const service = await startTestService();
    const push = (body: string, query = '') =>
      service.call(`/v1/admin/records${query}`, {
        method: 'POST',
        headers: { 'X-Admin-Token': ADMIN_TOKEN },
        body,
      });
    await push(lines(quoteAt(900)), '?trust=true');
    expect((await push(lines(quoteAt(2_400, '2026-11-21T11:59:30.000Z')))).json).toMatchObject({
      held: 1,
    });
    // The same record again changes nothing.
    await push(lines(quoteAt(2_400, '2026-11-21T11:59:30.000Z')));
    await push(lines(quoteAt(2_400, '2026-11-21T11:59:30.000Z')), '?trust=true');
    const rows = await audited(service);
    expect(rows.map(({ what, after }) => [what, after?.['held'] ?? after?.['status']])).toEqual([
      ['records', 0],
      ['records', 1],
      ['held', 'released'],
      ['records', 0],
    ]);
    expect(rows[2]).toMatchObject({
      before: { status: 'held', source: 'operator', subject: 'binance', record: { mid: 2_400 } },
      after: { status: 'released' },
    });
    expect(MAX_AUDITED_HELD).toBe(100);
  });
});
