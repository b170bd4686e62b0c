import { hash } from 'node:crypto';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedLines } from '../changed-line.ts';
import { begin, load, type Setting } from '../process.ts';
import { type Subject, scenario, type Trial } from '../scenario.ts';
import { pause } from '../wire.ts';
import { createImage, whyNoImage } from './image.ts';

const IMAGE_MB = 24;
const DAY_MS = 86_400_000;
/** Bytes left free on the full disk for each day: room for some of the files, and not for all. */
const LEFT_BYTES = 1_000;
/** How often a reader looks while somebody writes. */
const LOOK_EVERY_MS = 5;

const IN_PLACE = changedLines([
  {
    file: '/static-copy/copy-folder.ts',
    from: 'const beside = besideOf(path);',
    to: 'const beside = path === INDEX_PATH ? besideOf(path) : path;',
  },
  {
    file: '/static-copy/copy-folder.ts',
    from: "const handle = await open(file, 'wx');",
    to: "const handle = await open(file, 'w');",
  },
]);

export const exported = scenario({
  name: 'export',
  title: 'A static copy: disk full, `kill -9`, two writers',
  promise:
    'Whoever takes the index finds every file of it, whole, at any moment; on a full disk the old copy ' +
    'stays byte for byte, and after each export that ends every digest is right.',
  control: 'two lines: it writes files in their places',
  // Each day with rates of both databases is a file of the copy.
  full: { days: 200, kills: 60, pairs: 20, full: 5 },
  quick: { days: 60, kills: 1, pairs: 1, full: 1 },
  shown: ({ kills, pairs, full }) => `${kills} kills, ${pairs} x two writers, ${full} x full`,
  whyNot: whyNoImage,
  run: async (trial, { days, kills, pairs, full }, subject) => {
    const image = createImage(trial, IMAGE_MB);
    const copy = await Copy.begin(trial, subject, { disk: image.path, days });
    for (let round = 0; round < full && !trial.isSettled; round += 1) {
      await copy.fullDisk(join(image.path, 'fill'));
      trial.progress(`${round + 1} of ${full} full disks`);
    }
    for (let round = 0; round < kills && !trial.isSettled; round += 1) {
      await copy.killed(round);
      trial.progress(`${round + 1} of ${kills} kills`);
    }
    for (let round = 0; round < pairs && !trial.isSettled; round += 1) {
      await copy.twoWriters();
      trial.progress(`${round + 1} of ${pairs} times two writers`);
    }
    trial.measured(`${copy.listed} files, ${Math.round(copy.tookMs)} ms for an export of all`);
    image.unmount();
  },
});

interface Listed {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A folder into which two databases are exported in turn: no file of one equals the other's. */
class Copy {
  readonly #trial: Trial;
  readonly #setting: Setting;
  readonly #dir: string;
  readonly #days: number;
  /** The databases; the folder has the copy of the first. */
  #databases: readonly [string, string];
  tookMs = 0;

  private constructor(
    trial: Trial,
    subject: Subject,
    parts: {
      readonly dir: string;
      readonly databases: readonly [string, string];
      readonly days: number;
    },
  ) {
    this.#trial = trial;
    this.#setting = subject === 'control' ? IN_PLACE : {};
    this.#dir = parts.dir;
    this.#days = parts.days;
    this.#databases = parts.databases;
  }

  static async begin(
    trial: Trial,
    subject: Subject,
    { disk, days }: { readonly disk: string; readonly days: number },
  ): Promise<Copy> {
    const databases = [join(trial.dir, 'a'), join(trial.dir, 'b')] as const;
    await load(databases[0], recordsAround(800, days));
    await load(databases[1], recordsAround(900, days));
    const copy = new Copy(trial, subject, { dir: join(disk, 'copy'), databases, days });
    await copy.#mustExport(databases[1]);
    await copy.#mustExport(databases[0]);
    return copy;
  }

  get listed(): number {
    return this.#index().length;
  }

