import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumberText, parseExactJson, repeatedName, WrittenNumber } from './exact-json.ts';

const namesIn = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, inner]) => name + namesIn(inner))
        .join('')
    : '';
const inEscapes = (name: string) => {
  const codes = name.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return `"${codes.map((code) => `\\u${code}`).join('')}"`;
};

describe('JSON without lost digits', () => {
  test.each([
    '900.0000000000000000001',
    '1000000000000.0000001',
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-325',
    '0.1000000000000000000000000000000000001',
  ])('keeps %s, which a double would change, as written', (text) => {
    expect(parseExactJson(text)).toEqual(new WrittenNumber(text));
    expect(parseExactJson(`{"a":[${text}]}`)).toEqual({ a: [new WrittenNumber(text)] });
    expect(exactNumberText(parseExactJson(text))).toBe(text);
  });

  test.each([
    ['900', 900],
    ['900.00000000000000000000', 900],
    ['0.000000000000000000001', 1e-21],
    ['9007199254740992', 9007199254740992],
    ['0.1', 0.1],
    ['1e308', 1e308],
    ['1e-308', 1e-308],
    ['-0', -0],
  ])('reads %s, which a double holds exactly, as a number', (text, value) => {
    expect(parseExactJson(text)).toBe(value);
  });

  test('keeps texts that look like long numbers', () => {
    const value = { '900.0000000000000000001': '900.0000000000000000001', b: null, c: [true] };
    expect(parseExactJson(JSON.stringify(value))).toEqual(value);
  });

  test('invalid JSON is a SyntaxError, with or without long numbers', () => {
    for (const text of ['', '{', '900.0000000000000000001x', '[1e400,]']) {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    }
  });

  test.each([
    ['{"mid":1,"mid":2}', 'mid'],
    ['{"mid":1,"m\\u0069d":2}', 'mid'],
    ['{"a":{"b":1},"c":[{"d":1,"e":{"d":1},"d":2}]}', 'd'],
    ['{"__proto__":1,"__proto__":1}', '__proto__'],
    ['{"":1,"":1}', ''],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"a" : 1 ,\n"a"\t: 2}', 'a'],
  ])('finds the repeated name in %s', (text, name) => {
    expect(repeatedName(text)).toBe(name);
  });

  test.each([
    '{"a":{"b":1},"b":{"a":1,"c":"a"}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a\\":","b":"{\\"a\\":1}"}',
    '{"a":["a","a"],"A":1}',
    '"a:"',
    '[]',
    '1',
  ])('finds no repeated name in %s', (text) => {
    expect(repeatedName(text)).toBeUndefined();
  });

  test('finds a repeated name exactly if a member is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, name) => {
        // A literal of that name sets the prototype.
        fc.pre(name !== '__proto__');
        const text = JSON.stringify({ ...value, [name]: 1 });
        expect(repeatedName(text)).toBeUndefined();
        const again = `{${JSON.stringify(name)}:0,${text.slice(1)}`;
        expect(repeatedName(again)).toBe(name);
      }),
    );
  });

  test('accepts 100,000 levels', () => {
    const deep = `${'{"a":['.repeat(100_000)}${']}'.repeat(100_000)}`;
    expect(repeatedName(deep)).toBeUndefined();
  });

  test('reads JSON like JSON.parse, with names in escapes or not', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        fc.pre(!/[\\"\p{Cc}]/u.test(namesIn(value)));
        const members = Object.entries(value).map(
          ([name, inner]) => `${inEscapes(name)} :${JSON.stringify(inner)}`,
        );
        const text = JSON.stringify(value);
        // JSON has no negative zero.
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
        expect(parseExactJson(`{${members.join(',')}}`)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['{"from":[],"\\\\u006d":0}', '{"from":1,"\\u006darket":"reference"}', 'market'],
    ['{"from":[],"\\\\u006d":0}', '{"from":1.00000000000000001,"\\u006darket" :2}', 'market'],
    ['[{"h":[],"\\\\u00e1":0}]', '[{"h":1,"\\u00e1baco":"\\n"}]', 'ábaco'],
    ['{"h":[],"\\\\":0}', '{"h":1,"\\"":2}', '\ufffd'],
    ['{"h":[],"\\\\":0}', '{"h":1,"\\n":2}', '\ufffd'],
  ])('after %s the names of %s are its own (contract §4)', (before, text, name) => {
    // V8 takes the later name for the earlier one, which begins with the same bytes
    // (nodejs/node #63785).
    parseExactJson(before);
    const value = parseExactJson(text);
    const [object] = Array.isArray(value) ? value : [value];
    expect(Object.keys(object as object)[1]).toBe(name);
  });

  test('text that is no JSON stays a SyntaxError with escaped names', () => {
    for (const text of ['{"\\u006d":1', '{"\\x":1}', '{"\\n":\n"\n"}', '"\\":', '{"a\\":1}']) {
      expect(() => parseExactJson(text), text).toThrow(SyntaxError);
    }
  });

  test('reads the longest text of a body with a backslash', () => {
    const long = { text: '\n'.repeat(1_000_000), a: 'x'.repeat(2_000_000) };
    expect(parseExactJson(JSON.stringify(long))).toEqual(long);
  });
});
