import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../harness/processes.ts';
import { temporaryDir } from '../harness/service.ts';

/** A start under systemd, whose `systemd-notify` writes what it is told into a file. */

const WAIT_SEC = 600;
/** Three minutes more. */
const MAX_START_USEC = (WAIT_SEC + 180) * 1_000_000;

test.runIf(process.platform !== 'win32').each([
  { name: 'serve', args: ['serve', '--no-collect', '--port', '0'] },
  { name: 'serve --workers 2', args: ['serve', '--no-collect', '--port', '0', '--workers', '2'] },
  { name: 'collect', args: ['collect'] },
])(
  '$name asks systemd for the time that its start may take, once, before it says that it is ready',
  async ({ args }) => {
    const folder = await temporaryDir();
    const told = join(folder, 'told');
    const notify = join(folder, 'systemd-notify');
    await writeFile(notify, `#!/bin/sh\necho "$1" >> '${told}'\n`);
    await chmod(notify, 0o755);
    const site = await install({
      PATH: [folder, process.env['PATH']].join(delimiter),
      NOTIFY_SOCKET: join(folder, 'socket'),
      VESFX_DATABASE_WAIT_SEC: String(WAIT_SEC),
    });
    await site.start(args);
    const lines = () => readFileSync(told, 'utf8').trim().split('\n');
    await expect.poll(lines).toEqual([`EXTEND_TIMEOUT_USEC=${MAX_START_USEC}`, 'READY=1']);
  },
);
