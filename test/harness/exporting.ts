import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportSelection } from '../../src/app/export/selection.ts';
import { recordsIn } from '../../src/app/ingest/ndjson.ts';
import { writeExport } from '../../src/cli/export/export-file.ts';
import type { OpenFormat } from '../../src/cli/export/format.ts';
import { NewFile } from '../../src/cli/export/new-file.ts';
import type { Toolbox } from '../../src/compose.ts';
import { day } from '../contracts/engines.ts';

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
      ...{ store, markets, onAdvance: () => undefined },
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
