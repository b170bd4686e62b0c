import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '../../../../testkit/day.ts';
import { recordsIn } from '../../../core/app/ingest/ndjson.ts';
import { NewFile } from '../../../core/cli/new-file.ts';
import type { Toolbox } from '../../../core/compose.ts';
import { writeExport } from '../export-file.ts';
import { exportStore } from '../export-store.ts';
import type { OpenFormat } from '../format.ts';
import type { ExportSelection } from '../selection.ts';

/** Everything, with each capture. */
export function wholeSelection({ markets }: Pick<Toolbox, 'markets'>): ExportSelection {
  return {
    markets: markets.list,
    publications: true,
    captures: true,
    times: { start: 0, end: Number.MAX_SAFE_INTEGER },
    days: { from: day('1000-01-01'), to: day('9999-12-31') },
  };
}

/** The content of an export, and the number of its rows. */
export async function exported(
  { store, markets }: Pick<Toolbox, 'store' | 'markets'>,
  folder: string,
  open: OpenFormat,
  selection: Partial<ExportSelection> = {},
): Promise<{ readonly text: string; readonly rows: number }> {
  const target = join(folder, 'exported');
  const file = await NewFile.create(target, { replaces: true });
  const rows = await writeExport(
    open(file, () => undefined),
    {
      store: exportStore(store.engine),
      ...{ markets, onAdvance: () => undefined },
      selection: { ...wholeSelection({ markets }), ...selection },
    },
  );
  await file.finish();
  return { text: readFileSync(target, 'utf8'), rows };
}

/** Loads an exported file as `vesfx import --trust` does. */
export function imported({ ingest }: Pick<Toolbox, 'ingest'>, text: string) {
  return ingest.ingest(recordsIn(text.split('\n')), { source: 'operator', trust: true });
}
