import { get } from 'node:http';
import { Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../../test/harness/service.ts';

/** The pages as they are sent: languages, policy, compression, caching. */

interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The answer as it came: `fetch` would undo its coding. */
function raw(service: TestService, path: string, headers: Record<string, string> = {}) {
  return new Promise<RawReply>((resolve, reject) => {
    get(service.url + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, body: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });
}

/** Files that a page loads. */
function assetsOf(text: string): string[] {
  return [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

describe('a page', () => {
  test('is in Spanish unless the reader asks for English, and declares its language', async () => {
    const service = await startTestService();
    for (const [path, acceptLanguage, language] of [
      ['/', '', 'es'],
      ['/', 'en-US,en;q=0.9', 'en'],
      ['/?lang=es', 'en', 'es'],
      ['/?lang=en', 'es', 'en'],
    ] as const) {
      const { headers, text } = await service.call(path, {
        headers: { 'Accept-Language': acceptLanguage },
      });
      expect(text).toContain(`<html lang="${language}">`);
      expect(headers.get('content-language')).toBe(language);
      expect(headers.get('vary')).toContain('Accept-Language');
    }
  });

  test('has a policy against inline code and other hosts, and sets no cookie', async () => {
    const service = await startTestService();
    const { headers } = await service.call('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('has the same bytes in every coding that the client accepts', async () => {
    const service = await startTestService();
    const bare = await raw(service, '/methodology');
    expect(bare.headers['content-encoding']).toBeUndefined();
    const br = await raw(service, '/methodology', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.body)).toEqual(bare.body);
    const gz = await raw(service, '/methodology', { 'Accept-Encoding': 'gzip, br;q=0' });
    expect(gz.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gz.body)).toEqual(bare.body);
    expect(String(gz.headers['vary'])).toContain('Accept-Encoding');
    const small = await raw(service, '/healthz', { 'Accept-Encoding': 'br' });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('is a 304 for a client that has it, and headers only for HEAD', async () => {
    const service = await startTestService();
    const { headers, text } = await service.call('/methodology');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const again = await service.call('/methodology', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await raw(service, '/methodology');
    expect(head.headers['content-length']).toBe(`${Buffer.byteLength(text)}`);
    const reply = await service.call('/methodology', { method: 'HEAD' });
    expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([200, '', etag]);
  });

  test('has the notice of a demonstration in its text and in a header', async () => {
    const notice = { en: 'Figures of <another> day', es: 'Cifras de <otro> día' };
    const service = await startTestService({ config: { notice } });
    const { headers, text } = await service.call('/');
    expect(headers.get('x-vesfx-notice')).toBe('Figures of <another> day');
    expect(text).toContain('Cifras de &lt;otro> día');
    expect((await service.call('/?lang=en')).text).toContain('Figures of &lt;another> day');
  });
});

describe('the playground', () => {
  test.each(['es', 'en'])(
    'gets the forms of all operations in at most 5,000 bytes, which a slow phone has in a second (%s)',
    async (language) => {
      const service = await startTestService();
      const path = `/console/operations.json?lang=${language}`;
      const { headers, text } = await service.call(path);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      const forms: readonly { readonly id: string; readonly summary: string }[] = JSON.parse(text);
      const convert = forms.find(({ id }) => id === 'convert');
      expect(convert).toMatchObject({
        name: 'GET /v1/fx/convert',
        summary: language === 'es' ? 'Convertir un monto' : 'Convert an amount',
        cost: 1,
      });
      expect(forms.length).toBeGreaterThan(20);
      const sent = await raw(service, path, { 'Accept-Encoding': 'gzip' });
      expect(sent.body.length).toBeLessThanOrEqual(5_000);
    },
  );
});

describe('scripts and stylesheets', () => {
  test('exist, are immutable, and have addresses with a hash of their content', async () => {
    const service = await startTestService();
    const { text } = await service.call('/');
    const paths = assetsOf(text);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const { status, headers } = await service.call(path);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    }
    const gone = await service.call('/assets/pages-0000000000.css');
    expect([gone.status, gone.json.code]).toEqual([404, 'resource_not_found']);
  });

  test.each([
    ['/', 65_000],
    ['/console', 45_000],
    ['/docs', 10_000],
    ['/methodology', 10_000],
    ['/status', 10_000],
  ])(
    'the scripts of %s have at most %i bytes as they are sent, without types and imports',
    async (page, limit) => {
      const service = await startTestService();
      const paths = assetsOf((await service.call(page)).text).filter((one) => one.endsWith('.js'));
      expect(paths.length).toBeGreaterThan(0);
      let bytes = 0;
      for (const path of paths) {
        // Types, imports and exports are syntax errors in a plain script.
        new Script((await service.call(path)).text);
        bytes += (await raw(service, path, { 'Accept-Encoding': 'br' })).body.length;
      }
      expect(bytes).toBeLessThanOrEqual(limit);
    },
  );
});
