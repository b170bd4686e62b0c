import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  Archive,
  Fetch,
  Source,
  SourceRecord,
  UpstreamBody,
} from '../../../app/ports/sources.ts';
import type { Toolbox, Upstreams } from '../../../compose.ts';
import { readConfig } from '../../../config.ts';
import type { CaracasDay } from '../../../domain/time.ts';
import { command, type Result } from '../../command.ts';
import { DONE, FAILED, print, remark, UsageError, visible } from '../../output.ts';
import {
  countOf,
  isCollected,
  loadSourcesAndMarkets,
  sourceNamed,
  withUpstreams,
} from '../../sources.ts';
import { withToolbox } from '../../toolbox.ts';
import { countsText } from '../import.ts';

async function check(source: Source, fetch: Upstreams['fetch']) {
  const { failureOf, recordsOf } = await import('../../../app/collecting/read-source.ts');
  const { name } = source;
  try {
    const now = Date.now();
    const records = await recordsOf(source, await source.read(fetch(source), now), now);
    return { name, ok: true, records } as const;
  } catch (error) {
    return { name, ok: false, ...failureOf(error) } as const;
  }
}

function checkedText(checked: Awaited<ReturnType<typeof check>>): string {
  const { name } = checked;
  if (!checked.ok) return `${name}: failed (${checked.reason}): ${visible(checked.message)}`;
  const lines = checked.records.map((record) => JSON.stringify(record));
  return [`${name}: ${countOf(lines.length, 'record')}`, ...lines].join('\n');
}

export const checkCommand = command({
  name: 'check',
  about: 'read and parse a source without storing anything; exit code 1 when it fails',
  arguments: {
    '[name]': 'the source; by default every enabled one with a schedule, and the fallbacks',
  },
  async run(input) {
    const { name } = input;
    const config = readConfig(input);
    const { sources } = await loadSourcesAndMarkets(config);
    const chosen = name === undefined ? sources.filter(isCollected) : [sourceNamed(sources, name)];
    const checked = await withUpstreams(config, (fetch) =>
      Promise.all(chosen.map((source) => check(source, fetch))),
    );
    return {
      json: { sources: checked },
      text: checked.map(checkedText).join('\n'),
      exitCode: checked.every(({ ok }) => ok) ? DONE : FAILED,
    };
  },
});

export const runCommand = command({
  name: 'run',
  about: 'read a source now and ingest its records, even if it is off',
  arguments: { '<name>': 'the source' },
  async run(input) {
    const config = readConfig(input);
    const { sources } = await loadSourcesAndMarkets(config);
    const source = sourceNamed(sources, input.name);
    const { readSource } = await import('../../../app/collecting/read-source.ts');
    const { systemClock: clock } = await import('../../../compose.ts');
    const readNow = async (toolbox: Toolbox, fetch: Fetch) => {
      const { store } = toolbox;
      const states = await store.sourceStates();
      const before = states.find((state) => state.source === source.name);
      const options = { ...toolbox, sources, fetch, clock, before };
      const { state, counts, notAsked } = await readSource(source, options);
      // Only the collector plans its turns.
      await store.saveSourceState({ ...state, nextRunAt: before?.nextRunAt });
      if (counts !== undefined) print(input, { name: source.name, ...counts }, countsText(counts));
      const problem = notAsked ?? state.failure?.message;
      if (problem !== undefined) throw new Error(`${source.name}: ${visible(problem)}`);
      return undefined;
    };
    return withUpstreams(config, (fetch) =>
      withToolbox(config, (toolbox) => readNow(toolbox, fetch(source)), 'create'),
    );
  },
});

/** Largest saved body, in bytes. It is more than any accepted answer of a source. */
// limit: `vesfx source parse`: body | 64 MB | fails
const MAX_PARSED_FILE_BYTES = 64 * 2 ** 20;

function savedBody(file: string): UpstreamBody {
  const path = resolve(file);
  const { size } = statSync(path);
  if (size > MAX_PARSED_FILE_BYTES) {
    throw new UsageError(`${file} has more than ${MAX_PARSED_FILE_BYTES / 2 ** 20} MB.`);
  }
  return { url: pathToFileURL(path).href, bytes: readFileSync(path) };
}

function printRecords(records: readonly SourceRecord[]): void {
  for (const record of records) process.stdout.write(`${JSON.stringify(record)}\n`);
}

/** Saved workbooks are read, and nothing is fetched. */
const unasked: Fetch = () => Promise.reject(new Error('A saved body needs no request.'));

/**
 * Prints the good publications, also of a workbook with a bad day, then the faults of the others.
 * If several workbooks have a value date, the first of them counts.
 */
async function parseWorkbooks(
  read: Archive['read'],
  bodies: readonly UpstreamBody[],
): Promise<Result | undefined> {
  const { recordOf } = await import('../../../app/collecting/workbooks.ts');
  const faults: string[] = [];
  const known = new Set<CaracasDay>();
  for (const body of bodies) {
    const workbook = await read(body);
    const file = basename(fileURLToPath(body.url));
    faults.push(...workbook.faults.map(({ place, problem }) => `${file}, ${place}: ${problem}`));
    const own = workbook.publications.filter(({ valueDate }) => !known.has(valueDate));
    for (const { valueDate } of own) known.add(valueDate);
    printRecords(own.map(recordOf));
  }
  if (faults.length === 0) return undefined;
  for (const fault of faults) remark(visible(fault));
  throw new Error(`${countOf(faults.length, 'fault')}, named above: those parts are left out.`);
}

export const parseCommand = command({
  name: 'parse',
  about: 'parse saved bodies as a source would, and print the records as NDJSON',
  arguments: {
    '<name>': 'the source, even if it is off',
    '<files...>': 'the bodies of one reading, in order',
  },
  async run(input) {
    const { sources } = await loadSourcesAndMarkets(readConfig(input));
    const source = sourceNamed(sources, input.name);
    const bodies = input.files.map(savedBody);
    const { failureOf, recordsOf } = await import('../../../app/collecting/read-source.ts');
    const failed = (error: unknown): never => {
      throw new Error(visible(failureOf(error).message), { cause: error });
    };
    const archive = source.archive?.(unasked);
    if (archive !== undefined) {
      return parseWorkbooks((body) => archive.read(body).catch(failed), bodies);
    }
    const records = await recordsOf(source, bodies, Date.now()).catch(failed);
    printRecords(records);
    return undefined;
  },
});
