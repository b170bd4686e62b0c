import { describe, expect, test } from 'vitest';
import { MAX_AUDITED_SETTINGS, settingsChange } from './settings.ts';

const read = (values: Readonly<Record<string, unknown>>, token?: string) => ({
  values,
  tokens: { VESFX_ADMIN_TOKEN: token },
});

describe('what changed from one reading of the settings to the next (contract §28)', () => {
  test('is named by file and place, and undefined when nothing did', () => {
    const plans = { Inicio: { keys_max: 3, formats: ['json'] }, Escala: { keys_max: null } };
    const before = read({ 'plans.json': plans, 'sources.json': [{ name: 'feed', enabled: true }] });
    expect(settingsChange(before, structuredClone(before))).toBeUndefined();
    const after = read({
      'plans.json': { ...plans, Inicio: { keys_max: 4, formats: ['json', 'csv'] } },
      'sources.json': [
        { name: 'spare', enabled: false },
        { name: 'feed', enabled: false },
      ],
    });
    expect(settingsChange(before, after)).toMatchObject({
      before: {
        'plans.json Inicio.keys_max': 3,
        'plans.json Inicio.formats': '["json"]',
        'sources.json feed.enabled': true,
        'sources.json spare.name': null,
        'sources.json spare.enabled': null,
      },
      after: {
        'plans.json Inicio.keys_max': 4,
        'plans.json Inicio.formats': '["json","csv"]',
        'sources.json feed.enabled': false,
        'sources.json spare.name': 'spare',
        'sources.json spare.enabled': false,
      },
    });
  });

  test.each([
    [undefined, 'the first token', 'none', 'set'],
    ['the first token', 'the second token', 'set', 'another one'],
    ['the first token', undefined, 'set', 'none'],
  ])('says of a token only that it is another: %s to %s', (was, is, before, after) => {
    expect(settingsChange(read({}, was), read({}, is))).toMatchObject({
      before: { VESFX_ADMIN_TOKEN: before },
      after: { VESFX_ADMIN_TOKEN: after },
    });
  });

  test('shows the host of an address, and neither path, query, user nor password', () => {
    const of = (url: string) => read({ 'sources.json': [{ name: 'feed', url, more: [[url]] }] });
    const change = settingsChange(
      of('https://ana:geheim@one.example/v6/geheim/latest?key=geheim#geheim'),
      of('https://two.example:8443/other?token=geheim'),
    );
    expect(change?.before).toEqual({
      'sources.json feed.url': 'https://one.example/…',
      'sources.json feed.more': '[["https://one.example/…"]]',
    });
    expect(change?.after).toMatchObject({ 'sources.json feed.url': 'https://two.example:8443/…' });
    expect(JSON.stringify(change)).not.toContain('geheim');
  });

  test.each([
    [MAX_AUDITED_SETTINGS, undefined],
    [MAX_AUDITED_SETTINGS + 1, 1],
  ])('lists %s changed values, and counts the others', (count, more) => {
    const of = (value: number) =>
      read({ 'a.json': Object.fromEntries(Array.from({ length: count }, (_, at) => [at, value])) });
    const { before, after } = settingsChange(of(1), of(2)) ?? {};
    expect(Object.keys(before ?? {})).toHaveLength(MAX_AUDITED_SETTINGS);
    expect(after?.['more_changed_values']).toBe(more);
  });

  test('cuts a long value', () => {
    const change = settingsChange(read({ a: 'x' }), read({ a: 'y'.repeat(1_000) }));
    expect(JSON.stringify(change?.after).length).toBeLessThan(400);
  });
});
