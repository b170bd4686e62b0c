import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../src/core/domain/time.ts';
import { judging, OFFICIAL } from '../harness/judging.ts';
import { capture, iso } from '../harness/make.ts';
import { START } from '../harness/service.ts';

/* What an operator decided, and readings that arrive after it (contract §8: "What the operator has checked stays"). */

const time = (seconds: number) => START + seconds * SECOND_MS;

/** A quote read at one time and dated at another. */
const read = (mid: number, seconds: number, dated = seconds) =>
  capture(mid, iso(time(seconds)), { updated_at: iso(time(dated)) });

const TRUSTED = { source: 'operator', trust: true };

async function withQuote() {
  const market = await judging();
  market.service.clock.set(time(2_000));
  await market.service.push(OFFICIAL, read(1_000, 0));
  const status = async (id: string) => (await market.store.findHeld(id))?.status;
  return { ...market, status };
}

describe('what an operator decided, when readings arrive later (contract §8)', () => {
  test('a checked quote that a late reading makes history stays, also outside the band', async () => {
    const { ingestAll, pastRates } = await withQuote();
    await ingestAll([read(4_500, 100, 50)], TRUSTED);
    await ingestAll([read(1_010, 99, 80)]);
    expect(await pastRates()).toEqual([1_000, 4_500, 1_010]);
  });

  test('a rejected record that is sent again stays rejected, and confirms nothing', async () => {
    const { store, ingestAll, held, status, pastRates } = await withQuote();
    const record = read(1_900, 100);
    await ingestAll([record]);
    const [{ id } = { id: '' }] = await held();
    await store.rejectHeld(id);
    await ingestAll([record]);
    await ingestAll([read(1_900, 450)]);
    await ingestAll([read(1_900, 800)]);
    expect([await status(id), await pastRates()]).toEqual(['rejected', [1_000]]);
    await ingestAll([record, read(1_900, 801)]);
    expect([await status(id), await pastRates()]).toEqual(['rejected', [1_000]]);
  });

  test('a held record that is sent again is held once, also one that was published first', async () => {
    const { ingestAll, held, pastRates } = await withQuote();
    const record = read(1_300, 100);
    await ingestAll([record]);
    await ingestAll([read(1_400, 50)]);
    expect(await held()).toHaveLength(1);
    await ingestAll([read(990, 60)]);
    expect([(await held()).length, await pastRates()]).toEqual([2, [1_000, 990]]);
    expect(await ingestAll([record])).toMatchObject({ accepted: 0, held: 1, duplicate: 0 });
    expect(await held()).toHaveLength(2);
  });

  test('a released record ends the run of held readings before it, and none after it', async () => {
    const { ingest, ingestAll, held, reasons, pastRates } = await withQuote();
    await ingestAll([read(4_500, 100)]);
    const [{ id } = { id: '' }] = await held();
    await ingestAll([read(1_900, 200)]);
    await ingestAll([read(1_900, 500)]);
    await ingest.release(id, { why: 'operator' });
    await ingestAll([read(1_900, 800)]);
    expect(await pastRates()).toEqual([1_000, 4_500, 1_900, 1_900, 1_900]);
    expect(await reasons()).toEqual([]);
  });
});
