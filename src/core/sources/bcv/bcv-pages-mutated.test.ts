import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf, soundRecords } from '../../../../test/harness/bodies.ts';
import { textOf } from '../body/body-text.ts';
import { parseBcvBanks } from './bcv-banks-page.ts';
import { parseBcvOfficial } from './bcv-official-page.ts';
import { spanishDateOf } from './spanish-date.ts';

/**
 * Pages of the central bank with one thing about them altered, as a broken transfer or a new
 * template would alter them. Where digits are gone, doubled or exchanged, a parser can only tell
 * what the page shows: whether that is likely is for judgement. Any other change must be a failure
 * or leave the figures as they were.
 */

const SEED = 20_261_123;
const FEW = 200;

/** How a page is altered; positions are fractions of its length, so that they fit every page. */
interface Mutation {
  readonly kind: 'delete' | 'double' | 'swap' | 'cut' | 'tags' | 'separator';
  readonly at: number;
  readonly other: number;
  readonly length: number;
  readonly instead: string;
}

const fraction = fc
  .noBias(fc.integer({ min: 0, max: 999_999 }))
  .map((millionths) => millionths / 1e6);
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('delete', 'double', 'swap', 'cut', 'tags', 'separator'),
  at: fraction,
  other: fraction,
  // Mostly a few bytes, now and then a whole block.
  length: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 800 })),
  instead: fc.constantFrom('', '.', ',', ' ', ';', '..', ',,', '\u00a0', "'"),
});

type Page = { readonly text: string; readonly encoding: 'utf8' | 'utf16le' | 'latin1' };

const bytesOf = ({ text, encoding }: Page) =>
  Buffer.from(encoding === 'utf16le' ? `\uFEFF${text}` : text, encoding);

function mutated(page: Page, { kind, at, other, length, instead }: Mutation): Uint8Array {
  const bytes = bytesOf(page);
  const place = (from: number) => Math.floor(from * bytes.length);
  const [start, end] = [place(at), Math.min(place(at) + length, bytes.length)];
  switch (kind) {
    case 'delete':
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    case 'double':
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
    case 'cut':
      return bytes.subarray(0, start);
    case 'swap': {
      const swapped = Buffer.from(bytes);
      const [first, second] = [bytes[start] ?? 0, bytes[place(other)] ?? 0];
      swapped[start] = second;
      swapped[place(other)] = first;
      return swapped;
    }
    case 'tags':
      return bytesOf({ ...page, text: withTagsSwapped(page.text, at, other) });
    case 'separator':
      return bytesOf({ ...page, text: withSeparator(page.text, { at, other, instead }) });
    default:
      return kind satisfies never;
  }
}

function withTagsSwapped(text: string, at: number, other: number): string {
  const tags = [...text.matchAll(/<[^>]*>/g)];
  const chosen = [at, other].map((from) => tags[Math.floor(from * tags.length)]);
  const [first, second] = chosen.toSorted((a, b) => (a?.index ?? 0) - (b?.index ?? 0));
  if (first === undefined || second === undefined || first === second) return text;
  return [
    text.slice(0, first.index),
    second[0],
    text.slice(first.index + first[0].length, second.index),
    first[0],
    text.slice(second.index + second[0].length),
  ].join('');
}

/** Changes a dot or comma beside a digit, or moves it by some digits. */
function withSeparator(text: string, { at, other, instead }: Omit<Mutation, 'kind' | 'length'>) {
  const found = [...text.matchAll(/(\d*)([.,])(\d+)/g)];
  const chosen = found[Math.floor(at * found.length)];
  if (chosen === undefined) return text;
  const [whole, before = '', separator = '', after = ''] = chosen;
  const digits = before + after;
  const moved = Math.floor(other * digits.length);
  const altered =
    instead === ''
      ? digits.slice(0, moved) + separator + digits.slice(moved)
      : before + instead + after;
  return text.slice(0, chosen.index) + altered + text.slice(chosen.index + whole.length);
}

/** What a page shows: its text without tags, as far as a reader could tell them. */
const shownIn = (html: string) => html.replaceAll(/<[^>]*>?/g, ' ').replaceAll(/\s+/g, ' ');
const figuresIn = (html: string) =>
  (shownIn(html).match(/\d[\d.,]*/g) ?? []).map((figure) =>
    Number(figure.replaceAll('.', '').replace(',', '.')),
  );

