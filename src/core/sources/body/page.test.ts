import { describe, expect, test } from 'vitest';
import { bodyOf, contentFailure } from '../../../../test/harness/bodies.ts';
import { MAX_PAGE_DEPTH, MAX_PAGE_ELEMENTS, MAX_TAG_ATTRIBUTES, pageOf, titleOf } from './page.ts';

const nested = (depth: number) => `<html><body>${'<div>'.repeat(depth - 2)}x</body></html>`;

describe('pageOf', () => {
  test('parses a page like a browser', () => {
    const html = '<title> Uno </title><p id=a>1<p>2<!-- <p>3 --><script>"<p>4"</script></html>';
    const $ = pageOf(bodyOf(html));
    expect($('p').length).toBe(2);
    expect($('#a').text()).toBe('1');
    expect(titleOf($)).toBe('a page "Uno"');
  });

  test.each([
    ['nothing', '', 'nothing'],
    ['blanks', ' \n ', 'nothing'],
    ['JSON', '{"error":"gone"}', '"{"error":"gone"}"'],
    ['a page cut short', '<html><body><p>889,57', '"<html><body><p>889,57"'],
    ['a page cut in its last tag', '<html></body></html', '"<html></body></html"'],
  ])('%s is a failure', (_, content, there) => {
    expect(contentFailure(() => pageOf(bodyOf(content)))).toBe(
      `expected a page with its end, there was ${there}`,
    );
  });

  test('accepts the maximum nesting and no more', () => {
    expect(pageOf(bodyOf(nested(MAX_PAGE_DEPTH)))('body').text()).toBe('x');
    expect(contentFailure(() => pageOf(bodyOf(nested(MAX_PAGE_DEPTH + 1))))).toBe(
      `expected at most ${MAX_PAGE_DEPTH} elements inside one another, there were more`,
    );
  });

  test('accepts the maximum of elements and no more', () => {
    // html, head and body are three.
    const page = (count: number) => bodyOf(`<html>${'<br>'.repeat(count - 3)}</html>`);
    expect(pageOf(page(MAX_PAGE_ELEMENTS))('br').length).toBe(MAX_PAGE_ELEMENTS - 3);
    expect(contentFailure(() => pageOf(page(MAX_PAGE_ELEMENTS + 1)))).toBe(
      `expected at most ${MAX_PAGE_ELEMENTS} elements, there were more`,
    );
  });

  test.each(['<br', '</p'])('accepts the maximum of attributes of a tag %s and no more', (tag) => {
    const page = (count: number) => {
      const names = Array.from({ length: count }, (_, n) => ` a${n}=">"`).join('');
      return bodyOf(`<html>${tag}${names}></html>`);
    };
    expect(pageOf(page(MAX_TAG_ATTRIBUTES))('body').length).toBe(1);
    expect(contentFailure(() => pageOf(page(MAX_TAG_ATTRIBUTES + 1)))).toBe(
      `expected at most ${MAX_TAG_ATTRIBUTES} attributes of a tag, there were more`,
    );
  });

  test('refuses a deeply nested page at once', () => {
    const before = process.cpuUsage();
    contentFailure(() => pageOf(bodyOf(nested(300_000))));
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(2_000_000);
  });
});
