import { lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  MAX_NEW_ACCOUNTS,
  type NewAccount,
  newAccounts,
  type WantedAccount,
} from '../../../app/access/new-accounts.ts';
import { StoreUnavailable } from '../../../app/failures.ts';
import type { Account } from '../../../app/ports/accounts.ts';
import type { Store } from '../../../app/ports/store.ts';
import { commandPatience, type Toolbox } from '../../../compose.ts';
import { isoInstant } from '../../../domain/time.ts';
import type { Result } from '../../command.ts';
import { CsvFault, type CsvRow, csvLine, csvRows } from '../../csv-rows.ts';
import { NewFile } from '../../new-file.ts';
import { FAILED, remark, textTable, UsageError, visible } from '../../output.ts';

/** Largest file of accounts, in bytes. */
// limit: File of accounts | 1 MB | refused
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
  // A variable that is not set would name the folder.
  for (const [flag, name] of Object.entries({ '--from': file, '--keys': keys })) {
    if (name?.trim() === '') throw new UsageError(`${flag} must name a file.`);
  }
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
    `${keysFile} exists already, and a file of keys is never overwritten: name another one with --keys. ` +
      'After a run that was killed, "vesfx account list" says whether its accounts are there: ' +
      'if none is, remove the file.',
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
function wantedIn(lines: readonly CsvRow[]) {
  // A spreadsheet writes its blank lines with commas.
  const [header, ...rows] = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
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
  const beside = (existing: readonly Account[]) =>
    newAccounts(wanted, { plans, existing, now: Date.now() });
  const { made, bad: unfit } = beside(await store.listAccounts());
  if (bad.length + unfit.length > 0) return refusalOf([...bad, ...unfit]);
  if (made.length === 0) throw new UsageError('There are no accounts in the file.');
  // Another command may have taken a name since.
  const taken = await storeWithKeys(store, made, keysFile);
  return taken.length > 0 ? refusalOf(beside(taken).bad) : resultOf(made, keysFile);
}

function refusalOf(bad: readonly BadLine[]): Result {
  const errors = bad.toSorted((a, b) => a.line - b.line);
  for (const { line, reason } of errors) remark(`line ${line}: ${visible(reason)}`);
  return {
    json: { accounts: [], errors, keys_file: null },
    text: 'Nothing was created.',
    hints: ['Correct the lines above and run the command again.'],
    exitCode: FAILED,
  };
}

/** @returns the accounts that have one of the names: then there is neither file nor account. */
async function storeWithKeys(
  store: Store,
  made: readonly NewAccount[],
  keysFile: string,
): Promise<readonly Account[]> {
  const file = await NewFile.create(keysFile, { replaces: false, isPrivate: true });
  let isNamed = false;
  const remove = async () => (isNamed ? rmSync(keysFile) : file.discard());
  try {
    await file.write(csvLine(['account', 'name', 'plan', 'label', 'key_id', 'key']));
    for (const { account, record, key } of made) {
      const { id, name, plan } = account;
      await file.write(csvLine([id, name, plan, record.label ?? '', record.id, key]));
    }
    const taken = await store.createAccounts(made, async () => {
      // The transaction may begin again after a conflict.
      if (!isNamed) await file.finish();
      isNamed = true;
    });
    if (taken.length > 0) await remove();
    return taken;
  } catch (error) {
    if (isNamed && (await isStored(store, made, keysFile))) return [];
    await remove();
    throw error;
  }
}

/**
 * Whether a commit that reported an error took place. The answer may take a while: what broke the
 * connection may last.
 * @throws when the database does not say.
 */
async function isStored(
  store: Store,
  [first]: readonly NewAccount[],
  keysFile: string,
): Promise<boolean> {
  try {
    return await commandPatience().run(async () => {
      await afterCommit(store);
      return (await store.findAccount(first?.account.id ?? '')) !== undefined;
    });
  } catch (error) {
    const message =
      'The database did not say whether the accounts are stored: see "vesfx account list". ' +
      `If they are not, remove ${keysFile}.`;
    throw new Error(message, { cause: error });
  }
}

/** A server may still be at the commit: who writes what the transaction wrote comes after it. */
async function afterCommit(store: Store): Promise<void> {
  try {
    await store.tryWrite({ really: true });
  } catch (error) {
    // On a full disk nothing was committed.
    if (!(error instanceof StoreUnavailable && error.writeFailure !== undefined)) throw error;
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
