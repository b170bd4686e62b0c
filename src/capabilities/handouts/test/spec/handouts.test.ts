import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { burstOf } from '../../../../../test/harness/burst.ts';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { filesUnder, ROOT, read } from '../../../../../test/harness/repository.ts';
import { startTestService, type TestService } from '../../../../../test/harness/service.ts';
import { LANGUAGES } from '../../../../core/domain/words/language.ts';

const TYPES = {
  '/client/vesfx-client.tgz': 'application/gzip',
  '/client/vesfx.py': 'text/plain; charset=utf-8',
  '/client/vesfx.php': 'text/plain; charset=utf-8',
  '/client/vesfx-invoice.php': 'text/plain; charset=utf-8',
  '/client/vesfx-odoo.zip': 'application/zip',
  '/client/vesfx-woocommerce.zip': 'application/zip',
  '/client/vesfx-till.zip': 'application/zip',
};
/** What this version has the files for. */
const PATHS = Object.keys(TYPES).filter(
  (path) => !path.includes('woocommerce') || existsSync(join(ROOT, 'examples/woocommerce')),
);
const FOLDERS = ['odoo', 'woocommerce', 'till'].filter((name) =>
  PATHS.includes(`/client/vesfx-${name}.zip`),
);

async function taken({ url }: TestService, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, header: (name: string) => response.headers.get(name), bytes };
}

/** The files of a ZIP by its directory, each checked by its sum. */
function unzipped(zip: Buffer): Readonly<Record<string, Buffer>> {
  const end = zip.length - 22;
  const files: Record<string, Buffer> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [length, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = zip.readUInt32LE(at + 42) + 30 + nameLength;
    const content = inflateRawSync(zip.subarray(start, start + length));
    expect(crc32(content), name).toBe(zip.readUInt32LE(at + 16));
    files[name] = content;
    at += 46 + nameLength;
  }
  return files;
}

/** The files that a folder of the repository gives to a ZIP. */
const sourcesOf = (folder: string) =>
  filesUnder(folder, '')
    .filter((path) => /\.\w+$/.test(path) && !/__pycache__/.test(path))
    .map((path) => path.slice(join(folder, '/').length))
    .sort();

describe('contract §27 what the service hands out', () => {
  test.each(PATHS)('%s needs no key, and its ETag saves the second transfer', async (path) => {
    const service = await startTestService();
    const { status, header, bytes } = await taken(service, path);
    expect(status).toBe(200);
    expect(header('content-type')).toBe(TYPES[path as keyof typeof TYPES]);
    expect(header('content-disposition')).toBe(`attachment; filename="${path.split('/').at(-1)}"`);
    expect(header('cache-control')).toBe('public, max-age=300');
    const etag = header('etag') ?? '';
    expect(etag).toContain(hash('sha256', bytes));
    const again = await taken(service, path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const other = await taken(service, path, { headers: { 'If-None-Match': '"another"' } });
    expect(other.bytes).toEqual(bytes);
    const head = await taken(service, path, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.header('content-length')).toBe(`${bytes.length}`);
    expect(head.header('etag')).toBe(etag);
    const post = await taken(service, path, { method: 'POST' });
    expect([post.status, post.header('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('the files of one file are those of the project, the package has the client in both forms', async () => {
    const service = await startTestService();
    for (const name of ['vesfx.py', 'vesfx.php', 'vesfx-invoice.php']) {
      const { bytes } = await taken(service, `/client/${name}`);
      expect(bytes.toString('utf8')).toBe(read(`examples/${name}`));
    }
    const { bytes } = await taken(service, '/client/vesfx-client.tgz');
    const unpacked = gunzipSync(bytes).toString('latin1');
    for (const name of ['package.json', 'esm/vesfx.js', 'cjs/vesfx.js', 'cjs/vesfx.d.ts']) {
      expect(unpacked).toContain(`package/${name}\0`);
    }
    expect(unpacked).toContain('"name": "@vesfx/client"');
    expect(unpacked).toContain(`"version": "${JSON.parse(read('package.json')).version}"`);
  });

  test.each(FOLDERS)('vesfx-%s.zip has every file of its folder, as it is', async (name) => {
    const service = await startTestService();
    const files = unzipped((await taken(service, `/client/vesfx-${name}.zip`)).bytes);
    expect(Object.keys(files)).toEqual(sourcesOf(`examples/${name}`));
    for (const [path, content] of Object.entries(files)) {
      expect(content.toString('utf8'), path).toBe(read(`examples/${name}/${path}`));
    }
  });

  // The site has the page.
  test.runIf(hasCapability('site')).each(LANGUAGES)(
    '/docs/client lists each with its SHA-256 and the line that installs it from here (%s)',
    async (language) => {
      const service = await startTestService();
      const { bytes } = await taken(service, `/docs/client.md?lang=${language}`);
      const lines = bytes.toString('utf8').split('\n');
      for (const path of PATHS) {
        const file = await taken(service, path);
        const at = lines.findIndex((line) => line.startsWith(`[\`${path}\`](${path}): `));
        expect(at, path).toBeGreaterThan(0);
        expect(lines[at + 3]).toContain(service.url + path);
        expect(lines[at + 6]).toBe(`SHA-256: \`${hash('sha256', file.bytes)}\``);
      }
    },
  );

  test.each(PATHS)(
    '%s stands 600 requests at once: 60 of an address in a minute, then 429',
    async (path) => {
      const service = await startTestService();
      expect(await burstOf(600, service.url + path, {})).toEqual({ 200: 60, 429: 540 });
      const refused = await service.call(path);
      expect([refused.status, refused.json.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      service.clock.advance(60_000);
      expect((await taken(service, path)).status).toBe(200);
    },
  );

  test('the limit is one for all files', async () => {
    const service = await startTestService();
    await burstOf(60, `${service.url}/client/vesfx.py`, {});
    expect((await service.call('/client/vesfx-odoo.zip')).status).toBe(429);
  });

  test('a client that leaves before its answer takes nothing from the next one', async () => {
    const service = await startTestService();
    const { port } = new URL(service.url);
    const leaving = PATHS.map(async (path) => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, () => socket.destroy());
      await once(socket, 'close');
    });
    await Promise.all(leaving);
    for (const path of PATHS) expect((await taken(service, path)).status, path).toBe(200);
    expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('unknown parameters change nothing, in whatever order they stand', async () => {
    const service = await startTestService();
    const path = '/client/vesfx.php';
    const expected = await taken(service, path);
    const names = fc.shuffledSubarray(['lang=es', 'v=2', 'format=xml', 'lang=en', 'key'], {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        const { status, bytes } = await taken(service, `${path}?${given.join('&')}`);
        expect([status, bytes.equals(expected.bytes)]).toEqual([200, true]);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    '/client',
    '/client/',
    '/client/vesfx',
    '/client/VESFX.py',
    '/client/%2e%2e/package.json',
    '/client/vesfx.py/',
  ])('%s is no address', async (path) => {
    const service = await startTestService();
    expect((await service.call(path)).status).toBe(404);
  });
});
