import { hash } from 'node:crypto';
import { ownTurn } from '../../core/app/lower-priority.ts';
import { type Instant, isoInstant } from '../../core/domain/time.ts';
import type { CopyContent, CopyFolder, CopyPart, PlacedFile } from './copy-types.ts';

/** Files written in one turn of the event loop, and lines of the index made in one. */
const FILES_PER_TURN = 50;

export interface CopyReport {
  /** Files of the copy, with its index. */
  readonly files: number;
  readonly bytes: number;
  /** Files that had other bytes, or were not there. */
  readonly written: number;
  readonly removed: number;
}

type MadeFiles = ReadonlyMap<string, PlacedFile>;

/**
 * A folder that anyone may serve as it is (contract §22). What is in place is known by its digests,
 * so that only what changed is made and written again.
 */
export class StaticCopy {
  readonly #folder: CopyFolder;
  #content: CopyContent | undefined;
  /** The parts as they were made last, with the digests of their files. */
  #made = new Map<string, { readonly key: string; readonly files: MadeFiles }>();

  constructor(folder: CopyFolder) {
    this.#folder = folder;
  }

  /**
   * Brings the folder up to date.
   * @param mayGoOn Throws when this process may not write any more.
   * @throws ForeignFolder, FolderChanged, or an error of the file system or the store. The copy in
   *   place is then whole, and the next call starts anew.
   */
  async update(
    content: CopyContent,
    now: Instant,
    mayGoOn: () => void = () => undefined,
  ): Promise<CopyReport> {
    const folder = this.#folder;
    try {
      if (content !== this.#content) this.#made.clear();
      this.#content = content;
      if (!folder.isAsKnown()) {
        this.#made.clear();
        await folder.read();
      }
      return await this.#bringUpToDate(content, now, mayGoOn);
    } catch (error) {
      await folder.discard();
      throw error;
    }
  }

  async #bringUpToDate(
    content: CopyContent,
    now: Instant,
    mayGoOn: () => void,
  ): Promise<CopyReport> {
    const folder = this.#folder;
    const { parts, fetchedAt } = await content.partsAt(now);
    const before = this.#made;
    const isSame =
      before.size === parts.length && parts.every(({ name, key }) => before.get(name)?.key === key);
    if (isSame) return reportOf(folder, { written: 0, removed: 0 });
    const made = new Map<string, { key: string; files: MadeFiles }>();
    let written = 0;
    for (const part of parts) {
      mayGoOn();
      const known = before.get(part.name);
      if (known?.key === part.key) made.set(part.name, known);
      else {
        const files = await this.#make(part, mayGoOn);
        made.set(part.name, { key: part.key, files });
        for (const [path, file] of files) {
          if (!isEqual(folder.placed.get(path), file)) written += 1;
        }
      }
    }
    const all = new Map([...made.values()].flatMap(({ files }) => [...files]));
    const removed = [...folder.placed.keys()].filter((path) => !all.has(path)).length;
    const head = { fetched_at: isoInstant(fetchedAt), notice: content.notice };
    const lines = await linesOf(all);
    const wasGeneratedAt = generatedAtOf(folder.index);
    const isIndexed = folder.index === indexText(wasGeneratedAt, head, lines);
    if (!isIndexed || written > 0 || removed > 0) {
      const index = isIndexed ? undefined : indexText(isoInstant(now), head, lines);
      await folder.publish(index, new Set(all.keys()), mayGoOn);
      if (!isIndexed) written += 1;
    }
    this.#made = made;
    return reportOf(folder, { written, removed });
  }

  /** Makes a part, and stages those of its files that are not in place. */
  async #make(part: CopyPart, mayGoOn: () => void): Promise<MadeFiles> {
    const files = new Map<string, PlacedFile>();
    await ownTurn();
    for await (const { path, text } of part.files()) {
      const file = { bytes: Buffer.byteLength(text), sha256: hash('sha256', text) };
      files.set(path, file);
      if (!isEqual(this.#folder.placed.get(path), file)) await this.#folder.stage({ path, text });
      if (files.size % FILES_PER_TURN === 0) {
        mayGoOn();
        await ownTurn();
      }
    }
    return files;
  }
}

function isEqual(placed: PlacedFile | undefined, made: PlacedFile): boolean {
  return placed?.sha256 === made.sha256;
}

function reportOf(
  { placed, index = '' }: CopyFolder,
  counts: Pick<CopyReport, 'written' | 'removed'>,
): CopyReport {
  const sizes = [...placed.values()].map(({ bytes }) => bytes);
  const bytes = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(index));
  return { files: sizes.length + 1, bytes, ...counts };
}

/** A line for each file, in the order of the paths. */
async function linesOf(files: MadeFiles): Promise<string> {
  let text = '';
  let count = 0;
  for (const path of [...files.keys()].toSorted()) {
    const { bytes, sha256 } = files.get(path) ?? { bytes: 0, sha256: '' };
    text += `${count === 0 ? '' : ',\n'}${JSON.stringify({ path, bytes, sha256 })}`;
    count += 1;
    if (count % (10 * FILES_PER_TURN) === 0) await ownTurn();
  }
  return text;
}

function indexText(generated_at: string, head: object, lines: string): string {
  const start = JSON.stringify({ generated_at, ...head });
  return `${start.slice(0, -1)},"files":[\n${lines}\n]}\n`;
}

/** The index begins with it. An index of other software never equals ours, whatever is found in it. */
function generatedAtOf(index = ''): string {
  return /^\{"generated_at":"([^"\\]*)"/.exec(index)?.[1] ?? '';
}
