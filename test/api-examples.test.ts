import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startDemonstration } from './harness/demonstration.ts';

/**
 * Holds the answers on the API page to those of the demonstration, which starts at noon of a Saturday.
 * `npm run documents` writes the whole ones.
 */

const PAGE = fileURLToPath(new URL('../docs/api.md', import.meta.url));
const page = readFileSync(PAGE, 'utf8');

interface Example {
  readonly text: string;
  /** Whether the page says that the answer has more. */
  readonly isShortened: boolean;
}

/** The answers under a heading, in their order, each with what the paragraphs beside it say. */
function examplesUnder(heading: string): readonly Example[] {
  const [, section = ''] = page.split(`# ${heading}\n`);
  const own = section.split(/^#+ /m)[0] ?? '';
  // Prose and blocks in turn: what is before a block, the block, what is after it.
  const parts = own.split(/^```(?:json|csv|xml)?\n/m);
  return parts.flatMap((text, place) => {
    if (place % 2 === 0) return [];
    const before = parts[place - 1]?.trim().split('\n\n').at(-1);
    const after = parts[place + 1]?.trim().split('\n\n')[0];
    return [{ text: text.trim(), isShortened: /hortened/.test(`${before} ${after}`) }];
  });
}

/** The requests for the answers under each heading, in order. */
const ASKED: readonly (readonly [heading: string, addresses: readonly string[]])[] = [
  ['Rates', ['/v1/fx/rates', '/v1/fx/rates/reference', '/v1/fx/rates/binance?details=true']],
  ['Past dates', ['/v1/fx/rates/reference?date=2026-11-21']],
  [
    'History',
    [
      '/v1/fx/rates/reference/history?from=2026-11-19&to=2026-11-21',
      '/v1/fx/rates/reference/history?date=2026-11-15',
    ],
  ],
  ['Candles', ['/v1/fx/rates/parallel/candles?interval=week&from=2026-11-09&to=2026-11-21']],
  ['Changes', ['/v1/fx/changes?period=7d&markets=parallel,cash']],
  ['Coverage', ['/v1/fx/coverage?markets=reference,parallel']],
  ['Markets', ['/v1/fx/markets']],
  ['Convert', ['/v1/fx/convert?from=USD&to=VES&amount=100', '/v1/fx/bulk/convert']],
  ['Route', ['/v1/fx/route?from=USD&to=VES&amount=100']],
  ['Index', ['/v1/fx/index']],
  ['Premium', ['/v1/fx/spread']],
  ["The central bank's tables", ['/v1/fx/bcv/banks', '/v1/fx/bcv/currencies']],
  ['Official rates', ['/v1/fx/official']],
  ['Official days', ['/v1/fx/official/history?days=all&from=2026-11-20&to=2026-11-21']],
  ['Calendar', ['/v1/fx/calendar?from=2026-11-22&to=2026-11-24']],
  ['Status', ['/v1/status']],
  ['The board', ['/board.json']],
  ['The calculator', ['/v1/fx/public/calculator?amount=1&from=USD&to=VES']],
  ['Formats', ['/v1/fx/rates/reference?format=csv', '/v1/fx/rates/reference?format=xml']],
  ['Markups', ['/v1/fx/rates?markup=shop']],
  ['Errors', ['/v1/fx/convert?from=USD&to=VES']],
];

/** Asks a demonstration whose account has a markup rule. */
async function askDemonstration() {
  const { keyFor, call } = await startDemonstration();
  const key = await keyFor('Escala');
  const post = (address: string, body: object) => call(address, { key, method: 'POST', body });
  const rule = { tag: 'shop', kind: 'percent', value: 3.5, markets: ['reference'] };
  expect((await post('/v1/account/markups', rule)).status).toBe(201);
  const amounts = { from: 'USD', to: 'VES', amounts: [1, 2.5] };
  return (address: string) =>
    address.includes('/bulk/') ? post(address, amounts) : call(address, { key });
}

/** The board's version is made of all its figures and words, so it changes with any of them. */
const withoutVersion = (text: string) => text.replace(/"version":"j-[^"]+",/, '');

/** All that is shown is in the answer; of lists and objects it may have more. */
function containing(shown: unknown): unknown {
  if (typeof shown !== 'object' || shown === null) return shown;
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(containing));
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([name, one]) => [name, containing(one)])),
  );
}

test('the API page shows the answers of the demonstration', async () => {
  const ask = await askDemonstration();
  let written = page;
  for (const [heading, addresses] of ASKED) {
    const examples = examplesUnder(heading);
    expect([heading, examples.length]).toEqual([heading, addresses.length]);
    for (const [place, { text, isShortened }] of examples.entries()) {
      const address = addresses[place] ?? '';
      const answer = await ask(address);
      if (text.startsWith('{') && isShortened) {
        expect([address, answer.json]).toEqual([
          address,
          containing(JSON.parse(withoutVersion(text))),
        ]);
      } else {
        const whole = answer.text.replaceAll('\r', '').trim();
        written = written.replace(`\n${text}\n\`\`\``, () => `\n${whole}\n\`\`\``);
      }
    }
  }
  await expect(written).toMatchFileSnapshot(PAGE, 'run: npm run documents');
});
