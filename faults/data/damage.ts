import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../chance.ts';
import { changedLine } from '../changed-line.ts';
import { accountWithKey, load, type Setting, tryServe } from '../process.ts';
import { inTurns, scenario, type Trial } from '../scenario.ts';
import { Client, type Reply } from '../wire.ts';

const PAGE_BYTES = 4_096;
const SECTOR_BYTES = 512;
const AT_ONCE = 2;
/** Its message on stderr when it refuses the file. */
const REFUSAL =
  /The database .* (is damaged|is cut short|is empty|is not a SQLite database|was not written by vesfx)/;

const PATHS = [
  '/v1/fx/rates/reference',
  '/v1/fx/rates/parallel',
  '/v1/fx/rates/parallel/history',
  '/v1/fx/rates/parallel/history?granularity=raw',
  '/v1/fx/rates/binance/history?granularity=raw',
  '/v1/fx/bcv/banks',
  '/v1/fx/bcv/currencies',
  '/v1/account/markups',
];

const NOT_READ_THROUGH = changedLine(
  '/storage/sqlite/file.ts',
  'if (!isOpenElsewhere(file)) {',
  'if (!isOpenElsewhere(file)) { return;',
);

export const damage = scenario({
  name: 'damage',
  title: 'Damaged database files',
  promise:
    'The file is refused at the start with a sentence and left as it is, or every answer is right ' +
    '(single bits within stored figures apart).',
  control: 'it opens a file without reading it through',
  full: { files: 200 },
  quick: { files: 20 },
  controlled: { files: 60 },
  shown: ({ files }) => `${files} files`,
  run: async (trial, { files }, subject) => {
    const sound = join(trial.dir, 'sound');
    const { key } = await accountWithKey(sound, 'Escala');
    await load(sound, records());
    const client = new Client(4);
    trial.onEnd(() => client.close());
    const setting = subject === 'control' ? NOT_READ_THROUGH : {};
    const right = await answersOf(trial, client, { data: sound, key, setting });
    if (right === undefined) throw new Error('The sound database is not taken.');
    const whole = readFileSync(join(sound, 'vesfx.db'));
    const found = { refused: 0, opened: 0, unnoticed: 0 };
    const items = Array.from({ length: files }, (_, index) => index);
    await inTurns(items, AT_ONCE, async (turn, place) => {
      if (trial.isSettled) return;
      const chance = trial.chance.of(`file ${turn}`);
      const data = join(trial.dir, `damaged-${place}`);
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data, { mode: 0o700 });
      const file = join(data, 'vesfx.db');
      const { what, bytes, isFlip } = damaged(whole, chance);
      writeFileSync(file, bytes);
      const answers = await answersOf(trial, client, { data, key, setting });
      if (answers === undefined) {
        found.refused += 1;
        const isSame = digestOf(readFileSync(file)) === digestOf(bytes);
        trial.expect(isSame && readdirSync(data).length === 1, `${what}: the folder was changed`);
      } else {
        found.opened += 1;
        const wrong = PATHS.filter((_, index) => answers[index] !== right[index]);
        // A flipped bit in a stored figure leaves the file valid, because SQLite keeps no
        // checksums. Count it separately.
        if (wrong.length > 0 && isFlip) found.unnoticed += 1;
        else trial.expect(wrong.length === 0, `${what}: other answers for ${wrong.join(', ')}`);
      }
      trial.progress(`${turn + 1} of ${files}`);
    });
    trial.measured(`${found.refused} refused, ${found.opened} opened`);
    if (found.unnoticed > 0)
      trial.measured(`${found.unnoticed} flipped bits within figures unnoticed`);
  },
});

/**
 * The answers of the service on this folder; undefined when it refuses to start with the expected
 * message.
 */
async function answersOf(
  trial: Trial,
  client: Client,
  {
    data,
    key,
    setting,
  }: { readonly data: string; readonly key: string; readonly setting: Setting },
): Promise<readonly string[] | undefined> {
  const { running, served } = await tryServe(trial, data, setting);
  if (served === undefined) {
    const { code, err } = await running.ended;
    trial.expect(code === 1 && REFUSAL.test(err), `refused with ${code}: ${err.slice(0, 300)}`);
    return undefined;
  }
  const answers: string[] = [];
  for (const path of PATHS) answers.push(textOf(await client.send(served.url + path, { key })));
  await running.stop();
  return answers;
}

function textOf(reply: Reply): string {
  return reply.kind === 'answered' ? `${reply.status} ${reply.text}` : reply.reason;
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Damaged {
  readonly what: string;
  readonly bytes: Buffer;
  readonly isFlip: boolean;
}

const KINDS = ['flip', 'sector', 'cut', 'zero', 'swap'] as const;

/** A copy with one kind of damage. */
function damaged(whole: Buffer, chance: Chance): Damaged {
  const bytes = Buffer.from(whole);
  const pages = bytes.length / PAGE_BYTES;
  const page = () => chance.int(0, pages - 1);
  switch (chance.pick(KINDS)) {
    case 'flip': {
      const at = chance.int(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.int(0, 7));
      return { what: `a bit at ${at} flipped`, bytes, isFlip: true };
    }
    case 'sector': {
      const at = chance.int(0, bytes.length / SECTOR_BYTES - 1) * SECTOR_BYTES;
      chance.bytes(SECTOR_BYTES).copy(bytes, at);
      return { what: `garbage in the sector at ${at}`, bytes, isFlip: false };
    }
    case 'cut': {
      const length = chance.int(0, bytes.length - 1);
      return { what: `cut at ${length}`, bytes: bytes.subarray(0, length), isFlip: false };
    }
    case 'zero': {
      const at = page();
      bytes.fill(0, at * PAGE_BYTES, (at + 1) * PAGE_BYTES);
      return { what: `page ${at} zeroed`, bytes, isFlip: false };
    }
    case 'swap': {
      const one = page();
      const other = (one + chance.int(1, pages - 1)) % pages;
      whole.copy(bytes, one * PAGE_BYTES, other * PAGE_BYTES, (other + 1) * PAGE_BYTES);
      whole.copy(bytes, other * PAGE_BYTES, one * PAGE_BYTES, (one + 1) * PAGE_BYTES);
      return { what: `pages ${one} and ${other} swapped`, bytes, isFlip: false };
    }
  }
}

/** A few thousand captures of the last days, and one record of every other kind. */
function records(): readonly object[] {
  const now = Date.now();
  const quotes = Array.from({ length: 3_000 }, (_, index) => {
    const at = new Date(now - 3_600_000 - index * 60_000).toISOString();
    const market = index % 2 === 0 ? 'parallel' : 'binance';
    const mid = 900 + (index % 100) / 8;
    return {
      kind: 'quote',
      market,
      mid,
      ask: mid + 1,
      bid: mid - 1,
      updated_at: at,
      captured_at: at,
    };
  });
  const captured_at = new Date(now - 7_200_000).toISOString();
  const date = captured_at.slice(0, 10);
  const rates = { USD: 800, EUR: 900, CNY: 110, TRY: 19, RUB: 9 };
  const rows = Array.from({ length: 20 }, (_, index) => ({
    ...{ bank: `Banco ${index}`, buy: 799, sell: 801, date },
  }));
  return [
    ...quotes,
    { kind: 'official', value_date: date, rates, captured_at },
    { kind: 'bank_table', indicator_date: date, rows, captured_at },
  ];
}
