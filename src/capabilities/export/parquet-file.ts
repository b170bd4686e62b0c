import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { NewFile } from '../../core/cli/new-file.ts';
import { version } from '../../core/config.ts';
import { BANK_NOTICE, STORED_UNIT_NOTICE } from '../../core/domain/bcv.ts';
import { utcDayOf } from '../../core/domain/time.ts';
import type { ExportedQuote } from './export-types.ts';
import { type OpenFormat, RATE_COLUMNS, type UnitSince, unitSinceOf } from './format.ts';

/** Rows of one group, which are in memory together. */
// limit: Rows of a Parquet group | 10,000 | the next group
const ROWS_PER_GROUP = 10_000;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const RATE = { type: 'DOUBLE' } as const;
const TIMESTAMP = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
const NEEDED = { repetition_type: 'REQUIRED' } as const;
const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;

const SCHEMA: readonly SchemaElement[] = [
  { name: 'rates', num_children: RATE_COLUMNS.length },
  { name: 'market', ...TEXT, ...NEEDED },
  { name: 'date', ...TEXT, ...NEEDED },
  { name: 'rate', ...RATE, ...NEEDED },
  { name: 'ask', ...RATE, ...OPTIONAL },
  { name: 'bid', ...RATE, ...OPTIONAL },
  { name: 'updated_at', ...TIMESTAMP, ...NEEDED },
  { name: 'captured_at', ...TIMESTAMP, ...NEEDED },
  { name: 'value_date', ...TEXT, ...OPTIONAL },
  { name: 'unit_since', ...TEXT, ...OPTIONAL },
];

/** The library writes a group into memory, from where it goes into the file. */
class FileBytes extends ByteWriter {
  readonly #file: NewFile;

  constructor(file: NewFile) {
    super();
    this.#file = file;
  }

  flush(): Promise<void> {
    const bytes = this.getBytes();
    this.index = 0;
    return this.#file.write(bytes);
  }

  override finish(): Promise<void> {
    return this.flush();
  }
}

/** The values of a group, by column. */
class Group {
  readonly market: string[] = [];
  readonly date: string[] = [];
  readonly rate: number[] = [];
  readonly ask: (number | null)[] = [];
  readonly bid: (number | null)[] = [];
  readonly updated_at: bigint[] = [];
  readonly captured_at: bigint[] = [];
  readonly value_date: (string | null)[] = [];
  readonly unit_since: (string | null)[] = [];

  add(market: string, quote: ExportedQuote, unitSince: UnitSince): void {
    const { mid, ask, bid, updatedAt, capturedAt, valueDate } = quote;
    this.market.push(market);
    this.date.push(valueDate ?? utcDayOf(capturedAt));
    this.rate.push(mid);
    this.ask.push(ask || null);
    this.bid.push(bid || null);
    this.updated_at.push(BigInt(updatedAt));
    this.captured_at.push(BigInt(capturedAt));
    this.value_date.push(valueDate ?? null);
    this.unit_since.push(unitSinceOf(quote, unitSince) ?? null);
  }
}

export const openParquet: OpenFormat = (file, unitSince) => {
  const writer = new ParquetWriter({
    writer: new FileBytes(file),
    schema: [...SCHEMA],
    kvMetadata: [{ key: 'notice', value: `${BANK_NOTICE.en} ${STORED_UNIT_NOTICE}` }],
    createdBy: `vesfx version ${version()}`,
  });
  let group = new Group();
  const writeGroup = async () => {
    const columnData = RATE_COLUMNS.map((name) => ({ name, data: group[name] }));
    await writer.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    group = new Group();
  };
  return {
    async quotes(market, quotes) {
      for (const quote of quotes) {
        group.add(market, quote, unitSince);
        if (group.rate.length === ROWS_PER_GROUP) await writeGroup();
      }
    },
    async finish() {
      if (group.rate.length > 0) await writeGroup();
      await writer.finish();
    },
  };
};
