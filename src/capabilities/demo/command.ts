import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '../../core/capability.ts';
import { demonstrationTexts } from '../../core/cli/added.ts';
import { type AddCommand, command } from '../../core/cli/command.ts';
import { PACKAGED_CATALOGUE, readConfig } from '../../core/config.ts';

export const demoCommand = (capabilities: readonly Capability[]): AddCommand =>
  command({
    name: 'demo',
    follows: 'collect',
    isService: true,
    about: 'run the service on bundled figures dated to today, with a key for each plan',
    flags: { '--port <port>': 'port to listen on; 0 takes any free one' },
    help: '\nWithout --data the demonstration lives in a temporary folder and ends with the command.',
    async run(input) {
      const { DEMO_NOTICE, runDemo } = await import('./service.ts');
      const settings = readConfig(input);
      const temporary =
        input.data === undefined ? mkdtempSync(join(tmpdir(), 'vesfx-demo-')) : undefined;
      const config = {
        ...settings,
        dataDir: temporary ?? settings.dataDir,
        postgres: undefined,
        // The figures and the keys belong to the packaged catalogue.
        catalogueDir: PACKAGED_CATALOGUE,
        notice: DEMO_NOTICE,
        // Every guide can be tried.
        added: { ...settings.added, ...demonstrationTexts(capabilities) },
        // Moved figures and live ones must not mix.
        collect: false,
        // No load balancer waits for it.
        drainMs: 0,
      };
      try {
        await runDemo(input, config, capabilities);
      } finally {
        if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
      }
    },
  });
