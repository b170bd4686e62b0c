import type { Capability } from '../../capability.ts';
import { readConfig } from '../../config.ts';
import { addedFlags, variablesOfAll } from '../added.ts';
import { type AddCommand, command } from '../command.ts';
import { requireNoDemonstration } from '../demo-folder.ts';
import { print } from '../output.ts';

const help = (capabilities: readonly Capability[]) => `
Any number may run on one database: one reads the sources, the others wait to take over. It takes
the settings of "vesfx serve" that are not about serving: VESFX_DATA, VESFX_DATABASE_URL,
VESFX_DATABASE_WAIT_SEC, VESFX_CATALOG, VESFX_CONTACT, ${['VESFX_LOG_LEVEL', ...Object.keys(variablesOfAll(capabilities))].join(', ')}.

One line on stdout says that it is ready; log lines go to stderr. SIGTERM or SIGINT stops it, and
another takes over at once. SIGHUP reads the catalogue again; in a terminal it stops.`;

export const collectCommand = (capabilities: readonly Capability[]): AddCommand =>
  command({
    name: 'collect',
    isService: true,
    about: 'read the sources, without serving: for "vesfx serve --no-collect" beside it',
    flags: {
      ...addedFlags(capabilities),
    },
    help: help(capabilities),
    async run(input) {
      const config = readConfig(input);
      requireNoDemonstration(config);
      const { startCollecting } = await import('../../compose.ts');
      const { createLog } = await import('../log.ts');
      const { Lifetime } = await import('../lifetime.ts');
      const { tellStart, tellSupervisor } = await import('../supervisor.ts');
      const log = createLog(config.logLevel);
      const lifetime = new Lifetime(log, { reloads: true });
      tellStart(config, { log });
      const running = await lifetime.starting((signal) =>
        startCollecting(config, { log, signal, capabilities }),
      );
      if (running === undefined) return;
      lifetime.onReload(() => running.reload(() => readConfig(input)));
      const { collects } = running;
      const text = collects
        ? 'vesfx collects'
        : 'vesfx is ready to collect when the process that does so now ends';
      print(input, { collecting: collects, pid: process.pid }, text);
      tellSupervisor({ log, stopped: lifetime.stopped });
      process.exitCode = await lifetime.run(() => running.close());
    },
  });
