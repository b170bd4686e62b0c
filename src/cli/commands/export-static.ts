import { constants } from 'node:os';
import { resolve } from 'node:path';
import { lowerPriority } from '../../app/lower-priority.ts';
import type { Toolbox } from '../../compose.ts';
import type { Config } from '../../config.ts';
import { currencyOf, type Market, type Markets } from '../../domain/markets.ts';
import { didYouMean } from '../../domain/near-names.ts';
import type { Result } from '../command.ts';
import { UsageError, visible } from '../output.ts';

/** The named markets in catalogue order, each once. @throws UsageError */
export function marketsNamed(markets: Markets, names: readonly string[]): readonly Market[] {
  const found = new Set(
    names.map((name) => {
      const market = markets.find(name);
      if (market !== undefined) return market;
      const isCurrency = currencyOf(name) !== undefined;
      const hint = isCurrency ? ' Its rates come with --official.' : didYouMean(markets, name);
      throw new UsageError(`There is no market "${visible(name)}".${hint}`);
    }),
  );
  return markets.list.filter((market) => found.has(market));
}

/** `vesfx export --static`: what any web server can serve (decisions §22). */
export async function exportStatic(
  toolbox: Toolbox,
  {
    folder,
    market: names,
  }: { readonly folder: string; readonly market: readonly string[] | undefined },
  config: Config,
): Promise<Result> {
  const markets = names && marketsNamed(toolbox.markets, names);
  const { writeStaticCopy } = await import('../../compose.ts');
  // A service on the same machine has priority.
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const dir = resolve(folder);
  const report = await writeStaticCopy(toolbox, config, { dir, markets });
  const { files, bytes, written, removed } = report;
  const changes =
    written + removed === 0 ? 'nothing changed' : `${written} written, ${removed} removed`;
  return {
    json: { folder: dir, ...report },
    text: `${dir}: ${files} files, ${bytes} bytes; ${changes}.`,
  };
}
