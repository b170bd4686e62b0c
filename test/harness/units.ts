import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDir } from './service.ts';

/** The units of `deploy/`, run without systemd, as the user that a unit names would run them. */

const DEPLOY = new URL('../../deploy/', import.meta.url);
/** Stands for the user `vesfx`, which tests do not create. */
const USER = 'nobody';
const NOBODY = 65_534;

/** Only root may become another user. */
export const CAN_CHANGE_USER = process.getuid?.() === 0;

export const readUnit = (name: string) => readFileSync(new URL(name, DEPLOY), 'utf8');

/** The values of a setting of a unit. */
export function settingsOf(unit: string, name: string): readonly string[] {
  return readUnit(unit)
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
}

interface Installation {
  /** The folder in the place of `/opt/vesfx`. */
  readonly opt: string;
  /** The folder in the place of `/usr/local/bin`, where a global installation has its command. */
  readonly bin: string;
}

/** Installs as the guide says, at other places, and returns what runs a line of a unit. */
export async function installUnits({ opt, bin }: Installation) {
  const folder = await temporaryDir();
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const copies = join(folder, 'copies');
  for (const own of [data, copies]) {
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, NOBODY, NOBODY);
  }
  const settings = join(folder, 'vesfx.env');
  const catalogue = join(folder, 'catalog');
  mkdirSync(catalogue);
  writeFileSync(join(catalogue, 'sources.json'), '[]');
  const lines = `VESFX_DATA=${data}\nVESFX_PORT=0\nVESFX_CATALOG=${catalogue}\n`;
  writeFileSync(settings, lines, { mode: 0o640 });
  chownSync(settings, 0, NOBODY);
  const node = dirname(process.execPath);
  const command = join(folder, 'vesfx');
  const script = readUnit('vesfx')
    .replaceAll('/opt/vesfx', opt)
    .replace('/usr/local/bin:', `${bin}:${node}:`)
    .replaceAll('/etc/vesfx.env', settings)
    .replace('/usr/lib/vesfx/vesfx', '/nonexistent')
    .replace('--reuid=vesfx --regid=vesfx', `--reuid=${USER} --regid=${NOBODY}`);
  writeFileSync(command, script, { mode: 0o755 });
  const line = (unit: string, name: string) =>
    (settingsOf(unit, name)[0] ?? '').replaceAll('/usr/local/sbin/vesfx', command);
  const env = { HOME: '/nonexistent', STATE_DIRECTORY: copies, NODE_ENV: 'production' };
  /** As systemd runs it: no shell, `%%` is a percent sign. */
  const asService = (text: string) => {
    const words = [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) =>
      (quoted ?? plain ?? '').replaceAll('%%', '%'),
    );
    const expanded = words.map((word) => word.replace(/^\$\{STATE_DIRECTORY\}$/, copies));
    return ['--reuid', USER, '--regid', `${NOBODY}`, '--clear-groups', '--', ...expanded];
  };
  const run = (file: string, args: readonly string[]) => {
    const { promise, resolve } = Promise.withResolvers<{ code: number; text: string }>();
    execFile(
      file,
      args,
      { cwd: '/', env: { ...env, PATH: process.env['PATH'] } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), text: out + err }),
    );
    return promise;
  };
  return {
    data,
    copies,
    settings,
    /** The operator, as root. */
    asRoot: (...args: readonly string[]) => run(command, args),
    runLine: (unit: string, name: string) => run('setpriv', asService(line(unit, name))),
    /** Starts the service and waits for its line. */
    async start() {
      const served = spawn('setpriv', asService(line('vesfx.service', 'ExecStart')), {
        cwd: '/',
        env: { ...env, PATH: process.env['PATH'] },
      });
      const ended = once(served, 'exit');
      onTestFinished(async () => {
        served.kill('SIGTERM');
        await ended;
      });
      const [said] = await once(served.stdout, 'data');
      return { pid: served.pid ?? 0, url: /http:\S+/.exec(String(said))?.[0] ?? '' };
    },
    isOwnedByService: (path: string) => statSync(path).uid === NOBODY,
  };
}
