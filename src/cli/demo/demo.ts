import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { COMPAT_NAMES, PACKAGED_CATALOGUE, readConfig } from '../../config.ts';
import { flagsOf } from '../output.ts';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run the service on bundled figures dated to today, with a key for each plan')
    .option('--port <port>', 'port to listen on; 0 takes any free one')
    .addHelpText(
      'after',
      '\nWithout --data the demonstration lives in a temporary folder and ends with the command.',
    )
    .action(async (_options, command: Command) => {
      const flags = flagsOf<{ port?: string }>(command);
      const { DEMO_NOTICE, runDemo } = await import('./demo-service.ts');
      const given = readConfig(flags);
      const temporary =
        flags.data === undefined ? mkdtempSync(join(tmpdir(), 'vesfx-demo-')) : undefined;
      const config = {
        ...given,
        dataDir: temporary ?? given.dataDir,
        postgres: undefined,
        // The figures and the keys belong to the packaged catalogue.
        catalogueDir: PACKAGED_CATALOGUE,
        notice: DEMO_NOTICE,
        // Every guide can be tried.
        compat: COMPAT_NAMES,
        // Moved figures and live ones must not mix.
        collect: false,
        // No load balancer waits for it.
        drainMs: 0,
      };
      try {
        await runDemo(flags, config);
      } finally {
        if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
      }
    });
}
