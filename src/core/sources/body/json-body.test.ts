import { describe, expect, test } from 'vitest';
import { bodyOf, contentFailure, jsonBody } from '../../../../test/harness/bodies.ts';
import { excerptOf, jsonOf, MAX_EXCERPT_LENGTH, onlyBody } from './json-body.ts';

describe('a JSON body', () => {
  test('is parsed with or without a byte order mark', () => {
    expect(jsonOf(bodyOf('{"rate":957.499994}'))).toEqual({ rate: 957.499994 });
    expect(jsonOf(bodyOf('\uFEFF [1, "ñ"]\n'))).toEqual([1, 'ñ']);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'expected JSON, the body is empty'],
    ['blanks', ' \r\n', 'expected JSON, the body is empty'],
    [
      'a page',
      '\n<!DOCTYPE html>\n<p>No',
      'expected JSON, there was a page: <!DOCTYPE html> <p>No',
    ],
    [
      'truncated JSON',
      '{"rate":957.4',
      'expected JSON, the body is cut short or not JSON: …{"rate":957.4',
    ],
    [
      'bytes of another charset',
      new Uint8Array([0x22, 0xf1, 0x22]),
      'expected JSON, there were bytes that are not UTF-8',
    ],
    [
      'an error with status 200',
      '{"error":"currency not found"}',
      'expected figures, there was an error: {"error":"currency not found"}',
    ],
  ])('that is %s is reported as such', (_, content, message) => {
    expect(contentFailure(() => jsonOf(bodyOf(content)))).toBe(message);
  });

  test.each([null, false, '', 0])('with an error field of %j is accepted', (error) => {
    expect(jsonOf(jsonBody({ error, rate: 1 }))).toEqual({ error, rate: 1 });
  });

  test('must be the only one of a reading', () => {
    const body = bodyOf('1');
    expect(onlyBody([body])).toBe(body);
    expect(contentFailure(() => onlyBody([]))).toBe('expected 1 body, there were 0');
    expect(contentFailure(() => onlyBody([body, body]))).toBe('expected 1 body, there were 2');
  });
});

describe('an excerpt of a body', () => {
  test('is one line without control and direction characters', () => {
    expect(excerptOf(bodyOf(' a\u0000b\u001b[31m\r\n\tc\u202e\u2066d\ufeff '))).toBe(
      'a b [31m c d',
    );
  });

  test('is cut at its maximum length, not earlier', () => {
    const longest = 'x'.repeat(MAX_EXCERPT_LENGTH);
    expect(excerptOf(bodyOf(longest))).toBe(longest);
    expect(excerptOf(bodyOf(`${longest}x`))).toBe(`${longest}…`);
    const wide = '💵'.repeat(MAX_EXCERPT_LENGTH);
    expect(excerptOf(bodyOf(wide)).length).toBeLessThanOrEqual(MAX_EXCERPT_LENGTH + 1);
  });
});
