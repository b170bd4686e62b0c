import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from './harness/certificates.ts';
import { eventThrough } from './harness/event-through.ts';
import { fullMarket } from './harness/make.ts';
import { freePort } from './harness/ports.ts';
import { read } from './harness/repository.ts';
import { ADMIN_TOKEN, startTestService, temporaryDir } from './harness/service.ts';

/** `deploy/nginx.conf` in front of a service. */

const NGINX = '/usr/sbin/nginx';
const isThere = existsSync(NGINX);
if (!isThere) process.stderr.write(`NOT RUN, for there is no ${NGINX}: the proxy\n`);

/** @returns the port with TLS. */
async function startNginx(server: string): Promise<number> {
  const place = await temporaryDir();
  const { cert, key } = makeCertificate({ name: 'rates.example' });
  await writeFile(join(place, 'fullchain.pem'), cert);
  await writeFile(join(place, 'privkey.pem'), key);
  const port = await freePort();
  const own = read('deploy/nginx.conf')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('127.0.0.1:8080', new URL(server).host)
    .replaceAll('/etc/letsencrypt/live/rates.example', place);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `${kind}_temp_path ${place}/${kind};`).join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const head = `${user} pid ${place}/pid; error_log ${place}/error; daemon off;`;
  const file = join(place, 'nginx.conf');
  await writeFile(file, `${head}\nevents {}\nhttp { access_log off; ${paths}\n${own}}`);
  const running = spawn(NGINX, ['-p', place, '-c', file], { stdio: 'ignore' });
  onTestFinished(async () => {
    running.kill('SIGTERM');
    await once(running, 'exit');
  });
  return port;
}

test.skipIf(!isThere)(
  'nginx passes addresses of callers and paths as they are, hides what is for the operator, and holds no stream back',
  async () => {
    const config = { trustProxy: true, logLevel: 'debug', logAddresses: true } as const;
    const service = await startTestService({ config });
    await service.push(...fullMarket());
    const key = await service.keyFor('Escala');
    const port = await startNginx(service.url);
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    onTestFinished(() => dispatcher.destroy());
    const ask = (path: string, options: Parameters<typeof request>[1] = {}) =>
      request(`https://127.0.0.1:${port}${path}`, {
        dispatcher,
        ...options,
        headers: { 'X-API-Key': key, Host: 'rates.example', 'X-Forwarded-For': '203.0.113.1' },
      });
    const statusOf = async (...asked: Parameters<typeof ask>) => {
      const { statusCode, body } = await ask(...asked);
      await body.dump();
      return statusCode;
    };
    await expect.poll(() => statusOf('/v1/fx/rates').catch(() => 0)).toBe(200);
    // What a caller claims about its own address does not count.
    const addresses = service.log.lines.flatMap(({ message, fields }) =>
      message === 'request' ? [Reflect.get(fields, 'address')] : [],
    );
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));

    const Authorization = `Bearer ${ADMIN_TOKEN}`;
    expect((await service.call('/metrics', { headers: { Authorization } })).status).toBe(200);
    for (const path of ['/metrics', '//metrics', '/%6detrics', '/v1/admin/records', '/v1//admin/x'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);

    // The service refuses in its own form.
    const large = await ask('/v1/fx/bulk/convert', { method: 'POST', body: 'x'.repeat(100_000) });
    expect(large.statusCode).toBe(413);
    expect(await large.body.json()).toHaveProperty('code', 'payload_too_large');
    expect(await statusOf(`/v1/fx/rates?x=${'x'.repeat(9_000)}`)).toBe(414);

    const stream = await ask('/v1/fx/stream');
    expect(stream.statusCode).toBe(200);
    await eventThrough(stream.body, service);
  },
);
