import type { Command } from 'commander';
import type { Fetch } from '../../../app/ports/sources.ts';
import type { Toolbox } from '../../../compose.ts';
import { readConfig } from '../../../config.ts';
import { flagsOf, print, visible } from '../../output.ts';
import { withToolboxOf } from '../../toolbox.ts';
import { countsText } from '../import.ts';
import { loadSourcesAndMarkets, sourceNamed, withUpstreams } from './opened.ts';

export function addRunCommand(group: Command): void {
  group
    .command('run')
    .description('read a source now and ingest its records, even if it is off')
    .argument('<name>', 'the source')
    .action(async (name: string, _options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await loadSourcesAndMarkets(config);
      const source = sourceNamed(sources, name);
      const [{ readSource }, { systemClock: clock }] = await Promise.all([
        import('../../../app/collecting/read-source.ts'),
        import('../../../compose.ts'),
      ]);
      const readNow = async ({ store, ingest }: Toolbox, fetch: Fetch) => {
        const before = (await store.sourceStates()).find((one) => one.source === source.name);
        const options = { fetch, store, ingest, clock, before };
        const { state, counts, notAsked } = await readSource(source, options);
        // Only the collector plans its turns.
        const { nextRunAt } = before ?? {};
        await store.saveSourceState({ ...state, ...(nextRunAt !== undefined && { nextRunAt }) });
        if (counts !== undefined)
          print(flags, { name: source.name, ...counts }, countsText(counts));
        const problem = notAsked ?? state.failure?.message;
        if (problem !== undefined) throw new Error(`${source.name}: ${visible(problem)}`);
      };
      await withUpstreams(config, (fetch) =>
        withToolboxOf(config, (toolbox) => readNow(toolbox, fetch(source)), {
          withoutDatabase: 'create',
        }),
      );
    });
}
