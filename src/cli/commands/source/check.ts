import type { Command } from 'commander';
import type { Source, SourceRecord } from '../../../app/ports/sources.ts';
import type { Upstreams } from '../../../compose.ts';
import { readConfig } from '../../../config.ts';
import { FAILED, flagsOf, print, visible } from '../../output.ts';
import {
  countOf,
  isCollected,
  loadSourcesAndMarkets,
  sourceNamed,
  withUpstreams,
} from './opened.ts';

type Checked =
  | { readonly name: string; readonly ok: true; readonly records: readonly SourceRecord[] }
  | {
      readonly name: string;
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
    };

async function check(source: Source, fetch: Upstreams['fetch']): Promise<Checked> {
  const { failureOf, recordsOf } = await import('../../../app/collecting/read-source.ts');
  const { name } = source;
  try {
    return { name, ok: true, records: await recordsOf(source, await source.read(fetch(source))) };
  } catch (error) {
    return { name, ok: false, ...failureOf(error) };
  }
}

function checkedText(checked: Checked): string {
  const { name } = checked;
  if (!checked.ok) return `${name}: failed (${checked.reason}): ${visible(checked.message)}`;
  const lines = checked.records.map((record) => JSON.stringify(record));
  return [`${name}: ${countOf(lines.length, 'record')}`, ...lines].join('\n');
}

export function addCheckCommand(group: Command): void {
  group
    .command('check')
    .description('read and parse a source without storing anything; exit code 1 when it fails')
    .argument(
      '[name]',
      'the source; by default every enabled one with a schedule, and the fallbacks',
    )
    .action(async (name: string | undefined, _options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const { sources } = await loadSourcesAndMarkets(config);
      const chosen =
        name === undefined ? sources.filter(isCollected) : [sourceNamed(sources, name)];
      const checked = await withUpstreams(config, (fetch) =>
        Promise.all(chosen.map((source) => check(source, fetch))),
      );
      const text = checked.map(checkedText).join('\n');
      print(flags, { sources: checked }, text);
      if (checked.some(({ ok }) => !ok)) process.exitCode = FAILED;
    });
}
