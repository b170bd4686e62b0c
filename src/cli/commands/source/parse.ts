import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { SourceRecord, UpstreamBody } from '../../../app/ports/sources.ts';
import { readConfig } from '../../../config.ts';
import { flagsOf, UsageError, visible } from '../../output.ts';
import { loadSourcesAndMarkets, sourceNamed } from './opened.ts';

/** Largest saved body, in bytes. It is more than any accepted answer of a source. */
const MAX_PARSED_FILE_BYTES = 64 * 2 ** 20;

function savedBody(file: string): UpstreamBody {
  const path = resolve(file);
  const { size } = statSync(path);
  if (size > MAX_PARSED_FILE_BYTES) {
    throw new UsageError(`${file} has more than ${MAX_PARSED_FILE_BYTES / 2 ** 20} MB.`);
  }
  return { url: pathToFileURL(path).href, bytes: readFileSync(path) };
}

export function addParseCommand(group: Command): void {
  group
    .command('parse')
    .description('parse saved bodies as a source would, and print the records as NDJSON')
    .argument('<name>', 'the source, even if it is off')
    .argument('<files...>', 'the bodies of one reading, in order')
    .action(async (name: string, files: readonly string[], _options, command: Command) => {
      const { sources } = await loadSourcesAndMarkets(readConfig(flagsOf(command)));
      const source = sourceNamed(sources, name);
      const bodies = files.map(savedBody);
      const { failureOf, recordsOf } = await import('../../../app/collecting/read-source.ts');
      let records: readonly SourceRecord[];
      try {
        records = await recordsOf(source, bodies);
      } catch (error) {
        throw new Error(visible(failureOf(error).message), { cause: error });
      }
      for (const record of records) process.stdout.write(`${JSON.stringify(record)}\n`);
    });
}
