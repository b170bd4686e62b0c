import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Command } from 'commander';
import type { KeptReading } from '../../../app/ports/collecting.ts';
import type { UpstreamBody } from '../../../app/ports/sources.ts';
import type { Store } from '../../../app/ports/store.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import { flagsOf, print, remark, UsageError, visible } from '../../output.ts';
import { withToolbox } from '../../toolbox.ts';
import { instantOf } from '../moment.ts';

interface BodyFlags {
  readonly at?: string;
  readonly part?: string;
  readonly json?: boolean;
}

export function addBodyCommand(group: Command): void {
  group
    .command('body')
    .description('print the kept body of the last reading, or of the last one up to --at')
    .argument('<name>', 'the source')
    .option('--at <time>', 'a day in Caracas, at its end, or an ISO 8601 time')
    .option('--part <number>', 'number of the body within its reading, from 1')
    .action(async (name: string, _options, command: Command) => {
      const flags = flagsOf<BodyFlags>(command);
      const at = flags.at === undefined ? Number.POSITIVE_INFINITY : instantOf(flags.at, '--at');
      const part = partOf(flags.part);
      await withToolbox(flags, async ({ store }) => {
        const reading = await readingUpTo(store, name, at);
        if (flags.json === true) {
          const { source, readAt, bodies } = reading;
          const view = { name: source, read_at: isoInstant(readAt), bodies: bodies.map(bodyView) };
          return print(flags, view, '');
        }
        const body = reading.bodies[part - 1];
        const count = reading.bodies.length;
        if (body === undefined) {
          throw new UsageError(
            `That reading has ${count} ${count === 1 ? 'body' : 'bodies'}: see --part.`,
          );
        }
        process.stdout.write(body.bytes);
        const which = count === 1 ? '' : `, body ${part} of ${count} (--part)`;
        remark(`Read at ${isoInstant(reading.readAt)} from ${visible(body.url)}${which}.`);
      });
    });
}

function partOf(text = '1'): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError('--part must be a number from 1.');
}

/** @throws ApiError when no reading of that source is kept up to that time. */
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
  throw notFound('no_data', { message: why });
}

/** The body as text, or in Base64 when it is not text. */
function bodyView({ url, contentType, bytes }: UpstreamBody) {
  const buffer = Buffer.from(bytes);
  return {
    url,
    ...(contentType !== undefined && { content_type: contentType }),
    sha256: hash('sha256', bytes),
    ...(isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') }),
  };
}
