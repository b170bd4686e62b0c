import { describe, expect, test } from 'vitest';
import type { Html } from '../../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../../texts/texts.ts';
import type { ShownDelivery, ShownWebhook } from './webhook-calls.ts';
import { deliveriesView, exampleMessage, webhookName, webhooksView } from './webhook-list.ts';

const reader = (language: 'es' | 'en') => ({
  ...{ language, texts: CONSOLE_TEXTS[language] },
  marketNames: { parallel: 'Dólar paralelo' },
});

const seen = (shown: Html) =>
  markupOf(shown)
    .replaceAll(/<br\s*\/?>|<\/t[dh]>/g, ' | ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

const HOOK: ShownWebhook = {
  ...{ id: 'whe_1', url: 'https://erp.example/vesfx', description: null, active: true },
  ...{ events: ['official.published'], markets: ['parallel'], threshold_percent: 2.5 },
  ...{ status: 'active', created_at: '2026-11-20T14:00:00.000Z' },
};
const DELIVERY: ShownDelivery = {
  ...{ message_id: 'msg_1', type: 'rate.changed', status: 'pending', attempts_made: 0 },
  created_at: '2026-11-20T14:00:00.000Z',
};

describe('the webhooks in the console (contract §24)', () => {
  test('the example of a message has the dollar of the service', () => {
    const sampleDollar = { rate: 812.3456, valueDate: '2026-11-27' };
    const text = seen(exampleMessage({ ...reader('es'), sampleDollar }));
    expect(text).toContain('2026-11-27');
    expect(text).toContain('812.3456');
    expect(text).not.toContain('demostración');
    const declared = { ...sampleDollar, isDemonstration: true } as const;
    const sample = exampleMessage({ ...reader('es'), sampleDollar: declared });
    expect(seen(sample)).toContain('(cifras de la demostración)');
  });

  test('one is called by its note, or by its host', () => {
    expect(webhookName(HOOK)).toBe('erp.example');
    expect(webhookName({ ...HOOK, description: 'Caja' })).toBe('Caja');
  });

  test.each([
    ['es', {}, 'El BCV publica | nunca'],
    ['es', { events: ['rate.changed'] }, 'Una tasa cambia | ≥ 2,5 %: Dólar paralelo'],
    ['en', { events: ['rate.changed'], markets: [] }, 'A rate changes | ≥ 2.5%: All'],
    ['en', { events: ['rate.in_doubt'] }, 'or no longer is | Dólar paralelo'],
    ['es', { active: false, status: 'paused' }, 'en pausa'],
    ['es', { active: false, status: 'disabled', disabled_reason: 'gone' }, 'respondió 410'],
    ['en', { failing_since: '2026-11-19T14:00:00.000Z' }, 'Failing since 19 Nov 2026 10:00'],
    ['es', { last_success_at: '2026-11-19T14:00:00.000Z' }, '19/11/2026 10:00'],
  ] as const)('in %s the row of one with %j says "%s"', (language, given, said) => {
    const open = { ...reader(language), max: null };
    const row = seen(webhooksView([{ ...HOOK, ...given }], () => undefined, open));
    expect(row).toContain(said);
  });

  test.each([
    ['es', 0, 2],
    ['en', 1, 1],
    ['es', 2, 0],
    ['en', null, 0],
  ] as const)(
    'in %s with %j in the plan %i of two say that they get nothing',
    (language, max, count) => {
      const open = { ...reader(language), max };
      const rows = seen(webhooksView([HOOK, { ...HOOK, id: 'whe_2' }], () => undefined, open));
      expect(rows.match(/no recibe nada|gets nothing/g) ?? []).toHaveLength(count);
    },
  );

  test.each([
    [{}, 'pendiente'],
    [
      { status: 'failed', attempts_made: 10, last_status: 500, last_error: 'status 500' },
      'status 500 | Intentos: 10',
    ],
    [{ status: 'delivered', attempts_made: 1, last_status: 204 }, '204 | Intentos: 1'],
    [
      { attempts_made: 1, last_error: 'no answer', next_attempt_at: '2026-11-20T14:05:00.000Z' },
      'próximo intento: 20/11/2026 10:05',
    ],
    [{ type: 'of.later' }, 'of.later'],
  ] as const)('the row of a delivery with %j says "%s"', (given, said) => {
    const row = seen(
      deliveriesView([{ ...DELIVERY, ...given }], 'x', () => undefined, reader('es')),
    );
    expect(row).toContain(said);
  });
});
