import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, realpathSync, renameSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { removeDatabase, syncNameOf, syncToDisk, temporaryName } from '../storage/sqlite/file.ts';
import { nameOnce } from '../storage/sqlite/sqlite.ts';
import { UsageError } from './output.ts';

/** Bytes that are gathered before they are written. Two pieces are in memory. */
// limit: Export gathered before a write | 1 MB | written
const PIECE_BYTES = 1024 * 1024;

const encoder = new TextEncoder();

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function statsOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/**
 * Checks where a file is to be written.
 * @returns the path to write; for a symbolic link, that of its file.
 * @throws UsageError when there is no such folder, or something that must not be replaced.
 */
export function fileToWrite(file: string, { force }: { readonly force: boolean }): string {
  const path = resolve(file);
  if (statsOf(dirname(path)) === undefined) {
    throw new UsageError(`There is no folder ${dirname(path)}.`);
  }
  if (statsOf(path) === undefined) return path;
  const target = realpathSync(path);
  if (statsOf(target)?.isFile() !== true) throw new UsageError(`${file} is not a file.`);
  if (!force) throw new UsageError(`${file} exists already: --force replaces it.`);
  return target;
}

/**
 * A file that appears whole or not at all. It grows under a temporary name beside its own, which an
 * error or a stop signal removes.
 */
export class NewFile {
  readonly #target: string;
  readonly #replaces: boolean;
  /** Where it is written. */
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  /** The last write, while the next piece is gathered. */
  #writing: Promise<void> = Promise.resolve();
  /** Taken again and again, because memory of the machine is returned late. */
  #piece = new Uint8Array(PIECE_BYTES);
  #other = new Uint8Array(PIECE_BYTES);
  #gathered = 0;
  #bytes = 0;
  readonly #stop: (signal: NodeJS.Signals) => void;

  private constructor(target: string, path: string, replaces: boolean, handle: FileHandle) {
    this.#target = target;
    this.path = path;
    this.#replaces = replaces;
    this.#handle = handle;
    this.#stop = (signal) => {
      this.#forgetSignals();
      removeDatabase(path);
      process.kill(process.pid, signal);
    };
    for (const signal of STOP_SIGNALS) process.on(signal, this.#stop);
  }

  /** @param options `isPrivate`: only its owner may read it. */
  static async create(
    target: string,
    { replaces, isPrivate = false }: { readonly replaces: boolean; readonly isPrivate?: boolean },
  ) {
    const path = temporaryName(target);
    const handle = await open(path, 'wx', isPrivate ? 0o600 : undefined);
    return new NewFile(target, path, replaces, handle);
  }

  /** Adds to its end. The bytes may be changed afterwards. */
  async write(data: string | Uint8Array): Promise<void> {
    let rest = data;
    while (rest.length > 0) {
      const room = this.#piece.subarray(this.#gathered);
      if (typeof rest === 'string') {
        const { read, written } = encoder.encodeInto(rest, room);
        this.#gathered += written;
        rest = rest.slice(read);
      } else {
        const part = rest.subarray(0, room.length);
        room.set(part);
        this.#gathered += part.length;
        rest = rest.subarray(part.length);
      }
      // A character of several bytes may not fit into the end of a piece.
      if (rest.length > 0) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const piece = this.#piece.subarray(0, this.#gathered);
    this.#hash.update(piece);
    this.#bytes += piece.length;
    // The disk writes one piece while the next one is made.
    await this.#writing;
    [this.#piece, this.#other] = [this.#other, this.#piece];
    this.#gathered = 0;
    this.#writing = this.#handle.writeFile(piece);
    // It is awaited later, and must not count as unhandled until then.
    this.#writing.catch(() => undefined);
  }

  /** Gives the file its name. @returns the size and the digest of what was written. */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#flush();
    await this.#writing;
    await this.#handle.close();
    // A library may have written it by its path.
    if (this.#bytes === 0) {
      for await (const chunk of createReadStream(this.path)) {
        this.#hash.update(chunk);
        this.#bytes += chunk.length;
      }
    }
    syncToDisk(this.path);
    if (this.#replaces) {
      renameSync(this.path, this.#target);
      syncNameOf(this.#target);
    } else if (!nameOnce(this.path, this.#target)) {
      throw new UsageError(`${this.#target} exists already.`);
    }
    this.#forgetSignals();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Removes what was written so far. */
  async discard(): Promise<void> {
    this.#forgetSignals();
    await this.#writing.catch(() => undefined);
    await this.#handle.close().catch(() => undefined);
    removeDatabase(this.path);
  }

  #forgetSignals(): void {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.#stop);
  }
}
