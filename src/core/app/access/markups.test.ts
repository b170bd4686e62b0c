import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../../test/harness/market.ts';
import { markets } from '../../domain/markets.ts';
import { schemaSentence } from '../schema-sentences.ts';
import { MAX_RULE_MARKETS, markupRuleSchema } from './markups.ts';

const market = (id: string, aliases: readonly string[]) => aMarket({ id, type: 'cash', aliases });
const schema = markupRuleSchema(markets([market('gold', ['oro']), market('silver', [])]));

const rule = (fields: object) => ({ tag: 'vip', kind: 'percent', value: 3.5, ...fields });

function problem(fields: object): string | undefined {
  const result = schema.safeParse(rule(fields), { error: schemaSentence });
  const issue = result.error?.issues[0];
  return issue === undefined ? undefined : `${issue.path.join('.')} ${issue.message}`;
}

describe('the input of a markup rule (contract §6)', () => {
  test('covers all markets and is active by default', () => {
    expect(schema.parse(rule({}))).toEqual({
      tag: 'vip',
      kind: 'percent',
      value: 3.5,
      markets: [],
      active: true,
    });
    expect(schema.parse(rule({ active: false })).active).toBe(false);
  });

  test('replaces aliases by ids, each once, in the given order', () => {
    const given = { markets: ['silver', 'oro', 'gold', 'silver'] };
    expect(schema.parse(rule(given)).markets).toEqual(['silver', 'gold']);
  });

  test.each([
    [{ value: -99 }, { value: -99.01 }, 'value must be -99 to 1000 percent'],
    [{ value: 1000 }, { value: 1000.01 }, 'value must be -99 to 1000 percent'],
    [
      { kind: 'fixed', value: 1e12 },
      { kind: 'fixed', value: 1e12 + 1 },
      'value must be at most one trillion (10^12), positive or negative',
    ],
    [
      { kind: 'fixed', value: -1e12 },
      { kind: 'fixed', value: -1e12 - 1 },
      'value must be at most one trillion (10^12), positive or negative',
    ],
    [
      { value: 1.12345678901234 },
      { value: 1.123456789012345 },
      'value must have at most 15 significant digits',
    ],
    [{ tag: 'a' }, { tag: '' }, 'tag must be 1 to 32 of a-z, 0-9, _ and -'],
    [{ tag: 'a'.repeat(32) }, { tag: 'a'.repeat(33) }, 'tag must be 1 to 32 of a-z, 0-9, _ and -'],
    [{ tag: 'a_1-' }, { tag: 'A' }, 'tag must be 1 to 32 of a-z, 0-9, _ and -'],
    [{ markets: ['oro'] }, { markets: ['oro', 'Oro'] }, 'markets.1 is not in the catalogue'],
    [{ markets: [] }, { markets: 'gold' }, 'markets must be a list'],
    [
      { markets: Array(MAX_RULE_MARKETS).fill('gold') },
      { markets: Array(MAX_RULE_MARKETS + 1).fill('gold') },
      `markets must have at most ${MAX_RULE_MARKETS} items`,
    ],
    [{ kind: 'fixed' }, { kind: 'Fixed' }, 'kind must be one of percent, fixed'],
    [{ value: 0 }, { value: '3' }, 'value must be a number'],
    [{ value: 1 }, { value: Number.POSITIVE_INFINITY }, 'value must be a number'],
    [{ value: 1 }, { value: Number.NaN }, 'value must be a number'],
    [{ active: true }, { active: 1 }, 'active must be true or false'],
  ])('accepts %j and refuses %j', (good, bad, message) => {
    expect(problem(good)).toBeUndefined();
    expect(problem(bad)).toBe(message);
  });

  test('rejects unknown fields', () => {
    const result = schema.safeParse(rule({ colour: 'red' }));
    expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['colour'] }]);
  });
});
