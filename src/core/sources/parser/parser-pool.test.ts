import { getPriority } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { SourceFailure } from '../../app/failures.ts';
import { inParserThread, MAX_WAITING_PARSES, ParserPool } from './parser-pool.ts';
import { PARSER_NICENESS } from './priority.ts';

const WILD = 'test/harness/wild-parsers.ts';
const call = (name: string, ...args: unknown[]) => ({ name, args });

const pools: ParserPool[] = [];
/** Little time and memory, so that a test needs little of both. */
function poolOf(options: ConstructorParameters<typeof ParserPool>[0] = {}): ParserPool {
  const pool = new ParserPool({ thread: WILD, cpuMs: 300, heapMb: 32, threads: 1, ...options });
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    (value) => `it was taken for good: ${JSON.stringify(value)}`,
    (error: unknown) =>
      error instanceof SourceFailure ? `${error.reason}: ${error.message}` : error,
  );

describe('a body is parsed in a thread', () => {
  test('and returns its records unchanged, one call after the other', async () => {
    const pool = poolOf();
    const records = [{ kind: 'quote', market: 'cash', mid: 1.10131, bytes: Uint8Array.of(1, 2) }];
    const answers = [1, 2, 3].map(() => pool.run(call('echo', records)));
    expect(await Promise.all(answers)).toEqual([records, records, records]);
    expect(pool.threads).toBe(1);
  });

  test("a parser's SourceFailure passes through, and other errors stay errors", async () => {
    const pool = poolOf();
    expect(await failureOf(pool.run(call('giveUp', 'expected figures')))).toBe(
      'content: expected figures',
    );
    expect(await failureOf(pool.run(call('crash', 'a bug')))).toEqual(new TypeError('a bug'));
    expect(await failureOf(pool.run(call('missing')))).toMatchObject({
      message: 'The thread has no missing.',
    });
    // The thread can be reused.
    expect(await pool.run(call('echo', 1))).toBe(1);
  });

  test.runIf(process.platform === 'linux')(
    'behind the answers to callers, and never before the process that it belongs to',
    async () => {
      expect(await poolOf().run(call('niceness'))).toBe(Math.max(PARSER_NICENESS, getPriority()));
    },
  );

  test('by the named export of parsers.ts', async () => {
    const page = { url: 'https://upstream.example/', bytes: new TextEncoder().encode('<p>') };
    expect(await failureOf(inParserThread('hasNextPage')(page))).toContain(
      'expected a page with its end',
    );
  });
});

describe('a runaway parse is terminated, and the next one has a new thread', () => {
  test.each([
    ['never ends', 'neverEnd', 'content: expected a body that is parsed in 300 ms'],
    ['fills the memory', 'fillMemory', 'content: expected a body that is parsed in 32 MB'],
    ['ends its thread', 'leave', 'content: the thread of the parser ended'],
  ])('one that %s', async (_, name, expected) => {
    // Memory fills up more slowly on a busy machine than this test's time limit for parsers allows.
    const pool = poolOf(name === 'fillMemory' ? { cpuMs: 60_000 } : {});
    const [bad, next] = [pool.run(call(name)), pool.run(call('echo', 'next'))];
    expect(await failureOf(bad)).toBe(expected);
    expect(await next).toBe('next');
    expect(pool.threads).toBe(1);
  });

  test('time in which its thread does not run does not count, up to a bound', async () => {
    expect(await poolOf().run(call('rest', 600))).toBe('rested');
    // Processor time of an earlier body does not count either.
    const pool = poolOf();
    for (let body = 0; body < 4; body += 1) {
      expect(await pool.run(call('compute', 120))).toBe('computed');
    }
    expect(pool.threads).toBe(1);
    expect(await failureOf(poolOf({ timeoutMs: 300 }).run(call('rest', 60_000)))).toBe(
      'content: the body was not parsed in 300 ms',
    );
  });

  test('the event loop and other threads continue during a parse', async () => {
    const pool = poolOf({ threads: 2, cpuMs: 2_000 });
    let over = false;
    const bad = failureOf(pool.run(call('neverEnd'))).finally(() => {
      over = true;
    });
    expect(await pool.run(call('echo', 'beside'))).toBe('beside');
    expect(over).toBe(false);
    await bad;
  });

  test('MAX_WAITING_PARSES bodies wait, and one more is refused', async () => {
    const pool = poolOf();
    const bad = failureOf(pool.run(call('neverEnd')));
    const waiting = Array.from({ length: MAX_WAITING_PARSES }, () => pool.run(call('echo', 1)));
    expect(await failureOf(pool.run(call('echo', 1)))).toBe(
      `content: ${MAX_WAITING_PARSES} bodies wait to be parsed already`,
    );
    expect(await bad).toContain('is parsed in 300 ms');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([1]));
  });
});
