import { rateView } from '../../core/app/views.ts';
import { currencyOf } from '../../core/domain/markets.ts';
import { type Redenominations, shownUnits } from '../../core/domain/redenomination.ts';
import {
  type CaracasDay,
  DAY_MS,
  type Instant,
  isoInstant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';
import type { Queries } from '../../core/storage/engine.ts';
import { storedDay, storedJson } from '../../core/storage/queries/record-rows.ts';
import { partsOf } from '../../core/storage/queries/upsert.ts';
import type { Tables } from '../../core/storage/schema.ts';
import type { Occasion, OfficialDayRate } from './occasion.ts';
import type { WebhookEvent } from './webhook-types.ts';

// limit: Events kept | 7 days | not recovered
export const EVENTS_KEPT_MS = 7 * DAY_MS;
/** Corrections in one pass; the next pass takes the others. */
// limit: Corrections read in one pass | 1,000 | the next pass
const MAX_CORRECTIONS_READ = 1_000;
const ROWS_PER_INSERT = 100;

type EventRow = Tables['webhook_event'];

/** An event that is not stored yet. */
interface Draft {
  readonly type: WebhookEvent;
  readonly subject: string;
  /** Tells two occurrences of one subject apart. */
  readonly occurrence: string | number;
  readonly data: object;
  /** Now, unless it says so. */
  readonly at?: Instant;
  readonly isOpen?: boolean;
}

/** What ended: its rows are no longer kept beyond their time. */
type Closed = Pick<EventRow, 'type' | 'subject'>;

export interface News {
  readonly drafts: readonly Draft[];
  readonly closed: readonly Closed[];
}

/** A source that has not worked for a while. */
export interface DegradedSource {
  readonly source: string;
  readonly state: string;
  readonly why: string;
  readonly since: Instant;
}

/**
 * What is published and was not told yet. The figures themselves say what happened, as they are
 * stored, so nothing is lost however late it is asked (docs/adr/0059-webhooks-from-what-is-stored.md).
 * @param degraded Undefined when the sources were not looked at.
 */
export async function newsOf(
  db: Queries,
  occasion: Occasion,
  redenominations: Redenominations,
  degraded?: readonly DegradedSource[],
): Promise<News> {
  const open = await db
    .selectFrom('webhook_event')
    .select(['type', 'subject', 'data', 'at'])
    .where('is_open', '=', 1)
    .orderBy('seq')
    .execute();
  const parts = [
    officialNews(open, occasion),
    { drafts: await correctionNews(db, occasion, redenominations), closed: [] },
    doubtNews(open, occasion),
    degraded === undefined ? { drafts: [], closed: [] } : sourceNews(open, degraded, occasion.now),
  ];
  return {
    drafts: parts.flatMap(({ drafts }) => drafts),
    closed: parts.flatMap(({ closed }) => closed),
  };
}

type OpenRow = Pick<EventRow, 'type' | 'subject' | 'data' | 'at'>;

/** A publication that is read in parts is told in parts: each event has the currencies that are new. */
function officialNews(open: readonly OpenRow[], { today, official }: Occasion): News {
  const drafts: Draft[] = [];
  const first = firstDay(official);
  for (const type of ['official.published', 'official.in_force'] as const) {
    const due = official.filter(
      ({ valueDate }) => type === 'official.published' || valueDate <= today,
    );
    for (const valueDate of [...new Set(due.map((rate) => rate.valueDate))].sort()) {
      const told = toldCurrencies(open, type, valueDate);
      const rates = due.filter((rate) => rate.valueDate === valueDate && !told.has(rate.currency));
      if (rates.length === 0) continue;
      // One that was withdrawn and comes again is another occurrence.
      const again = open.filter(isCorrectionOf(valueDate)).length;
      const occurrence = `${rates.map(({ currency }) => currency).join(',')} ${again}`;
      drafts.push({ type, subject: valueDate, occurrence, data: dayView(rates), isOpen: true });
    }
  }
  const isOver = ({ type, subject }: OpenRow) =>
    type.startsWith('official.') && first !== undefined && subject < first;
  return { drafts, closed: open.filter(isOver) };
}

const isCorrectionOf = (valueDate: CaracasDay) => (row: OpenRow) =>
  row.type === 'official.corrected' && row.subject === valueDate;

/** The value date from which rates are in force. */
function firstDay(official: readonly OfficialDayRate[]): CaracasDay | undefined {
  return official.map(({ valueDate }) => valueDate).sort()[0];
}

/** Currencies of a value date that were told. One that was withdrawn is told again. */
function toldCurrencies(
  open: readonly OpenRow[],
  type: WebhookEvent,
  valueDate: CaracasDay,
): ReadonlySet<string> {
  const told = new Set<string>();
  for (const row of open) {
    if (row.subject !== valueDate) continue;
    const { rates } = storedJson<{ rates: Record<string, { is?: number | null }> }>(row.data);
    for (const [currency, { is }] of Object.entries(rates)) {
      if (row.type === type) told.add(currency);
      else if (row.type === 'official.corrected' && is === null) told.delete(currency);
    }
  }
  return told;
}

function dayView(rates: readonly OfficialDayRate[]) {
  const [{ valueDate, effectiveAt } = { valueDate: '', effectiveAt: 0 }] = rates;
  return {
    value_date: valueDate,
    effective_at: isoInstant(effectiveAt),
    rates: Object.fromEntries(
      rates.map(({ currency, rate, change }) => [currency, { rate, change }]),
    ),
    captured_at: isoInstant(Math.max(...rates.map(({ capturedAt }) => capturedAt))),
  };
}

/** Corrections of official rates, whatever their value date, by the events that are not stored yet. */
async function correctionNews(
  db: Queries,
  { now, official, today }: Occasion,
  { rebased }: Redenominations,
): Promise<readonly Draft[]> {
  const from = firstDay(official) ?? today;
  const rows = await db
    .selectFrom('correction as c')
    .selectAll()
    .where('kind', '=', 'publication')
    .where('corrected_at', '>', now - EVENTS_KEPT_MS)
    .where((the) =>
      the.not(
        the.exists(
          the
            .selectFrom('webhook_event')
            .select('seq')
            .where('type', '=', 'official.corrected')
            .whereRef('subject', '=', 'c.value_date')
            .where('at', '=', the.ref('c.corrected_at')),
        ),
      ),
    )
    .orderBy('corrected_at')
    .orderBy('value_date')
    .orderBy('id')
    .limit(MAX_CORRECTIONS_READ)
    .execute();
  const groups = Map.groupBy(rows, (row) => `${row.value_date} ${row.corrected_at}`);
  // The last one may be cut.
  const whole = [...groups.values()];
  if (rows.length === MAX_CORRECTIONS_READ && whole.length > 1) whole.pop();
  return whole.flatMap((group): Draft[] => {
    const [row] = group;
    if (row === undefined) return [];
    const day = storedDay(row.value_date);
    const inItsUnit = (figure: number) => rebased(figure, shownUnits(day, { on: day }));
    const rates = group.map(({ market, was, is_now, why }): [string, object] => [
      currencyOf(market) ?? market,
      { was: inItsUnit(was), is: is_now === null ? null : inItsUnit(is_now), why },
    ]);
    const data = {
      value_date: day,
      effective_at: isoInstant(startOfCaracasDay(day)),
      rates: Object.fromEntries(rates),
      corrected_at: isoInstant(row.corrected_at),
    };
    const occurrence = row.corrected_at;
    const common = { occurrence, data, at: row.corrected_at, isOpen: day >= from };
    return [{ type: 'official.corrected', subject: day, ...common }];
  });
}

function doubtNews(open: readonly OpenRow[], { quotes, inDoubt, now }: Occasion): News {
  const type = 'rate.in_doubt';
  const told = new Set(open.filter((row) => row.type === type).map(({ subject }) => subject));
  const drafts = [...quotes].flatMap(([subject, quote]): Draft[] => {
    const isDoubtful = inDoubt.has(subject);
    if (isDoubtful === told.has(subject)) return [];
    const data = { market: quote.market.id, in_doubt: isDoubtful, rate: rateView(quote) };
    return [{ type, subject, occurrence: now, data, isOpen: isDoubtful }];
  });
  // A rate that is not published any more is neither in doubt nor confirmed.
  const over = [...told].filter((subject) => !inDoubt.has(subject));
  return { drafts, closed: over.map((subject) => ({ type, subject })) };
}

function sourceNews(
  open: readonly OpenRow[],
  degraded: readonly DegradedSource[],
  now: Instant,
): News {
  const type = 'source.degraded';
  const told = new Map(
    open.filter((row) => row.type === type).map((row) => [row.subject, row] as const),
  );
  const present = new Set(degraded.map(({ source }) => source));
  const begun = degraded.flatMap(({ source, since, ...more }): Draft[] => {
    if (told.has(source)) return [];
    const data = { source, ...more, since: isoInstant(since) };
    return [{ type, subject: source, occurrence: since, data, at: now, isOpen: true }];
  });
  const over = [...told.values()].filter(({ subject }) => !present.has(subject));
  const recovered = over.map(({ subject, data }): Draft => {
    const { since } = storedJson<{ since: string }>(data);
    const degraded_for_sec = Math.max(0, Math.floor((now - Date.parse(since)) / SECOND_MS));
    const told = { source: subject, degraded_for_sec };
    return { type: 'source.recovered', subject, occurrence: since, data: told };
  });
  return { drafts: [...begun, ...recovered], closed: over };
}

/** Stores news that the transaction has read. @returns whether there was any. */
export async function storeNews(
  db: Queries,
  { drafts, closed }: News,
  now: Instant,
): Promise<boolean> {
  for (const { type, subject } of closed) {
    await db
      .updateTable('webhook_event')
      .set({ is_open: 0 })
      .where((the) => the.and({ type, subject, is_open: 1 }))
      .execute();
  }
  const last = await newestSeq(db);
  const rows = drafts.map(
    ({ type, subject, occurrence, data, at = now, isOpen = false }, place): EventRow => ({
      seq: last + 1 + place,
      dedupe: [type, subject, occurrence].join(':'),
      ...{ type, subject, at },
      data: JSON.stringify(data),
      is_open: isOpen ? 1 : 0,
    }),
  );
  for (const part of partsOf(rows, ROWS_PER_INSERT)) {
    await db
      .insertInto('webhook_event')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return drafts.length + closed.length > 0;
}

/** Numbers are not used again after old events were removed. */
export async function newestSeq(db: Queries): Promise<number> {
  const stored = await db
    .selectFrom('webhook_event')
    .select((the) => the.fn.max('seq').as('last'))
    .executeTakeFirst();
  const told = await db
    .selectFrom('webhook_endpoint')
    .select((the) => the.fn.max('told_seq').as('last'))
    .executeTakeFirst();
  return Math.max(Number(stored?.last ?? 0), Number(told?.last ?? 0));
}
