import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Replayed } from '../../../app/collecting/replay.ts';
import type { KeptReading } from '../../../app/ports/collecting.ts';
import type { UpstreamBody } from '../../../app/ports/sources.ts';
import type { Store } from '../../../app/ports/store.ts';
import { readConfig } from '../../../config.ts';
import { type Instant, isoInstant, startOfCaracasDay } from '../../../domain/time.ts';
import { command, databaseCommand } from '../../command.ts';
import { CommandError, remark, UsageError, visible } from '../../output.ts';
import { countOf, loadSourcesAndMarkets, sourceNamed } from '../../sources.ts';
import { withToolbox } from '../../toolbox.ts';
import { dayOfFlag, instantOf } from '../moment.ts';

/** Most listed readings that would change, and most that fail. */
// limit: `vesfx source replay`: readings | 1,000 | counted
const MAX_LISTED_READINGS = 1_000;

async function gather(replayed: AsyncIterable<Replayed>) {
  const counts = { same: 0, changed: 0, failed: 0, uncompared: 0 };
  const listed: Record<'changed' | 'failed', Replayed[]> = { changed: [], failed: [] };
  for await (const reading of replayed) {
    counts[reading.outcome] += 1;
    if (reading.outcome !== 'changed' && reading.outcome !== 'failed') continue;
    const list = listed[reading.outcome];
    if (list.length < MAX_LISTED_READINGS) list.push(reading);
  }
  return { counts, ...listed };
}

function replayText({ counts, changed, failed }: Awaited<ReturnType<typeof gather>>): string {
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

export const replayCommand = command({
  name: 'replay',
  about: 'run the current parser on the kept bodies of a source, and show what would change',
  arguments: { '<name>': 'the source' },
  flags: { '--since <day>': 'first day in Caracas; by default the first kept one' },
  async run(input) {
    const config = readConfig(input);
    const since =
      input.since === undefined
        ? Number.NEGATIVE_INFINITY
        : startOfCaracasDay(dayOfFlag(input.since, '--since'));
    const { sources, markets } = await loadSourcesAndMarkets(config);
    const source = sourceNamed(sources, input.name);
    return withToolbox(config, async ({ store }) => {
      const { replay } = await import('../../../app/collecting/replay.ts');
      const replayed = await gather(replay(source, { store, markets, since }));
      const view = ({ readAt, notes }: Replayed) => ({ read_at: isoInstant(readAt), notes });
      const json = {
        name: source.name,
        readings: replayed.counts,
        changed: replayed.changed.map(view),
        failed: replayed.failed.map(view),
      };
      return { json, text: replayText(replayed) };
    });
  },
});

function partOf(text = '1'): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError('--part must be a number from 1.');
}

async function readingUpTo(store: Store, source: string, at: Instant): Promise<KeptReading> {
  const times = await store.keptReadingTimes(source);
  const last = times.filter((time) => time <= at).at(-1);
  const reading = last === undefined ? undefined : await store.keptReading(source, last);
  if (reading !== undefined) return reading;
  const [first] = times;
  const why =
    first === undefined
      ? `Nothing is kept of ${visible(source)}: bodies are kept for 30 days. The sources: vesfx source list.`
      : `The first reading that is kept of ${source} is of ${isoInstant(first)}.`;
  throw new CommandError('resource_not_found', why);
}

function bodyView({ url, contentType, bytes }: UpstreamBody) {
  const buffer = Buffer.from(bytes);
  return {
    url,
    content_type: contentType,
    sha256: hash('sha256', bytes),
    ...(isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') }),
  };
}

export const bodyCommand = databaseCommand({
  name: 'body',
  about: 'print the kept body of the last reading, or of the last one up to --at',
  arguments: { '<name>': 'the source' },
  flags: {
    '--at <time>': 'a day in Caracas, at its end, or an ISO 8601 time',
    '--part <number>': 'number of the body within its reading, from 1',
  },
  read: ({ name, at, part, json }) => ({
    name,
    at: at === undefined ? Number.POSITIVE_INFINITY : instantOf(at, '--at'),
    part: partOf(part),
    json,
  }),
  async work({ store }, { name, at, part, json }) {
    const { source, readAt, bodies } = await readingUpTo(store, name, at);
    if (json === true) {
      const view = { name: source, read_at: isoInstant(readAt), bodies: bodies.map(bodyView) };
      return { json: view, text: '' };
    }
    const body = bodies[part - 1];
    const count = bodies.length;
    if (body === undefined) {
      throw new UsageError(
        `That reading has ${count} ${count === 1 ? 'body' : 'bodies'}: see --part.`,
      );
    }
    process.stdout.write(body.bytes);
    const which = count === 1 ? '' : `, body ${part} of ${count} (--part)`;
    remark(`Read at ${isoInstant(readAt)} from ${visible(body.url)}${which}.`);
    return undefined;
  },
});
