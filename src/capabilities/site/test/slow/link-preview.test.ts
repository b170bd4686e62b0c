import { expect, test } from 'vitest';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import { pixelsOfPng } from '../../../../../test/harness/pixels.ts';
import { startTestService, type TestService } from '../../../../../test/harness/service.ts';
import { PICTURE_WIDTH } from '../../pages/picture/picture-frame.ts';

/** The meta tags of a page that chats read. */
const tagsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<meta property="og:([a-z:_]+)" content="([^"]*)"/g)].map(
      ([, name, content = '']) => [name, content.replaceAll('&amp;', '&')],
    ),
  );

const PAGES = [
  '/',
  '/console',
  '/docs',
  '/docs/self-hosting',
  '/methodology',
  '/status',
  '/no-such',
];

test.each(PAGES.flatMap((path) => [[path, 'es'] as const, [path, 'en'] as const]))(
  'a link to %s has a title, a sentence and a picture (%s)',
  async (path, lang) => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const headers = { Accept: 'text/html' };
    const { text } = await service.call(`${path}?lang=${lang}`, { headers });
    const { title, description, image = '' } = tagsOf(text);
    const shown = /<title>([^<]*)<\/title>/.exec(text)?.[1];
    if (path !== '/') expect(title).toBe(shown);
    expect(description).toMatch(/\w{3}/);
    expect(new URL(image).searchParams.get('lang')).toBe(lang);
    const picture = await fetch(image);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  },
);

test('a page without figures has one preview, and the parts of the site have pictures of their own', async () => {
  const service = await startTestService({ config: { added: { VESFX_BOARD: '0' } } });
  const pictures = new Set<string>();
  for (const path of ['/', '/console', '/docs', '/methodology', '/status']) {
    const { text } = await service.call(`${path}?lang=es`);
    expect(text.match(/og:image"/g)).toHaveLength(1);
    const picture = await fetch(tagsOf(text)['image'] ?? '');
    pictures.add(Buffer.from(await picture.arrayBuffer()).toString('base64'));
  }
  expect(pictures.size).toBe(5);
});

test('a picture is drawn once for a version of the figures', async () => {
  const service = await startTestService();
  await service.push(...fullMarket());
  const path = '/board/picture.png?lang=es';
  const tags = [await service.call(path), await service.call(path)];
  service.clock.advance(6_000);
  tags.push(await service.call(path));
  expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(1);
});

test.each([
  ['', true],
  ['&amount=20&via=reference', true],
  ['&amount=20&via=parallel', false],
])('a picture of the official dollar has its curve behind it: %s', async (query, hasCurve) => {
  const drawn = async (...past: Parameters<TestService['push']>) => {
    const service = await startTestService();
    await service.push(...past, ...fullMarket());
    const answer = await fetch(`${service.url}/board/picture.png?lang=es${query}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const day = '2026-11-13';
  const earlier = official(day, { USD: 780, EUR: 900 }, { captured_at: `${day}T12:00:00Z` });
  // The row at the foot, below all texts.
  const foot = (pixels: Buffer) => pixels.subarray(-4 * PICTURE_WIDTH);
  const [alone, after] = [await drawn(), await drawn(earlier)];
  const [one, other] = [foot(await pixelsOfPng(alone)), foot(await pixelsOfPng(after))];
  expect(one.equals(other)).toBe(!hasCurve);
});
