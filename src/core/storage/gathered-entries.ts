import { DatabaseSync } from 'node:sqlite';
import type { Entry } from '../app/ports/records.ts';
import { storedJson } from './queries/record-rows.ts';
import { translated } from './sqlite/connection.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Most entries of a batch in memory. Further ones wait in a temporary file. */
// limit: Entries of a batch in memory | 1,000 | a temporary file
export const MAX_GATHERED_ENTRIES = 1_000;

/** An entry with the line of its first part in the batch. Its captures have the following lines. */
export interface Placed {
  readonly entry: Entry;
  readonly line: number;
}

/**
 * The entries of a batch, while no lock is held. The temporary file is on this machine for both
 * databases: on a server it would have to outlive transactions.
 */
export class GatheredEntries {
  #count = 0;
  #nextLine = 1;
  #newest: Placed[] = [];
  #file: DatabaseSync | undefined;

  get count(): number {
    return this.#count;
  }

  get isLarge(): boolean {
    return this.#file !== undefined;
  }

  /** @throws StoreUnavailable when there is no space for the file. */
  async add(entry: Entry): Promise<void> {
    if (this.#newest.length === MAX_GATHERED_ENTRIES) {
      this.#moveToFile(this.#newest);
      this.#newest = [];
      await yieldToEventLoop();
    }
    this.#newest.push({ entry, line: this.#nextLine });
    this.#nextLine += Math.max(1, entry.captures.length);
    this.#count += 1;
  }

  /** All entries in order, as often as needed. Others run between two pieces. */
  async *pieces(): AsyncIterable<readonly Placed[]> {
    const inFile = this.#file?.prepare('SELECT placed FROM piece ORDER BY id').iterate();
    for (const { placed } of inFile ?? []) {
      yield storedJson<readonly Placed[]>(String(placed));
      await yieldToEventLoop();
    }
    yield this.#newest;
  }

  close(): void {
    this.#file?.close();
  }

  #moveToFile(piece: readonly Placed[]): void {
    try {
      // SQLite gives a database without a name a file without one, which ends with the process.
      if (this.#file === undefined) {
        this.#file = new DatabaseSync('');
        this.#file.exec('CREATE TABLE piece (id INTEGER PRIMARY KEY, placed TEXT NOT NULL)');
      }
      this.#file.prepare('INSERT INTO piece (placed) VALUES (?)').run(JSON.stringify(piece));
    } catch (error) {
      throw translated(error);
    }
  }
}
