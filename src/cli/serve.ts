import type { Command } from 'commander';
import { placeOf, readConfig } from '../config.ts';
import { requireNoDemonstration } from './demo-folder.ts';
import { flagsOf, print } from './output.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly collect: boolean;
}

const ENVIRONMENT = `
Environment (a flag wins over its variable):
  VESFX_HOST           address to listen on                            127.0.0.1
  VESFX_PORT           port to listen on                               8080
  VESFX_DATA           folder of the database                          data
  VESFX_DATABASE_URL   postgres://USER:PASSWORD@HOST:PORT/DATABASE, or sqlite:FOLDER
  VESFX_CATALOG        folder of the catalogue                         the packaged one
  VESFX_ADMIN_TOKEN    opens /v1/admin/records and /metrics            closed
  VESFX_PUBLIC_URL     address under which callers reach the service   the listening one
  VESFX_CORS_ORIGINS   origins that browsers may call from             none
  VESFX_TRUST_PROXY    1 or true behind a proxy with X-Forwarded-For   0
  VESFX_CONTACT        address or mail told to the sources                none
  VESFX_ALLOW_LOOPBACK_SOURCES  1 to read sources on this machine (tests)  0
  VESFX_DRAIN_SEC      seconds for which a stopping service still takes requests  1
  VESFX_BOARD          0 or false: no figures without a key            1
  VESFX_BOARD_HISTORY_DAYS  days of history on the board, 0 to 365     365
  VESFX_LOG_LEVEL      silent, error, warn, info or debug              info

One line on stdout says the address once the service is ready; log lines go to stderr.
SIGTERM or SIGINT stops it after the requests in flight.`;

/** `vesfx serve`: the service itself. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--host <host>', 'address to listen on')
    .option('--port <port>', 'port to listen on; 0 takes any free one')
    .option('--no-collect', 'read no sources; records come from imports only')
    .addHelpText('after', ENVIRONMENT)
    .action(async (_options, command: Command) => {
      const flags = flagsOf<ServeFlags>(command);
      const config = readConfig(flags);
      requireNoDemonstration(config);
      const [{ startService }, { createLog }, { Lifetime }] = await Promise.all([
        import('../compose.ts'),
        import('./log.ts'),
        import('./lifetime.ts'),
      ]);
      const log = createLog(config.logLevel);
      const lifetime = new Lifetime(log);
      const service = await startService(config, { log });
      log.info({ url: service.url, data: placeOf(config) }, 'listening');
      const ready = { listening: service.url, pid: process.pid };
      print(flags, ready, `vesfx is listening on ${service.url}`);
      process.exitCode = await lifetime.run(() => service.close(), config.drainMs);
    });
}
