import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from './harness/ports.ts';
import { install } from './harness/processes.ts';

/** The filter of `deploy/fail2ban/` on lines that a service has logged. */

const FAIL2BAN = '/usr/bin/fail2ban-regex';
const FILTER = fileURLToPath(new URL('../deploy/fail2ban/filter.conf', import.meta.url));

const isThere = existsSync(FAIL2BAN);
if (!isThere) process.stderr.write(`NOT RUN, for there is no ${FAIL2BAN}: the filter\n`);

test.skipIf(!isThere)(
  'fail2ban finds the address of each wrong key, and none that a caller has made up',
  async () => {
    const site = await install({
      ...{ VESFX_LOG_LEVEL: 'debug', VESFX_LOG_ADDRESSES: '1', VESFX_TRUST_PROXY: '1' },
      VESFX_PORT: String(await freePort()),
    });
    const key = await site.keyFor('Inicio');
    const served = await site.start(['serve', '--no-collect']);
    const ask = async (from: string, path: string, sent: string) => {
      const headers = { 'X-Forwarded-For': from, 'X-API-Key': sent };
      const { body, status } = await fetch(served.ready.listening + path, { headers });
      await body?.cancel();
      return status;
    };
    const forged = encodeURIComponent('","address":"198.51.100.1","status":401,');
    expect(await ask('203.0.113.1', '/v1/account', 'vfx_live_wrong')).toBe(401);
    expect(await ask('2001:db8::7', `/v1/account?x="${forged}`, 'vfx_live_wrong')).toBe(401);
    expect(await ask('203.0.113.2', '/v1/account', key)).toBe(200);
    expect(await ask('203.0.113.3', `/v1/account?x=","status":401,${forged}`, key)).toBe(200);
    expect(await ask('203.0.113.4', `/nothing","status":401,`, key)).toBe(404);
    await expect.poll(() => served.log()).toContain('"203.0.113.4"');
    const lines = served.log();
    // The journal puts the host and the program in front.
    const journal = lines.replaceAll(/^/gm, 'fx1 vesfx[7]: ');
    for (const text of [lines, journal]) {
      const log = join(site.folder, 'log');
      writeFileSync(log, text);
      const found = execFileSync(FAIL2BAN, ['--out', 'ip', log, FILTER], { encoding: 'utf8' });
      expect(found.trim().split('\n')).toEqual(['203.0.113.1', '2001:db8::7']);
    }
  },
);
