import type { HeldRecord } from '../../app/ports/held.ts';
import { isoInstant } from '../../domain/time.ts';
import { databaseCommand, group } from '../command.ts';
import { CommandError, textTable } from '../output.ts';

// limit: `vesfx held list` | 1,000 | a note
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
    provenance: held.provenance && {
      parser_version: held.provenance.parserVersion,
      bodies: held.provenance.bodies.map(({ url, digest }) => ({ url, sha256: digest })),
    },
  };
}

const COLUMNS = ['ID', 'CAPTURED', 'SOURCE', 'SUBJECT', 'WHY'];

function rowOf({ id, capturedAt, source, subject, message }: HeldRecord): string[] {
  return [id, isoInstant(capturedAt), source, subject, message];
}

function missing(id: string): CommandError {
  return new CommandError('resource_not_found', `There is no held record ${id}.`);
}

function settled(id: string, status: HeldRecord['status']): CommandError {
  return new CommandError('invalid_format', `The record ${id} was ${status} already.`);
}

/** `vesfx held …`: records that judgement held (docs/methodology.md). */
export const heldCommands = group('held', 'decide on records that were held instead of published', [
  databaseCommand({
    name: 'list',
    about: 'list the held records, newest first',
    async work({ store }) {
      const records = await store.listHeld('held', MAX_LISTED_HELD + 1);
      const shown = records.slice(0, MAX_LISTED_HELD);
      const text = textTable(COLUMNS, shown.map(rowOf), 'Nothing is held.');
      const isCut = records.length > shown.length;
      const remarks = isCut ? [`The newest ${MAX_LISTED_HELD} are shown.`] : [];
      return { json: shown.map(view), text, remarks };
    },
  }),
  databaseCommand({
    name: 'release',
    about: 'publish a held record',
    arguments: { '<id>': 'id of the held record' },
    async work({ ingest }, { id }) {
      const { Refused } = await import('../../app/ingest/record.ts');
      const status = await ingest.release(id, { why: 'operator' }).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        const message = `The record ${id} cannot be published any more: ${error.message}.`;
        throw new CommandError('invalid_format', message);
      });
      if (status === undefined) throw missing(id);
      if (status !== 'held') throw settled(id, status);
      return { json: { id, status: 'released' }, text: `Released ${id}.` };
    },
  }),
  databaseCommand({
    name: 'reject',
    about: 'discard a held record',
    arguments: { '<id>': 'id of the held record' },
    async work({ store }, { id }) {
      if (!(await store.rejectHeld(id))) {
        const held = await store.findHeld(id);
        throw held === undefined ? missing(id) : settled(id, held.status);
      }
      return { json: { id, status: 'rejected' }, text: `Rejected ${id}.` };
    },
  }),
]);
