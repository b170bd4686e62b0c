import { DAY_MS, isoInstant } from '../../domain/time.ts';
import { databaseCommand } from '../command.ts';
import { textTable } from '../output.ts';
import { progressBar } from '../progress.ts';

const HELP = `
It thins captures older than the history of the longest plan, and than the 52 hours that judgement
reads. It keeps the last capture of each UTC day; of an official rate, the last of each value date
in that day. It never removes official rates of value dates, publications or bank tables. The
collecting process does the same by itself, unless VESFX_KEEP_RAW is "all". The command may run
while the service does.`;

/** `vesfx prune`: thins captures that no plan reaches any more. */
export const pruneCommand = databaseCommand({
  name: 'prune',
  about: 'thin captures that no plan shows, keeping the last of each UTC day',
  flags: { '--dry-run': 'count, remove nothing' },
  help: HELP,
  async work({ store, plans }, { dryRun }) {
    const { prune, rawKeptFrom } = await import('../../app/prune.ts');
    const before = rawKeptFrom(plans, Date.now());
    if (before === undefined) {
      const json = { before: null, dry_run: dryRun, markets: [], thinned: 0, batches: 0 };
      return { json, text: 'A plan reaches all of history: nothing can be thinned.' };
    }
    const firsts = [...(await store.firstCaptures()).values()];
    const days = firsts.map((first) => Math.max(0, before - first) / DAY_MS);
    const total = days.reduce((sum, count) => sum + count, 0);
    const bar = await progressBar(total, '{bar} {percentage}% | {eta_formatted}');
    try {
      const onAdvance = (ms: number) => bar?.advance(ms / DAY_MS);
      const { markets, batches } = await prune(store, { before, dryRun, onAdvance });
      const thinned = markets.reduce((sum, market) => sum + market.thinned, 0);
      if (!dryRun && thinned + batches > 0) {
        const after = { thinned_before: isoInstant(before), captures: thinned, batches };
        const change = { what: 'database', id: '', before: null, after } as const;
        await store.noteChange(change, () => undefined);
      }
      const result = { before: isoInstant(before), dry_run: dryRun, markets, thinned };
      const rows = markets.map(({ market, captures, thinned: gone }) =>
        [market, captures, gone, captures - gone].map(String),
      );
      const lines = [
        ...(rows.length > 0 ? [textTable(['market', 'captures', 'thinned', 'left'], rows)] : []),
        `${dryRun ? 'would thin out' : 'thinned out'} ${thinned} of the captures before ${isoInstant(before)}` +
          (dryRun ? ' (dry run: nothing was removed)' : `; empty batches removed: ${batches}`),
      ];
      return { json: dryRun ? result : { ...result, batches }, text: lines.join('\n') };
    } finally {
      bar?.stop();
    }
  },
});
