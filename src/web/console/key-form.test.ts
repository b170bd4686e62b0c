import { describe, expect, test } from 'vitest';
import { GRANTABLE_SCOPES, SCOPES } from '../../domain/keys.ts';
import { markupOf } from '../frame/markup.ts';
import { newKeyForm, reachOf, revokeForm } from './key-form.ts';
import { deleteForm } from './markups-view.ts';
import { CONSOLE_TEXTS } from './texts.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

const KEY = {
  id: 'key_1',
  kind: 'restricted',
  label: null,
  scopes: ['rates', 'account.read'],
  origins: [],
  allow_no_origin: false,
  requests_per_minute: null,
  current: false,
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
} as const;

describe('the permissions of a key in the console', () => {
  test.each(['es', 'en'] as const)('have a label in %s; the id is only the value', (language) => {
    const markup = markupOf(newKeyForm(reader(language)));
    const text = markup.replaceAll(/<[^>]*>/g, ' ');
    for (const scope of GRANTABLE_SCOPES) {
      expect(markup).toContain(`value="${scope}"`);
      expect(text).toContain(CONSOLE_TEXTS[language].scopeNames[scope]);
    }
    expect(SCOPES.filter((scope) => markup.includes(`value="${scope}"`))).toEqual(GRANTABLE_SCOPES);
    expect(text).not.toMatch(/\b(?:mcp|account\.read|account\.write)\b/);
  });

  test('are listed by their labels', () => {
    const markup = markupOf(
      reachOf({ ...KEY, scopes: [...KEY.scopes], origins: [] }, reader('es')),
    );
    expect(markup).toContain('Tasas y conversiones, Ver la cuenta');
    expect(markup).not.toContain('account.read');
  });
});

test('a form that ends something for ever marks its button, and leads to the safe one first', () => {
  const key = { ...KEY, scopes: [...KEY.scopes], origins: [] };
  for (const form of [revokeForm(key, reader('es')), deleteForm('tienda', reader('es'))]) {
    const buttons = [...markupOf(form).matchAll(/<button[^>]*>/g)].map(([button]) => button);
    expect(buttons[0]).toContain('data-cancel');
    expect(buttons[1]).toContain('danger');
  }
});