  /** The other database does not fit: the copy stays as it is. */
  async fullDisk(fill: string): Promise<void> {
    const [, other] = this.#databases;
    fillUp(fill, this.#dir, this.#days * LEFT_BYTES);
    const export_ = this.#export(other);
    await this.#readUntil(export_.ended);
    const { code } = await export_.ended;
    this.#trial.expect(code === 1, `on a full disk the export ended with ${code}`);
    this.#mustBeRight('on a full disk');
    rmSync(fill);
    await this.#mustExport(other);
  }

  async killed(round: number): Promise<void> {
    const [, other] = this.#databases;
    const export_ = this.#export(other);
    // Half of the kills come late, while files are put into their places.
    const earliest = round % 2 === 0 ? 0.3 : 0.8;
    const afterMs = this.#trial.chance.int(earliest * this.tookMs, this.tookMs);
    void pause(afterMs).then(() => export_.kill());
    await this.#readUntil(export_.ended);
    this.#mustBeWhole(this.#index(), 'after a kill');
    await this.#mustExport(other);
  }

  async twoWriters(): Promise<void> {
    const both = this.#databases.map((data) => this.#export(data));
    const ended = Promise.all(both.map((one) => one.ended));
    await this.#readUntil(ended);
    // One of them may give up, because the other has written the folder again and again.
    const codes = (await ended).map(({ code }) => code);
    this.#trial.expect(codes.includes(0), `two exports ended with ${codes.join(' and ')}`);
    this.#mustBeRight('after two writers');
  }

  #export(data: string) {
    const args = ['export', '--static', this.#dir, '--data', data, '--json'];
    return begin(this.#trial, args, this.#setting);
  }

  async #mustExport(data: string): Promise<void> {
    const export_ = this.#export(data);
    const { code, err } = await export_.ended;
    this.tookMs = export_.ageMs;
    this.#trial.expect(code === 0, `an export ended with ${code}: ${err}`);
    this.#mustBeRight('after an export');
    const [first, other] = this.#databases;
    this.#databases = data === first ? [first, other] : [other, first];
  }

  /** Takes the index and all its files again and again, as readers do. */
  async #readUntil(end: Promise<unknown>): Promise<void> {
    let goesOn = true;
    void end.finally(() => {
      goesOn = false;
    });
    while (goesOn && !this.#trial.isSettled) {
      this.#mustBeWhole(this.#index(), 'while somebody writes');
      await pause(LOOK_EVERY_MS);
    }
    await end;
  }

  #index(): readonly Listed[] {
    try {
      const index: { files: Listed[] } = JSON.parse(this.#read('index.json').toString());
      return index.files;
    } catch (error) {
      this.#trial.failed(`the index cannot be read: ${String(error)}`);
      return [];
    }
  }

  /** Every file is there to its end, whoever wrote it. */
  #mustBeWhole(files: readonly Listed[], when: string): void {
    const broken = files.filter(({ path }) => !isWhole(path, this.#read(path).toString()));
    this.#trial.expect(
      files.length > 0 && broken.length === 0,
      `${when} ${broken.length} files are not whole, such as ${broken[0]?.path}`,
    );
  }

  /** Every file is the one that the index names. */
  #mustBeRight(when: string): void {
    const files = this.#index();
    const wrong = files.filter(({ path, sha256 }) => hash('sha256', this.#read(path)) !== sha256);
    this.#trial.expect(
      files.length > 0 && wrong.length === 0,
      `${when} ${wrong.length} files are not those of the index, such as ${wrong[0]?.path}`,
    );
  }

  #read(path: string): Buffer {
    try {
      return readFileSync(join(this.#dir, path));
    } catch {
      return Buffer.alloc(0);
    }
  }
}

function isWhole(path: string, text: string): boolean {
  if (path.endsWith('.csv')) return text.startsWith('date,') && text.endsWith('\r\n');
  if (path.endsWith('.html')) return text.endsWith('</html>\n');
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function recordsAround(rate: number, days: number): readonly object[] {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, place) => {
    const at = new Date(today - (days - place) * DAY_MS).toISOString();
    const rates = { USD: rate + place / 100, EUR: rate + 100 + place / 100 };
    return { kind: 'official', value_date: at.slice(0, 10), rates, captured_at: at };
  });
}

function fillUp(file: string, path: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(path);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
}
