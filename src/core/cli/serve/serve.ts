import { flushCompileCache } from 'node:module';
import type { Log } from '../../app/ports/log.ts';
import type { Capability } from '../../capability.ts';
import { type Config, lacksPublicUrl, placeOf, readConfig } from '../../config.ts';
import { FILE_ENDING } from '../../secret-file.ts';
import { SETTINGS, type SettingTexts } from '../../settings.ts';
import { addedFlags, variablesOfAll } from '../added.ts';
import { type AddCommand, command } from '../command.ts';
import { requireNoDemonstration } from '../demo-folder.ts';
import { type CommonFlags, FAILED, print } from '../output.ts';
import type { WorkerChannel } from './worker.ts';

type HelpTexts = Pick<SettingTexts, 'about' | 'byDefault' | 'isSecret'>;

function settingText([name, { about, byDefault = '' }]: [string, HelpTexts]) {
  return `  ${name.padEnd(28)}  ${about.padEnd(47)}  ${byDefault}`.trimEnd();
}

const allSettings = (capabilities: readonly Capability[]) =>
  Object.entries<HelpTexts>({ ...SETTINGS, ...variablesOfAll(capabilities) });

const secretsText = (capabilities: readonly Capability[]) =>
  allSettings(capabilities)
    .flatMap(([name, { isSecret }]) => (isSecret === true ? [name + FILE_ENDING] : []))
    .join(',\n');

const environment = (capabilities: readonly Capability[]) => `
Environment (a flag wins over its variable):
${allSettings(capabilities).map(settingText).join('\n')}

A secret may stand in a file of its own, which a variable with _FILE behind its name gives:
${secretsText(capabilities)}.

When the service is ready, it prints its address on stdout; log lines go to stderr.
SIGTERM or SIGINT stops it after the requests in progress. SIGHUP reads the catalogue and
the tokens again; in a terminal it stops.`;

async function serve(
  flags: CommonFlags,
  config: Config,
  capabilities: readonly Capability[],
  peers?: WorkerChannel,
): Promise<undefined> {
  const [{ startService }, { createLog }, { Lifetime }, supervisor] = await Promise.all([
    import('../../compose.ts'),
    import('../log.ts'),
    import('../lifetime.ts'),
    import('../supervisor.ts'),
  ]);
  const log = createLog(config.logLevel);
  const lifetime = new Lifetime(log, { reloads: true });
  if (peers === undefined) supervisor.tellStart(config, { log });
  const start = (signal: AbortSignal) => startService(config, { log, peers, signal, capabilities });
  const service = await lifetime.starting(start);
  if (service === undefined) return;
  lifetime.onReload(() => service.reload(() => readConfig(flags)));
  log.info({ url: service.url, data: placeOf(config) }, 'listening');
  if (peers === undefined) {
    warnOfLinks(config, log);
    announce(flags, service.url);
    supervisor.tellSupervisor({ log, stopped: lifetime.stopped });
  } else peers.ready(service.url);
  // Write the compile cache now, so that the next start has it even if this process is killed.
  flushCompileCache();
  process.exitCode = await lifetime.run(() => service.close(), config.drainMs);
}

function warnOfLinks(config: Config, log: Log): void {
  if (!lacksPublicUrl(config)) return;
  log.warn(
    { host: config.host },
    'links in answers (methodology_url) have the listening address: set VESFX_PUBLIC_URL',
  );
}

async function servePrimary(flags: CommonFlags, config: Config, count: number): Promise<undefined> {
  const [{ NotStarted, Workers }, { createLog }, { Lifetime, STOP_WITHIN_MS }, supervisor] =
    await Promise.all([
      import('./workers.ts'),
      import('../log.ts'),
      import('../lifetime.ts'),
      import('../supervisor.ts'),
    ]);
  const log = createLog(config.logLevel);
  const lifetime = new Lifetime(log, { reloads: true });
  const workers = new Workers({ count, log });
  warnOfLinks(config, log);
  supervisor.tellStart(config, { log });
  try {
    // A stop signal may come while the workers wait for the database.
    const url = await Promise.race([workers.start(config), lifetime.stopped]);
    if (url !== undefined) {
      lifetime.onReload(async () => workers.reload());
      announce(flags, url, { workers: count });
      const { stopped } = lifetime;
      supervisor.tellSupervisor({ log, stopped, isAlive: () => workers.areAlive() });
    }
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    await workers.stop();
    // The worker has already reported the reason.
    process.exitCode = error.exitCode;
    return;
  }
  let clean = false;
  // Workers have that long; this process waits a little longer.
  const code = await lifetime.run(async () => {
    clean = await workers.stop();
  }, config.drainMs + STOP_WITHIN_MS);
  process.exitCode = clean ? code : FAILED;
}

function announce(flags: CommonFlags, url: string, more: object = {}): void {
  print(flags, { listening: url, pid: process.pid, ...more }, `vesfx is listening on ${url}`);
}

export const serveCommand = (capabilities: readonly Capability[]): AddCommand =>
  command({
    name: 'serve',
    isService: true,
    about: 'run the service',
    flags: {
      '--host <host>': 'address to listen on',
      '--port <port>': 'port to listen on; 0 takes any free one',
      '--workers <count>': 'worker processes, for several cores: a number, or auto',
      '--no-collect': 'read no sources; records come from imports only',
      ...addedFlags(capabilities),
    },
    help: environment(capabilities),
    async run(input) {
      const config = readConfig(input);
      requireNoDemonstration(config);
      if (input.workers === undefined) return serve(input, config, capabilities);
      const { REUSES_PORT, readWorkers } = await import('./workers.ts');
      const count = readWorkers(input.workers);
      const { default: cluster } = await import('node:cluster');
      if (cluster.isPrimary) return servePrimary(input, config, count);
      const { WorkerChannel } = await import('./worker.ts');
      return serve(input, { ...config, reusePort: REUSES_PORT }, capabilities, new WorkerChannel());
    },
  });
