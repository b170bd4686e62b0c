import { lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  MAX_NEW_ACCOUNTS,
  type NewAccount,
  newAccounts,
  type WantedAccount,
} from '../../../app/access/new-accounts.ts';
import type { Store } from '../../../app/ports/store.ts';
import type { Toolbox } from '../../../compose.ts';
import { isoInstant } from '../../../domain/time.ts';
import type { Result } from '../../command.ts';
import { CsvFault, type CsvRow, csvLine, csvRows } from '../../csv-rows.ts';
import { NewFile } from '../../export/new-file.ts';
import { FAILED, remark, textTable, UsageError, visible } from '../../output.ts';

/** Largest file of accounts, in bytes. */
const MAX_ACCOUNTS_FILE_BYTES = 2 ** 20;

const COLUMNS = ['name', 'plan', 'label'] as const;

/** What is asked: the rows of a file, and where the keys go. */
export interface AccountsFile {
  readonly rows: readonly CsvRow[];
  /** A file that must not exist yet. */
  readonly keysFile: string;
}

interface BadLine {
  readonly line: number;
  readonly reason: string;
}

/** Reads a file of accounts. @throws UsageError when it is none, or the keys cannot go where they should. */
export function readAccountsFile(file: string, keys: string | undefined): AccountsFile {
  const path = resolve(file);
  const stats = statSync(path);
  if (!stats.isFile()) throw new UsageError(`${file} is not a file.`);
  if (stats.size > MAX_ACCOUNTS_FILE_BYTES) {
    throw new UsageError(`${file} has more than ${MAX_ACCOUNTS_FILE_BYTES / 2 ** 20} MB.`);
  }
  const keysFile = resolve(keys ?? `${path.replace(/\.csv$/i, '')}.keys.csv`);
  requireNew(keysFile);
  return { rows: rowsOf(file, readFileSync(path)), keysFile };
}

/** A link counts too: the keys must not land where it leads. */
function requireNew(keysFile: string): void {
  if (lstatSync(dirname(keysFile), { throwIfNoEntry: false }) === undefined) {
    throw new UsageError(`There is no folder ${dirname(keysFile)}.`);
  }
  if (lstatSync(keysFile, { throwIfNoEntry: false }) === undefined) return;
  throw new UsageError(
    `${keysFile} exists already, and a file of keys is never overwritten: name another one with --keys.`,
  );
}

function rowsOf(file: string, bytes: Uint8Array): readonly CsvRow[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8: save it as "CSV UTF-8".`);
  }
  try {
    return csvRows(text);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new UsageError(`${file}, line ${error.line}: ${error.message}.`);
  }
}

/** @throws UsageError for a first line that does not name the columns, or too many accounts. */
function wantedIn([header, ...rows]: readonly CsvRow[]) {
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const known: readonly string[] = COLUMNS;
  const isHeader =
    names.includes('name') &&
    names.includes('plan') &&
    names.every((name, place) => known.includes(name) && names.indexOf(name) === place);
  if (!isHeader) {
    throw new UsageError(
      `The first line must name the columns, separated by commas: ${COLUMNS.join(',')} (label may be left out).`,
    );
  }
  if (rows.length > MAX_NEW_ACCOUNTS) {
    throw new UsageError(`A file makes at most ${MAX_NEW_ACCOUNTS} accounts: divide it.`);
  }
  const bad: BadLine[] = [];
  const wanted = rows.flatMap(({ line, cells }): WantedAccount[] => {
    if (cells.length !== names.length) {
      bad.push({
        line,
        reason: `It has ${cells.length} columns, and the first line ${names.length}.`,
      });
      return [];
    }
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    return [{ line, name: cell('name'), plan: cell('plan'), label: cell('label') }];
  });
  return { wanted, bad };
}

/**
 * Makes the accounts of a file with one key each, all or none, and writes the keys into a new file
 * that only its owner can read. The file has its name before the commit: whoever is killed in
 * between leaves keys that open nothing, never accounts without their keys.
 */
export async function createMany(
  { store, plans }: Toolbox,
  { rows, keysFile }: AccountsFile,
): Promise<Result> {
  const { wanted, bad } = wantedIn(rows);
  const existing = await store.listAccounts();
  const checked = newAccounts(wanted, { plans, existing, now: Date.now() });
  const faults = [...bad, ...checked.bad].toSorted((a, b) => a.line - b.line);
  if (faults.length > 0) {
    for (const { line, reason } of faults) remark(`line ${line}: ${visible(reason)}`);
    return {
      json: { accounts: [], errors: faults, keys_file: null },
      text: 'Nothing was created.',
      hints: ['Correct the lines above and run the command again.'],
      exitCode: FAILED,
    };
  }
  const { made } = checked;
  if (made.length === 0) throw new UsageError('There are no accounts in the file.');
  await storeWithKeys(store, made, keysFile);
  return resultOf(made, keysFile);
}

async function storeWithKeys(
  store: Store,
  made: readonly NewAccount[],
  keysFile: string,
): Promise<void> {
  const file = await NewFile.create(keysFile, { replaces: false, isPrivate: true });
  let isNamed = false;
  try {
    await file.write(csvLine(['account', 'name', 'plan', 'label', 'key_id', 'key']));
    for (const { account, record, key } of made) {
      const { id, name, plan } = account;
      await file.write(csvLine([id, name, plan, record.label ?? '', record.id, key]));
    }
    await store.createAccounts(made, async () => {
      // The transaction may begin again after a conflict.
      if (!isNamed) await file.finish();
      isNamed = true;
    });
  } catch (error) {
    if (!isNamed) await file.discard();
    else if (await isStored(store, made, keysFile)) return;
    else rmSync(keysFile);
    throw error;
  }
}

/** Whether a commit that reported an error took place. @throws when the database does not say. */
async function isStored(
  store: Store,
  [first]: readonly NewAccount[],
  keysFile: string,
): Promise<boolean> {
  try {
    return (await store.findAccount(first?.account.id ?? '')) !== undefined;
  } catch (error) {
    const message =
      'The database did not say whether the accounts are stored: see "vesfx account list". ' +
      `If they are not, remove ${keysFile}.`;
    throw new Error(message, { cause: error });
  }
}

function resultOf(made: readonly NewAccount[], keysFile: string): Result {
  const views = made.map(({ account: { id, name, plan, status, createdAt }, record }) => ({
    ...{ id, name, plan, status, created_at: isoInstant(createdAt) },
    ...{ key_id: record.id, label: record.label ?? null },
  }));
  const rows = views.map(({ id, plan, key_id, label, name }) => [
    id,
    plan,
    key_id,
    label ?? '',
    name,
  ]);
  const count = made.length === 1 ? '1 account' : `${made.length} accounts`;
  const text = [
    textTable(['ID', 'PLAN', 'KEY', 'LABEL', 'NAME'], rows),
    `Created ${count}. The keys stand only in ${keysFile}, which only you can read: keep it safe.`,
  ];
  return { json: { accounts: views, errors: [], keys_file: keysFile }, text: text.join('\n') };
}
