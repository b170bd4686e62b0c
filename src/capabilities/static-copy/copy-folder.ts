import { hash, randomBytes } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Clock } from '../../core/app/ports/clock.ts';
import { isJsonObject, parseJson } from '../../core/domain/exact-json.ts';
import { MINUTE_MS } from '../../core/domain/time.ts';
import { FolderChanged, ForeignFolder } from './copy-failures.ts';
import { INDEX_PATH, isCopyFile, isCopyFolder } from './copy-paths.ts';
import type { CopyFile, CopyFolder, PlacedFile } from './copy-types.ts';

/** Files written at once. Threads of Node that wait for a disk do nothing else meanwhile. */
// limit: Files written at once | 2 | the next waits
const MAX_WRITES_AT_ONCE = 2;
/** From that age on a file that was written beside its place belongs to nobody. */
// limit: Age of a killed export's file | 5 minutes | removed
const LEFTOVER_MS = 5 * MINUTE_MS;
/** A web server of another user delivers the copy, whatever the umask of this process is. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

interface StagedFile extends PlacedFile {
  /** Where it was written, beside its place. */
  readonly beside: string;
}

/** Name of a file beside its place: `.NAME.<12 hex>.new`. */
const BESIDE = /^(.*\/)?\.([^/]+)\.[0-9a-f]{12}\.new$/;

