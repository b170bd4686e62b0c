import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Toolbox } from '../../compose.ts';
import { PACKAGED_CATALOGUE, readConfig } from '../../config.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { command, databaseCommand, type Result } from '../command.ts';
import { CommandError, isoTime } from '../output.ts';
import { withToolbox } from '../toolbox.ts';

/** A few counts of a database, so that an operator can recognise it. */
async function holdings({ store }: Toolbox) {
  const accounts = await store.listAccounts();
  const records = await store.currentRecords(caracasDayOf(Date.now()));
  const markets = new Set(records.quotes.map(({ market }) => market));
  return {
    accounts: accounts.length,
    markets: markets.size,
    fetched_at: isoTime(records.fetchedAt) ?? null,
  };
}

function holdingsText({ accounts, markets, fetched_at }: Awaited<ReturnType<typeof holdings>>) {
  return `accounts ${accounts}, markets with quotes ${markets}, newest batch ${fetched_at ?? 'none'}`;
}

/**
 * Writes a backup and proves that it can be restored. It has its name only then, because a file of
 * that name is trusted. One that fails is removed.
 */
async function writeVerified(toolbox: Toolbox, target: string) {
  const { checkBackup, contentsOf } = await import('./backup-check.ts');
  const { removeDatabase, temporaryName } = await import('../../storage/sqlite/file.ts');
  const { BackupExists, nameOnce } = await import('../../storage/sqlite/sqlite.ts');
  if (existsSync(target)) throw new BackupExists(target);
  const unproven = temporaryName(target);
  const { store } = toolbox;
  const today = caracasDayOf(Date.now());
  const before = await contentsOf(store, today);
  await store.backup(unproven);
  const after = await contentsOf(store, today);
  const started = performance.now();
  try {
    await checkBackup(unproven, { before, after, today });
  } catch (error) {
    removeDatabase(unproven);
    throw error;
  }
  if (!nameOnce(unproven, target)) throw new BackupExists(target);
  const restored_ms = Math.ceil(performance.now() - started);
  return { ...(await holdings(toolbox)), restored_ms };
}

export const backupCommand = databaseCommand({
  name: 'backup',
  about: 'write a consistent copy of the database, also while the service runs',
  arguments: { '<file>': 'file to write; it must not exist yet' },
  flags: {
    '--verify': 'restore the copy into a temporary folder and compare it; remove it if it fails',
  },
  ignoresCatalogue: true,
  read(input) {
    // Before a connection is tried, which the unit of the backup may not have.
    if (readConfig(input).postgres !== undefined) {
      throw new CommandError(
        'invalid_format',
        'A PostgreSQL database is copied with its own tools, such as pg_dump: vesfx-dump.timer does it each night.',
      );
    }
    return input;
  },
  async work(toolbox, { file, verify }): Promise<Result> {
    const target = resolve(file);
    const verified = verify ? await writeVerified(toolbox, target) : undefined;
    if (verified === undefined) await toolbox.store.backup(target);
    const { size } = statSync(target);
    const json = { file: target, bytes: size };
    const text = `Wrote ${target}, ${size} bytes.`;
    if (verified === undefined) return { json, text };
    const proof = `restored in ${verified.restored_ms} ms, sound, and as the database`;
    return {
      json: { ...json, verified: true, ...verified },
      text: `${text}\nVerified: ${proof}: ${holdingsText(verified)}.`,
    };
  },
});

export const restoreCommand = command({
  name: 'restore',
  about: 'replace the database by a backup; stop the service first',
  arguments: { '<file>': 'a file that "vesfx backup" wrote; it is only read' },
  async run(input) {
    const config = readConfig(input);
    const { dataDir } = config;
    const from = resolve(input.file);
    if (config.postgres !== undefined) {
      throw new CommandError(
        'invalid_format',
        'A backup is restored into a folder: name one with --data. ' +
          'From there "vesfx move --to" takes it into an empty PostgreSQL database.',
      );
    }
    // Report a wrong name before any change.
    statSync(from);
    const { restoreStore } = await import('../../storage/store.ts');
    await restoreStore({ from, dataDir });
    // A fault of the catalogue must not make a restored database look like a failure.
    const place = { ...config, catalogueDir: PACKAGED_CATALOGUE };
    const held = await withToolbox(place, async (toolbox) => {
      // The log that was there is gone with its database: the restored one says why.
      const after = { restored_from: from };
      const change = { what: 'database', id: '', before: null, after } as const;
      await toolbox.store.noteChange(change, () => undefined);
      return holdings(toolbox);
    });
    const text = `Restored ${from} into ${dataDir}.\nIt has ${holdingsText(held)}.`;
    return { json: { file: from, data: dataDir, ...held }, text };
  },
});

export const migrateCommand = databaseCommand({
  name: 'migrate',
  about: 'migrate the database to this version; starting the service does so too',
  withoutDatabase: 'create',
  async work(toolbox) {
    const { MIGRATIONS } = await import('../../storage/schema.ts');
    const held = await holdings(toolbox);
    const migration = MIGRATIONS.at(-1)?.name ?? null;
    const text = `The database is current (${migration}).\nIt has ${holdingsText(held)}.`;
    return { json: { current: true, migration, ...held }, text };
  },
});
