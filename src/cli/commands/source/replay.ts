import type { Command } from 'commander';
import type { Replayed } from '../../../app/collecting/replay.ts';
import { readConfig } from '../../../config.ts';
import { isoInstant, startOfCaracasDay } from '../../../domain/time.ts';
import { flagsOf, print, visible } from '../../output.ts';
import { withToolboxOf } from '../../toolbox.ts';
import { dayOf } from '../moment.ts';
import { countOf, loadSourcesAndMarkets, sourceNamed } from './opened.ts';

/** Most listed readings that would change, and most that fail. */
const MAX_LISTED_READINGS = 1_000;

/** The listed results of a replay. */
interface Found {
  readonly counts: Record<Replayed['outcome'], number>;
  readonly changed: Replayed[];
  readonly failed: Replayed[];
}

async function gather(replayed: AsyncIterable<Replayed>): Promise<Found> {
  const counts = { same: 0, changed: 0, failed: 0, uncompared: 0 };
  const found: Found = { counts, changed: [], failed: [] };
  for await (const one of replayed) {
    counts[one.outcome] += 1;
    if (one.outcome !== 'changed' && one.outcome !== 'failed') continue;
    const list = found[one.outcome];
    if (list.length < MAX_LISTED_READINGS) list.push(one);
  }
  return found;
}

function replayText({ counts, changed, failed }: Found): string {
  const { same, uncompared } = counts;
  const line = ({ readAt, outcome, notes }: Replayed) =>
    `${isoInstant(readAt)}  ${outcome === 'failed' ? 'fails: ' : ''}${visible(notes.join('; '))}`;
  const listed = [...changed, ...failed].sort((a, b) => a.readAt - b.readAt).map(line);
  const readings = same + uncompared + counts.changed + counts.failed;
  return [
    ...listed,
    `${countOf(readings, 'reading')}: ${same} as published, ${counts.changed} would change, ` +
      `${counts.failed} cannot be read, ${uncompared} cannot be compared`,
  ].join('\n');
}

export function addReplayCommand(group: Command): void {
  group
    .command('replay')
    .description(
      'run the current parser on the kept bodies of a source, and show what would change',
    )
    .argument('<name>', 'the source')
    .option('--since <day>', 'first day in Caracas; by default the first kept one')
    .action(async (name: string, _options, command: Command) => {
      const flags = flagsOf<{ readonly since?: string }>(command);
      const config = readConfig(flags);
      const since =
        flags.since === undefined
          ? Number.NEGATIVE_INFINITY
          : startOfCaracasDay(dayOf(flags.since, '--since'));
      const { sources, markets } = await loadSourcesAndMarkets(config);
      const source = sourceNamed(sources, name);
      await withToolboxOf(config, async ({ store }) => {
        const { replay } = await import('../../../app/collecting/replay.ts');
        const found = await gather(replay(source, { store, markets, since }));
        const view = ({ readAt, notes }: Replayed) => ({ read_at: isoInstant(readAt), notes });
        const { counts, changed, failed } = found;
        const result = {
          name: source.name,
          readings: counts,
          changed: changed.map(view),
          failed: failed.map(view),
        };
        print(flags, result, replayText(found));
      });
    });
}
