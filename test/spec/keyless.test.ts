import { request } from 'undici';
import { expect, test, vi } from 'vitest';
import {
  keylessAddresses,
  POSTED,
  POSTED_HEADERS,
} from '../../faults/service/keyless-addresses.ts';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { openJobs } from '../../src/core/capability.ts';
import { demonstrationTexts } from '../../src/core/cli/added.ts';
import { readConfig } from '../../src/core/config.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { WrittenBody } from '../../src/core/http/framework/encoding/written-answer.ts';
import {
  LongAnswers,
  MAX_LONG_PER_ADDRESS,
  MAX_LONG_WITHOUT_KEY,
} from '../../src/core/http/pipeline/long-answers.ts';
import { allRoutes } from '../../src/core/http/serving/routes.ts';
import { iso, official, quote } from '../harness/make.ts';
import { head, sendBytesAndEnd } from '../harness/raw-http.ts';
import { START, sharedService } from '../harness/service.ts';

/** Requests without a key: what they may take of the service (contract §14). */

const KEYLESS_ADDRESSES = keylessAddresses(START);
const CLIENTS = 4;
const REQUESTS = 24;
/** An answer of more bytes is made once for all, or in its client's turn. */
const LARGE_BYTES = 16 * 1024;
/** There is no such file. */
const ABSENT = ['/assets/:file'];
/** Of those made once: each language, chosen or not. */
const FORMS = 4;

/** All addresses that a service may have without a key. */
const OPEN = { added: { ...demonstrationTexts(CAPABILITIES), VESFX_COMPAT_OPEN: '1' } };

const service = sharedService(
  async ({ push }) => {
    const days = Array.from({ length: 40 }, (_, day) => iso(START - day * DAY_MS));
    const rates = { USD: 790, EUR: 900 };
    await push(
      ...days.map((at) => official(at.slice(0, 10), rates, { captured_at: at })),
      ...days.flatMap((at) =>
        ['parallel', 'binance'].map((market) =>
          quote(market, 880, { ask: 881, bid: 879, updated_at: at, captured_at: at }),
        ),
      ),
    );
  },
  { config: { ...OPEN, trustProxy: true } },
);

test('every address without a key has a row in the table', async () => {
  const { service: services, clock, log } = service();
  const config = { ...readConfig({}, {}), ...OPEN };
  const edition = () => services;
  const jobs = await openJobs(CAPABILITIES, {
    ...{ ...services, config, clock, log, edition },
    lease: () => undefined,
  });
  const parts = { config, services, serve: await jobs.serve() };
  const { endpoints, pages } = listed(parts);
  const open = endpoints.filter(({ access }) => access === 'open' || access === 'optional');
  // A stream is no answer that ends: the tests of its capability limit it.
  const ending = open.filter(({ streams }) => streams !== true);
  const paths = new Set([...ending, ...pages].map(({ path }) => path));
  expect(Object.keys(KEYLESS_ADDRESSES).sort()).toEqual([...paths].sort());
});

/** The cast is safe: the routes are listed and none is called. */
function listed(parts: object) {
  const uncalled = () => {
    throw new Error('no route is called');
  };
  return allRoutes(parts as Parameters<typeof allRoutes>[0], {
    metrics: uncalled,
    publicUrl: uncalled,
    isClosing: uncalled,
    ask: uncalled,
  });
}

/** A request of a client that is still there for its answer. */
async function stay(target: string, client: string, posted: string | undefined) {
  const headers = { 'X-Forwarded-For': client, 'Accept-Encoding': 'gzip' };
  const sent =
    posted === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, ...POSTED_HEADERS }, body: posted };
  const { statusCode, body } = await request(service().url + target, sent);
  return { status: statusCode, text: await body.text() };
}

/** One whose client closes its side at once: the service cannot tell it from one that has left. */
async function leave(target: string, client: string, posted: string | undefined) {
  const fields = Object.entries({
    'X-Forwarded-For': client,
    ...(posted !== undefined && { ...POSTED_HEADERS, 'Content-Length': posted.length }),
  });
  const asked = head(
    `${posted === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    fields.map(([name, value]) => `${name}: ${value}`),
  );
  const [reply] = await sendBytesAndEnd(service(), asked + (posted ?? ''));
  return { status: reply?.status, text: reply?.body ?? '' };
}

/** The answers to many requests at once, and the turns that each client had at once. */
async function burst(path: string, askFor: (n: number) => string, ask: typeof stay | typeof leave) {
  let turns = 0;
  const atOnce = new Map<string, number>();
  const most = { ofOne: 0, ofAll: 0 };
  const make = LongAnswers.prototype.make;
  const spied = vi.spyOn(LongAnswers.prototype, 'make').mockImplementation(function (
    this: LongAnswers,
    asker,
    work,
  ) {
    // The service asks itself for the samples of its documents: that is no turn of a client.
    if (!asker.id.includes('198.51.')) return make.call(this, asker, work) as never;
    return make.call(this, asker, async () => {
      turns += 1;
      const count = (change: number) => atOnce.set(asker.id, (atOnce.get(asker.id) ?? 0) + change);
      count(1);
      const running = [...atOnce.values()];
      most.ofOne = Math.max(most.ofOne, ...running);
      most.ofAll = Math.max(
        most.ofAll,
        running.reduce((sum, one) => sum + one, 0),
      );
      try {
        return await work();
      } finally {
        count(-1);
      }
    }) as never;
  });
  const bodies = vi.spyOn(WrittenBody.prototype, 'coded').mockReturnValue(undefined);
  const row = Object.keys(KEYLESS_ADDRESSES).indexOf(path);
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, n) =>
      ask(askFor(n), `198.51.${row}.${n % CLIENTS}`, POSTED[path]),
    ),
  );
  const made = [...new Set(bodies.mock.contexts)];
  spied.mockRestore();
  bodies.mockRestore();
  return {
    answers,
    turns,
    most,
    made: made.filter((one) => one instanceof WrittenBody && one.bytes.length > LARGE_BYTES),
  };
}

test.each(Object.entries(KEYLESS_ADDRESSES))(
  'contract §14: %s makes a large answer once for all, or in one turn each: two at once for an address',
  async (path, askFor) => {
    const { answers, turns, most, made } = await burst(path, askFor, stay);
    const statuses = [...new Set(answers.map(({ status }) => status))];
    expect(statuses).toEqual([ABSENT.includes(path) ? 404 : 200]);
    expect(most.ofOne).toBeLessThanOrEqual(MAX_LONG_PER_ADDRESS);
    expect(most.ofAll).toBeLessThanOrEqual(MAX_LONG_WITHOUT_KEY);
    // What waits for a second turn is kept meanwhile, for all requests of a burst together.
    expect(turns).toBeLessThanOrEqual(REQUESTS);
    expect(made.length - turns).toBeLessThanOrEqual(FORMS);
    const large = answers.map(({ text }) => text).filter((text) => text.length > LARGE_BYTES);
    expect(new Set(large).size - turns).toBeLessThanOrEqual(FORMS);
  },
);

test.each(Object.entries(KEYLESS_ADDRESSES))(
  'contract §14: %s makes nothing in a turn for clients that have left',
  async (path, askFor) => {
    const { turns } = await burst(path, askFor, leave);
    expect(turns).toBe(0);
  },
);