/** True when no digit was touched, or none may be missed: every figure must be as it was. */
const hasSameFigures = (page: Page, after: string, { kind }: Mutation) =>
  kind === 'cut' ||
  kind === 'tags' ||
  kind === 'separator' ||
  page.text.replaceAll(/\D/g, '') === after.replaceAll(/\D/g, '');

const BLOCK_IDS: Readonly<Record<string, string>> = {
  USD: 'dolar',
  EUR: 'euro',
  CNY: 'yuan',
  TRY: 'lira',
  RUB: 'rublo',
};

interface Official {
  readonly value_date: string;
  readonly value_date_text?: string;
  readonly rates: Readonly<Record<string, number>>;
}

const officialIn = (bytes: Uint8Array) =>
  soundRecords(() => parseBcvOfficial([bodyOf(bytes)])) as readonly unknown[] as Official[];

function officialHolds(page: Page): (change: Mutation) => void {
  const [original] = officialIn(bytesOf(page));
  if (original === undefined) throw new Error('the page itself is not read');
  return (change) => {
    const bytes = mutated(page, change);
    const [record] = officialIn(bytes);
    if (record === undefined) return;
    const text = textOf(bodyOf(bytes));
    const { value_date: day, value_date_text: label = '', rates } = record;
    expect([undefined, day]).toContain(spanishDateOf(label));
    if (hasSameFigures(page, text, change)) {
      expect(day).toBe(original.value_date);
      expect(original.rates).toMatchObject(rates);
      return;
    }
    expect(text).toMatch(label === '' ? `${day}T00:00:00-04:00` : label);
    for (const [currency, rate] of Object.entries(rates)) {
      const marks = new RegExp(`id="${BLOCK_IDS[currency]}"|${currency}`, 'g');
      const blocks = [...text.matchAll(marks)].map(
        ({ index }) => text.slice(index + 4).split(/id="|Fecha/)[0] ?? '',
      );
      expect(blocks.flatMap(figuresIn)).toContain(rate);
    }
  };
}

interface Row {
  readonly bank: string;
  readonly buy?: number;
  readonly sell?: number;
  readonly date: string;
}

function banksHold(page: Page): (change: Mutation) => void {
  return (change) => {
    const bytes = mutated(page, change);
    const [record] = soundRecords(() => parseBcvBanks([bodyOf(bytes)]));
    if (record === undefined) return;
    const text = textOf(bodyOf(bytes));
    const hasSame = hasSameFigures(page, text, change);
    const lines = (hasSame ? page.text : text).split('<tr').map((line) => ({
      text: shownIn(`<tr${line}`),
      figures: figuresIn(`<tr${line}`),
    }));
    for (const { bank, buy, sell, date } of record['rows'] as readonly Row[]) {
      const day = date.split('-').toReversed().join('-');
      const sides = [buy, sell].filter((side) => side !== undefined);
      const isShown = lines.some(
        (line) =>
          // A name may have lost a letter.
          (hasSame || line.text.includes(bank)) &&
          line.text.includes(day) &&
          sides.every((side) => line.figures.includes(side)),
      );
      expect({ bank, buy, sell, date, isShown }).toMatchObject({ isShown: true });
    }
  };
}

const check = (holds: (change: Mutation) => void, runs: number) =>
  fc.assert(fc.property(mutation, holds), { seed: SEED, numRuns: runs });

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

describe('a mutated page is a failure or gives what it shows, and the same figures unless digits changed', () => {
  test.each([
    ['bcv-home-2026-11-23.html', 'utf8'],
    ['bcv-home-2024-05-15.html', 'utf8'],
    ['bcv-home-2024-05-15.html', 'utf16le'],
    ['bcv-home-2024-05-15.html', 'latin1'],
    ['bcv-banks-page-0.html', 'utf8'],
  ] as const)('%s in %s, official rates', (name, encoding) => {
    check(officialHolds({ text: fixture(name), encoding }), FEW);
  });

  test.each([
    ['bcv-banks-page-0.html', 'utf8'],
    ['bcv-banks-export.xls', 'utf8'],
    ['bcv-banks-export.xls', 'latin1'],
  ] as const)('%s in %s, bank table', (name, encoding) => {
    check(banksHold({ text: fixture(name), encoding }), FEW);
  });
});
