import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Toolbox } from '../../compose.ts';
import { readConfig } from '../../config.ts';
import { ApiError } from '../../domain/errors.ts';
import { caracasDayOf, isoInstant } from '../../domain/time.ts';
import { flagsOf, print } from '../output.ts';
import { withToolbox, withToolboxOf } from '../toolbox.ts';

/** A few counts of a database, so that an operator can recognise it. */
async function holdings({ store }: Toolbox) {
  const accounts = await store.listAccounts();
  const records = await store.currentRecords(caracasDayOf(Date.now()));
  const markets = new Set(records.quotes.map(({ market }) => market));
  return {
    accounts: accounts.length,
    markets: markets.size,
    fetched_at: records.fetchedAt === undefined ? null : isoInstant(records.fetchedAt),
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
  const [
    { checkBackup, contentsOf },
    { removeDatabase, temporaryName },
    { BackupExists, nameOnce },
  ] = await Promise.all([
    import('./backup-check.ts'),
    import('../../storage/sqlite/file.ts'),
    import('../../storage/sqlite/sqlite.ts'),
  ]);
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

function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('write a consistent copy of the database, also while the service runs')
    .argument('<file>', 'file to write; it must not exist yet')
    .option(
      '--verify',
      'restore the copy into a temporary folder and compare it; remove it if it fails',
    )
    .action(async (file: string, _options, command: Command) => {
      const flags = flagsOf<{ verify?: boolean }>(command);
      const config = readConfig(flags);
      const target = resolve(file);
      await withToolboxOf(config, async (toolbox) => {
        const outcome = flags.verify === true ? await writeVerified(toolbox, target) : undefined;
        if (outcome === undefined) await toolbox.store.backup(target);
        const { size } = statSync(target);
        const text = `Wrote ${target}, ${size} bytes.`;
        const verified =
          outcome &&
          `\nVerified: restored in ${outcome.restored_ms} ms, sound, and as the database: ${holdingsText(outcome)}.`;
        const told = { file: target, bytes: size, ...(outcome && { verified: true, ...outcome }) };
        print(flags, told, text + (verified ?? ''));
      });
    });
}

function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('replace the database by a backup; stop the service first')
    .argument('<file>', 'a file that "vesfx backup" wrote; it is only read')
    .action(async (file: string, _options, command: Command) => {
      const flags = flagsOf(command);
      const config = readConfig(flags);
      const from = resolve(file);
      if (config.postgres !== undefined) {
        throw new ApiError('invalid_format', {
          message:
            'A backup is restored into a folder: name one with --data. ' +
            'From there "vesfx move --to" takes it into an empty PostgreSQL database.',
        });
      }
      // Report a wrong name before any change.
      statSync(from);
      const { restoreStore } = await import('../../storage/store.ts');
      await restoreStore({ from, dataDir: config.dataDir });
      await withToolboxOf(config, async (toolbox) => {
        const held = await holdings(toolbox);
        const text = `Restored ${from} into ${config.dataDir}.\nIt has ${holdingsText(held)}.`;
        print(flags, { file: from, data: config.dataDir, ...held }, text);
      });
    });
}

function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to this version; starting the service does so too')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      const { MIGRATIONS } = await import('../../storage/migrations/all.ts');
      const work = async (toolbox: Toolbox) => {
        const held = await holdings(toolbox);
        const newest = MIGRATIONS.at(-1)?.name ?? null;
        const text = `The database is current (${newest}).\nIt has ${holdingsText(held)}.`;
        print(flags, { current: true, migration: newest, ...held }, text);
      };
      await withToolbox(flags, work, { withoutDatabase: 'create' });
    });
}

export function addCareCommands(program: Command): void {
  addBackupCommand(program);
  addRestoreCommand(program);
  addMigrateCommand(program);
}
