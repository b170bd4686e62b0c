import type { CaracasDay, Instant } from '../../core/domain/time.ts';

/** A year of what is stored under a name. The digest changes with any of its figures. */
export interface StoredYear {
  readonly year: number;
  readonly digest: string;
}

/** Official rates by the year of their value dates. `name` is that of `RecordStore.officialSeries`. */
export interface OfficialYear extends StoredYear {
  readonly name: string;
  readonly first: CaracasDay;
}

/** Tells which years changed, without reading their figures one by one. */
export interface StoredYears {
  /** Every year with official rates of every currency, in the order of names and years. */
  officialYears(): Promise<readonly OfficialYear[]>;
  /** The UTC years with daily figures of a market, those that begin before `before`, in order. */
  captureYears(market: string, before: Instant): Promise<readonly StoredYear[]>;
}

/** A file of the static copy; the path is relative, with `/`. */
export interface CopyFile {
  readonly path: string;
  readonly text: string;
}

/** Files that are made together, and again only when the key has changed. */
export interface CopyPart {
  readonly name: string;
  readonly key: string;
  files(): AsyncIterable<CopyFile> | Iterable<CopyFile>;
}

/** What a static copy consists of, by one catalogue. */
export interface CopyContent {
  partsAt(now: Instant): Promise<{
    /** Time of the newest data. */
    readonly fetchedAt: Instant;
    readonly parts: readonly CopyPart[];
  }>;
  /** The notice about the figures that every copy carries. */
  readonly notice: string;
}

/** What is known of a file that is in its place. */
export interface PlacedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** The folder of a static copy. Readers always find whole files in it. */
export interface CopyFolder {
  /** The files that are in place, by path, without the index. */
  readonly placed: ReadonlyMap<string, PlacedFile>;
  /** The text of the index that is in place; undefined before the first. */
  readonly index: string | undefined;
  /** Whether nobody else has written the folder since it was read or written here. */
  isAsKnown(): boolean;
  /**
   * Reads the folder again, or creates it.
   * @throws ForeignFolder when it holds anything that is not of a static copy.
   */
  read(): Promise<void>;
  /** Writes a file beside its place, durably. May return before it is written. */
  stage(file: CopyFile): Promise<void>;
  /**
   * Puts the staged files into place, then the index, and then removes the files that are not in
   * `keep`.
   * @param index Undefined when the one in place says it already.
   * @param mayGoOn Throws when this process may not write any more.
   * @throws FolderChanged when another process has written the folder; nothing is lost.
   */
  publish(index: string | undefined, keep: ReadonlySet<string>, mayGoOn: () => void): Promise<void>;
  /** Removes what was staged and not published. */
  discard(): Promise<void>;
}
