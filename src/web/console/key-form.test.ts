import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../domain/keys.ts';
import { newKeyForm, reachOf } from './key-form.ts';
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
  revoked_at: null,
} as const;

describe('the permissions of a key in the console', () => {
  test.each(['es', 'en'] as const)('have a label in %s; the id is only the value', (language) => {
    const { markup } = newKeyForm(reader(language));
    const text = markup.replaceAll(/<[^>]*>/g, ' ');
    for (const scope of SCOPES) {
      expect(markup).toContain(`value="${scope}"`);
      expect(text).toContain(CONSOLE_TEXTS[language].scopeNames[scope]);
    }
    expect(text).not.toMatch(/\b(?:mcp|account\.read|account\.write)\b/);
  });

  test('are listed by their labels', () => {
    const { markup } = reachOf({ ...KEY, scopes: [...KEY.scopes], origins: [] }, reader('es'));
    expect(markup).toContain('Tasas y conversiones, Ver la cuenta');
    expect(markup).not.toContain('account.read');
  });
});
