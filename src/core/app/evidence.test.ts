import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaracasDay } from '../domain/time.ts';
import { evidenceId, parseEvidenceId, quoteDigest } from './evidence.ts';
import type { StoredQuote } from './ports/quotes.ts';

const quote: StoredQuote = {
  market: 'reference',
  mid: 889.5754,
  updatedAt: Date.parse('2026-11-23T04:00:00Z'),
  capturedAt: Date.parse('2026-11-23T04:00:00Z'),
  effectiveDate: '2026-11-23' as CaracasDay,
};

test('an id leads back to its market, time and figures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.double({ min: 1e-15, max: 1e15, noNaN: true }),
      (capturedAt, mid) => {
        const one = { ...quote, capturedAt, mid };
        expect(parseEvidenceId(evidenceId(one))).toEqual({
          market: 'reference',
          capturedAt,
          digest: quoteDigest(one),
        });
      },
    ),
  );
});

test('an id stays the same after another reading and differs for other figures', () => {
  const again = { ...quote, observedAt: quote.capturedAt + 1, source: 'bcv-official' };
  expect(evidenceId(again)).toBe(evidenceId(quote));
  expect(evidenceId({ ...quote, mid: 889.5755 })).not.toBe(evidenceId(quote));
});

test.each(['reference', 'bcv.official', '', 'a.b.c', 'reference.mi7k2c00.5F0C91D2'])(
  'is not an id: %j',
  (text) => {
    expect(parseEvidenceId(text)).toBeUndefined();
  },
);
