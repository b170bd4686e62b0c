import type { Command } from 'commander';
import type { Refused } from '../../app/ingest/record.ts';
import type { HeldRecord } from '../../app/ports/held.ts';
import { ApiError, notFound } from '../../domain/errors.ts';
import { isoInstant } from '../../domain/time.ts';
import { flagsOf, print, remark, table } from '../output.ts';
import { withToolbox } from '../toolbox.ts';

/** Most held records in one list. */
const MAX_LISTED_HELD = 1_000;

function view(held: HeldRecord) {
  return {
    id: held.id,
    source: held.source,
    subject: held.subject,
    reason: held.reason,
    message: held.message,
    captured_at: isoInstant(held.capturedAt),
    held_at: isoInstant(held.heldAt),
    record: held.record,
    ...(held.provenance !== undefined && {
      provenance: {
        parser_version: held.provenance.parserVersion,
        bodies: held.provenance.bodies.map(({ url, digest }) => ({ url, sha256: digest })),
      },
    }),
  };
}

const COLUMNS = ['ID', 'CAPTURED', 'SOURCE', 'SUBJECT', 'WHY'];

function rowOf({ id, capturedAt, source, subject, message }: HeldRecord): string[] {
  return [id, isoInstant(capturedAt), source, subject, message];
}

function missing(id: string): ApiError {
  return notFound('unknown_id', { message: `There is no held record ${id}.` });
}

function settled(id: string, status: HeldRecord['status']): ApiError {
  return new ApiError('invalid_format', { message: `The record ${id} was ${status} already.` });
}

function unpublishable(id: string, { message }: Refused): ApiError {
  const problem = `The record ${id} cannot be published any more: ${message}.`;
  return new ApiError('invalid_format', { message: problem });
}

/** `vesfx held …`: records that judgement held (docs/methodology.md). */
export function addHeldCommands(program: Command): void {
  const group = program
    .command('held')
    .description('decide on records that were held instead of published');

  group
    .command('list')
    .description('list the held records, newest first')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ store }) => {
        const records = await store.listHeld('held', MAX_LISTED_HELD + 1);
        const shown = records.slice(0, MAX_LISTED_HELD);
        const text = table(COLUMNS, shown.map(rowOf));
        print(flags, shown.map(view), shown.length === 0 ? 'Nothing is held.' : text);
        if (records.length > shown.length) remark(`The newest ${MAX_LISTED_HELD} are shown.`);
      });
    });

  group
    .command('release')
    .description('publish a held record')
    .argument('<id>', 'id of the held record')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      const { Refused } = await import('../../app/ingest/record.ts');
      await withToolbox(flags, async ({ ingest }) => {
        const status = await ingest.release(id).catch((error: unknown) => {
          throw error instanceof Refused ? unpublishable(id, error) : error;
        });
        if (status === undefined) throw missing(id);
        if (status !== 'held') throw settled(id, status);
        print(flags, { id, status: 'released' }, `Released ${id}.`);
      });
    });

  group
    .command('reject')
    .description('discard a held record')
    .argument('<id>', 'id of the held record')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ store }) => {
        if (!(await store.rejectHeld(id))) {
          const held = await store.findHeld(id);
          throw held === undefined ? missing(id) : settled(id, held.status);
        }
        print(flags, { id, status: 'rejected' }, `Rejected ${id}.`);
      });
    });
}