function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.new`);
}

/** The path whose file was written beside its place under that name. */
function placeOf(path: string): string | undefined {
  const [, folder = '', name] = BESIDE.exec(path) ?? [];
  return name === undefined ? undefined : folder + name;
}

/** A file without its bytes, by which a replacement is noticed. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

/**
 * A folder on a disk. All files are written beside their places first, and then renamed one after
 * the other: a full disk leaves everything as it was, and a kill in between leaves whole files. No
 * lock, which a kill would leave behind; no link to a whole folder, which hosts treat differently.
 */
export class DiskFolder implements CopyFolder {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #placed = new Map<string, PlacedFile>();
  readonly #staged = new Map<string, StagedFile>();
  /** Files beside their places that are not ours. */
  #leftovers: readonly string[] = [];
  readonly #writing = new Set<Promise<void>>();
  #failure: unknown;
  #index: string | undefined;
  /** Of the index as it was read or written last; undefined while what is in place is not known. */
  #identity: string | undefined;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  get placed(): ReadonlyMap<string, PlacedFile> {
    return this.#placed;
  }

  get index(): string | undefined {
    return this.#index;
  }

  isAsKnown(): boolean {
    return this.#identity === identityOf(this.#at(INDEX_PATH));
  }

  async read(): Promise<void> {
    await this.discard();
    this.#identity = undefined;
    const identity = identityOf(this.#at(INDEX_PATH));
    const { published, beside } = await listCopy(this.#dir);
    this.#index = published.includes(INDEX_PATH)
      ? await readFile(this.#at(INDEX_PATH), 'utf8')
      : undefined;
    this.#placed.clear();
    for (const path of published) {
      if (path === INDEX_PATH) continue;
      const bytes = await readFile(this.#at(path)).catch(isGone);
      this.#placed.set(path, { bytes: bytes.length, sha256: hash('sha256', bytes) });
    }
    this.#leftovers = beside;
    this.#identity = identity;
  }

  async stage({ path, text }: CopyFile): Promise<void> {
    const bytes = Buffer.from(text);
    const beside = besideOf(path);
    this.#staged.set(path, { beside, bytes: bytes.length, sha256: hash('sha256', bytes) });
    const writing = writeDurably(this.#at(beside), bytes)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    if (this.#writing.size >= MAX_WRITES_AT_ONCE) await Promise.race(this.#writing);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async publish(
    index: string | undefined,
    keep: ReadonlySet<string>,
    mayGoOn: () => void,
  ): Promise<void> {
    if (index !== undefined) await this.stage({ path: INDEX_PATH, text: index });
    await Promise.all(this.#writing);
    if (this.#failure !== undefined) throw this.#failure;
    this.#requireAsKnown();
    const known = this.#identity;
    // Until the end it is not known what is in place.
    this.#identity = undefined;
    const touched = new Set<string>();
    for (const [path, { beside, ...file }] of this.#staged) {
      if (path === INDEX_PATH) continue;
      mayGoOn();
      await rename(this.#at(beside), this.#at(path));
      this.#staged.delete(path);
      this.#placed.set(path, file);
      touched.add(dirname(path));
    }
    for (const folder of touched) await syncFolder(this.#at(folder));
    mayGoOn();
    if (identityOf(this.#at(INDEX_PATH)) !== known) throw new FolderChanged();
    if (index === undefined) this.#identity = known;
    else await this.#placeIndex(index);
    await this.#remove(keep);
  }

  async discard(): Promise<void> {
    await Promise.all(this.#writing);
    this.#failure = undefined;
    const rest = [...this.#staged];
    this.#staged.clear();
    for (const [path, { beside }] of rest) {
      // Files of a first export are known as ours by an index, if only by one beside its place.
      const isOnlyIndex = path === INDEX_PATH && this.#index === undefined && this.#placed.size > 0;
      if (!isOnlyIndex) await rm(this.#at(beside), { force: true });
    }
  }

  async #placeIndex(index: string): Promise<void> {
    const staged = this.#staged.get(INDEX_PATH);
    if (staged === undefined) throw new Error('the index is not written');
    const [from, to] = [this.#at(staged.beside), this.#at(INDEX_PATH)];
    // The renamed file keeps its identity.
    const own = identityOf(from);
    renameSync(from, to);
    this.#staged.delete(INDEX_PATH);
    this.#index = index;
    this.#identity = own;
    await syncFolder(this.#dir);
    this.#requireAsKnown();
  }

  #requireAsKnown(): void {
    if (!this.isAsKnown()) throw new FolderChanged();
  }

  /** Removes files of an earlier export, folders that are empty then, and what killed writers left. */
  async #remove(keep: ReadonlySet<string>): Promise<void> {
    for (const path of this.#placed.keys()) {
      if (keep.has(path)) continue;
      await rm(this.#at(path), { force: true });
      this.#placed.delete(path);
      if (path.startsWith('v1/markets/'))
        await rmdir(this.#at(dirname(path))).catch(() => undefined);
    }
    const rest: string[] = [];
    for (const path of this.#leftovers) {
      const left = await stat(this.#at(path)).catch(() => undefined);
      if (left === undefined) continue;
      if (Math.abs(this.#clock.now() - left.mtimeMs) < LEFTOVER_MS) rest.push(path);
      else await rm(this.#at(path), { force: true });
    }
    this.#leftovers = rest;
  }

  #at(path: string): string {
    return join(this.#dir, path);
  }
}

/**
 * The files of a copy, and those beside their places. The folder is created if it is missing.
 * @throws ForeignFolder
 */
export async function listCopy(dir: string) {
  const isFolder = statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? true;
  if (!isFolder) throw new ForeignFolder(dir, 'is not a folder');
  await makeFolder(dir);
  const published: string[] = [];
  const beside: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
      const path = folder + entry.name;
      const place = placeOf(path);
      if (entry.isDirectory() && isCopyFolder(path)) folders.push(`${path}/`);
      else if (entry.isFile() && place !== undefined && isCopyFile(place)) beside.push(path);
      else if (entry.isFile() && isCopyFile(path)) published.push(path);
      else throw new ForeignFolder(dir, `holds ${path}, which is not of an export`);
    }
  }
  // An export that was killed before its first index has written that index beside its place.
  const isBegun = beside.some((path) => placeOf(path) === INDEX_PATH);
  const hasIndex = published.includes(INDEX_PATH);
  if (hasIndex ? !(await hasOwnIndex(dir)) : published.length > 0 && !isBegun) {
    throw new ForeignFolder(dir, `holds ${published[0]}, which no export has written`);
  }
  return { published, beside };
}

async function hasOwnIndex(dir: string): Promise<boolean> {
  try {
    const index = parseJson(await readFile(join(dir, INDEX_PATH), 'utf8'));
    return (
      isJsonObject(index) &&
      typeof index['generated_at'] === 'string' &&
      Array.isArray(index['files'])
    );
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function isGone(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new FolderChanged() : error;
}

async function writeDurably(file: string, bytes: Buffer): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'wx');
  try {
    await makeReadable(file, FILE_MODE);
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await makeReadable(made, FOLDER_MODE);
  }
}

/** Some file systems of other machines refuse any change of a mode. */
async function makeReadable(path: string, mode: number): Promise<void> {
  const found = await stat(path);
  if ((found.mode & mode) !== mode) await chmod(path, mode);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
