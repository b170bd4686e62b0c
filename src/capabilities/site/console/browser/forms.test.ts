import { h } from 'preact';
import { describe, expect, test } from 'vitest';
import type { Account, Key, Rate } from '../../../../client/types.ts';
import { GRANTABLE_SCOPES, SCOPES } from '../../../../core/domain/keys.ts';
import type { MarkupRule } from '../../../../core/domain/markup.ts';
import type { Html } from '../../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../../texts/texts.ts';
import { writtenValues } from '../markups-view.ts';
import { ConsoleContext, type OpenConsole } from './console-context.ts';
import { KeyForm, originMeant, RevokeForm } from './key-forms.ts';
import { RuleForm } from './rule-forms.ts';

/** The forms as they open, rendered without a browser. */

const KEY: Key = {
  ...{ id: 'key_1', kind: 'restricted', label: null, scopes: ['rates'], origins: [] },
  ...{ allow_no_origin: false, requests_per_minute: null, current: false, revoked_at: null },
  ...{ created_at: '2026-11-21T12:00:00.000Z', expires_at: null, hint: null, last_used_at: null },
};
const RULE: MarkupRule = { tag: 'shop', kind: 'percent', value: 3.5, markets: [], active: true };
const RATES = [{ market: 'parallel', base: 'USD', mid: 1_000, updated_at: '', stale_after_sec: 1 }];
const NAMES = { parallel: 'Dólar paralelo', reference: 'BCV, dólar' };

function written(form: Html, language: 'es' | 'en' = 'es'): string {
  const data = { language, texts: CONSOLE_TEXTS[language], marketNames: NAMES };
  const account = {
    keys: [KEY],
    limits: { keys_max: null, public_keys_max: null },
  } as unknown as Account;
  const open = { ...data, account } as unknown as OpenConsole;
  return markupOf(h(ConsoleContext.Provider, { value: open }, form));
}

const own = { onClose: () => undefined, onDone: () => undefined, onGone: () => undefined };
const ruleForm = (rule?: MarkupRule, rates: readonly object[] = RATES) =>
  h(RuleForm, { ...own, rates: rates as Rate[], rule });

describe('the forms of the console', () => {
  test.each(['es', 'en'] as const)(
    'permissions have a label in %s; the id is only the value',
    (language) => {
      const markup = written(h(KeyForm, { ...own, given: KEY }), language);
      const text = markup.replaceAll(/<[^>]*>/g, ' ');
      for (const scope of GRANTABLE_SCOPES) {
        expect(text).toContain(CONSOLE_TEXTS[language].scopeNames[scope]);
      }
      const offered = SCOPES.filter((scope) => markup.includes(`value="${scope}"`));
      expect(offered).toEqual(GRANTABLE_SCOPES);
      expect(text).not.toMatch(/\b(?:mcp|account\.read|account\.write)\b/);
    },
  );

  test('a new key begins with its name, and with the least rights', () => {
    const markup = written(h(KeyForm, own));
    const fields = [...markup.matchAll(/name="(\w+)"/g)].map(([, name]) => name);
    expect(fields.slice(0, 3)).toEqual(['label', 'expires', 'kind']);
    const kinds = [...markup.matchAll(/<option( selected)? value="(\w+)"/g)];
    expect(kinds.map(([, isChosen, kind]) => [kind, isChosen !== undefined])).toEqual([
      ['restricted', true],
      ['publishable', false],
      ['full', false],
    ]);
  });

  test.each([
    ['http:/tienda.example', 'http://tienda.example'],
    ['https:tienda.example/cesta', 'https://tienda.example'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http:/mitienda', undefined],
    ['htp://tienda.example', undefined],
    ['mitienda', undefined],
    ['https://*.example', undefined],
  ])('the origin %s is taken for %s', (text, meant) => {
    expect(originMeant(text)).toBe(meant);
  });

  test('what ends something for ever marks its button, and leads to the safe one first', () => {
    const markup = written(h(RevokeForm, { ...own, given: KEY }));
    const buttons = [...markup.matchAll(/<button[^>]*>/g)].map(([button]) => button);
    expect(buttons[0]).toContain('data-cancel');
    expect(buttons[1]).toContain('danger');
  });

  test.each([0.5, -3.25, 1_000, -1_012, 1_012.35, 1.012, -1.5, -1_234_567.891])(
    'a rule of %d opens with a value that is read back equal, and in no other way',
    (value) => {
      for (const language of ['es', 'en'] as const) {
        const markup = written(ruleForm({ ...RULE, value }), language);
        const [, shown = ''] = /<input[^>]*name="value"[^>]* value="([^"]*)"/.exec(markup) ?? [];
        expect(writtenValues(shown, language)).toEqual([value]);
      }
    },
  );

  test('markets have their names, ids only as values, also one that the catalogue no longer has', () => {
    const markup = written(ruleForm({ ...RULE, markets: ['parallel', 'gone'] }));
    expect(markup.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/\bparallel\b/);
    expect(markup).toContain('Dólar paralelo');
    expect(markup).toMatch(/checked[^>]*value="gone"|value="gone"[^>]*checked/);
  });

  test('markets can be chosen from the catalogue while there are no rates, without a preview', () => {
    const markup = written(ruleForm(undefined, []));
    expect(markup).toContain('value="reference"');
    expect(markup).not.toContain('id="preview"');
  });
});
