import { describe, expect, test } from 'vitest';
import { day } from '../../testkit/day.ts';
import { bank, FRIDAY, THURSDAY, TUESDAY } from '../harness/bank-figures.ts';
import { ACCEPTED, HELD, judging, publicationsOn } from '../harness/judging.ts';
import { official } from '../harness/make.ts';

type Rates = Partial<typeof TUESDAY>;

/** A devaluation: every figure 30 percent higher. */
const JUMP = bank(601.4693);
/** Another page, without doubts of its own. */
const OTHER = bank(463.1687);
const NEXT = '2026-11-24';
const HEARD = { accepted: 0, held: 0, refused: 0, duplicate: 1 };
const EVE = ['03:00', '03:10', '03:20', '03:30'].map((time) => `2026-11-24T${time}:00Z`);

async function witnessed() {
  const found = await judging();
  const { service, store, ingestAll } = found;
  await found.page('2026-11-18T20:00:00Z', '2026-11-19', THURSDAY);
  await found.page('2026-11-19T20:00:00Z', '2026-11-20', FRIDAY);
  async function witness(time: string, valueDate: string, rates: Rates, source = 'relay') {
    service.clock.set(Date.parse(time));
    const record = official(valueDate, rates, { captured_at: time });
    return ingestAll([record], { source, isWitness: true });
  }
  return {
    ...found,
    /** What a witness shows at that time. */
    witness,
    /** What two of different origins show. */
    async witnesses(time: string, valueDate: string, rates: Rates) {
      for (const source of ['relay', 'other-relay']) await witness(time, valueDate, rates, source);
    },
    /** The dollar stored for the next value date, whether it is in force or not. */
    async next(market = 'reference') {
      const rate = await store.officialRateUpTo(market, day(NEXT));
      return rate?.effectiveDate === NEXT ? rate.mid : undefined;
    },
  };
}

/** How the rates of a page for the next value date are announced, since its first reading. */
const doubtful = (rates: typeof TUESDAY, reason: string) =>
  Object.entries(rates).map(([currency, rate]) => ({
    ...{ currency, value_date: NEXT, rate, reasons: [reason] },
    since: '2026-11-20T20:00:00.000Z',
  }));

describe('a witness of the official rate (contract §8)', () => {
  test('publishes nothing, and its newest reading of each value date is kept', async () => {
    const { witness, store, next } = await witnessed();
    expect(await witness('2026-11-20T19:00:00Z', NEXT, { USD: 1 })).toEqual(HEARD);
    expect(await witness('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(HEARD);
    expect(await next()).toBeUndefined();
    expect(await store.listPublications({ limit: 10 })).toHaveLength(2);
    const [{ words } = { words: [] }] = await store.witnessedDates(day(NEXT), day(NEXT));
    expect(words).toEqual([
      {
        source: 'relay',
        valueDate: NEXT,
        rates: TUESDAY,
        capturedAt: Date.parse('2026-11-20T20:00:00Z'),
      },
    ]);
  });

  test('is refused what is no publication', async () => {
    const { ingestAll } = await witnessed();
    const bad = { kind: 'quote', market: 'parallel', mid: 700 };
    await expect(ingestAll([bad], { source: 'relay', isWitness: true })).rejects.toThrow(
      'a witness gives publications of the central bank',
    );
  });

  test('read after it: the held page is published in that reading', async () => {
    const { witness, page, next, reasons } = await witnessed();
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
    expect(await page('2026-11-20T20:10:00Z', NEXT, JUMP)).toEqual(HELD);
    expect(await witness('2026-11-20T20:14:00Z', NEXT, JUMP)).toEqual(HEARD);
    expect([await next(), await reasons()]).toEqual([JUMP.USD, []]);
  });

  test.each([
    ['an hour before', '2026-11-20T19:00:00Z', ACCEPTED],
    ['a second more', '2026-11-20T18:59:59Z', HELD],
  ])('agrees with a page if it was read %s at most', async (_, time, counts) => {
    const { witness, page } = await witnessed();
    await witness(time, NEXT, JUMP);
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(counts);
  });

  test.each([
    ['0.1 percent apart', { ...JUMP, USD: 602.0707 }, ACCEPTED],
    ['further apart', { ...JUMP, USD: 602.0708 }, HELD],
    ['further apart in another currency', { ...JUMP, CNY: 87.33 }, HELD],
    ['without the dollar', { EUR: JUMP.EUR }, HELD],
    ['with dollar and euro alone', { USD: JUMP.USD, EUR: JUMP.EUR }, ACCEPTED],
    ['with the dollar alone', { USD: JUMP.USD }, ACCEPTED],
  ])('%s', async (_, rates, counts) => {
    const { witness, page } = await witnessed();
    await witness('2026-11-20T19:30:00Z', NEXT, rates);
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(counts);
  });

  test('of another value date says nothing of the page', async () => {
    const { witness, page } = await witnessed();
    await witness('2026-11-20T19:30:00Z', '2026-11-20', JUMP);
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
  });

  test.each<[string, Rates, Rates, typeof HELD]>([
    ['figures_unrelated', { ...TUESDAY, EUR: 536.19422269 }, { USD: TUESDAY.USD }, HELD],
    ['figures_unrelated', { ...TUESDAY, EUR: 536.19422269 }, TUESDAY, HELD],
    [
      'figures_unrelated',
      { ...TUESDAY, EUR: 536.19422269 },
      { ...TUESDAY, EUR: 536.1942 },
      ACCEPTED,
    ],
    ['figure_repeated', { ...TUESDAY, EUR: FRIDAY.EUR }, { USD: TUESDAY.USD }, HELD],
    ['cross_moved', { ...TUESDAY, EUR: 500.1 }, { USD: TUESDAY.USD }, HELD],
    ['cross_moved', { ...TUESDAY, EUR: 500.1 }, { USD: TUESDAY.USD, EUR: 500.1 }, ACCEPTED],
    ['currency_lost', { USD: TUESDAY.USD, EUR: TUESDAY.EUR }, { USD: TUESDAY.USD }, HELD],
    ['currency_lost', { USD: TUESDAY.USD, EUR: TUESDAY.EUR }, TUESDAY, ACCEPTED],
  ])('overcomes %s only with the currencies that it is about', async (_, rates, shown, counts) => {
    const { witness, page } = await witnessed();
    await witness('2026-11-20T19:30:00Z', NEXT, shown);
    expect(await page('2026-11-20T20:00:00Z', NEXT, rates)).toEqual(counts);
  });

  test('and another of another origin keep out a page without doubts that they contradict, until one agrees', async () => {
    const { witnesses, witness, page, next, reasons } = await witnessed();
    await witnesses('2026-11-20T19:50:00Z', NEXT, { USD: 463.2 });
    expect(await page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(HELD);
    expect(await reasons()).toEqual(['witness_differs']);
    for (const time of ['20:30', '20:40', '20:50']) {
      await witnesses(`2026-11-20T${time}:00Z`, NEXT, { USD: 463.2 });
      expect(await page(`2026-11-20T${time}:30Z`, NEXT, TUESDAY)).toEqual(HELD);
    }
    await witness('2026-11-20T21:00:00Z', NEXT, TUESDAY, 'third-relay');
    expect(await next()).toBe(TUESDAY.USD);
  });

  test.each([
    ['one witness', ['relay'], ACCEPTED],
    ['two that relay one origin', ['relay', 'relay-mirror'], ACCEPTED],
    ['two of different origins', ['relay', 'other-relay'], HELD],
    ['two against and one for it', ['relay', 'other-relay', 'right'], ACCEPTED],
  ])('a page without doubts beside %s', async (_, sources, counts) => {
    const { witness, page, next } = await witnessed();
    for (const source of sources) {
      const shown = source === 'right' ? TUESDAY : { USD: 463.2 };
      await witness('2026-11-20T19:50:00Z', NEXT, shown, source);
    }
    expect(await page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(counts);
    expect(await next()).toBe(counts === HELD ? undefined : TUESDAY.USD);
  });

  test('adds its reason to a page that is doubtful for another one', async () => {
    const { witness, page, held } = await witnessed();
    await witness('2026-11-20T19:50:00Z', NEXT, TUESDAY);
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
    expect((await held())[0]?.reasons).toEqual(['moved', 'witness_differs']);
  });

  test.each([
    ['was read an hour before, it does not', '19:00:00', HELD],
    ['was read earlier, it does', '18:59:59', ACCEPTED],
    ['is within 0.1 percent of it, it does not', '19:30:00', ACCEPTED, 463.1313],
  ])(
    'and another contradict a page without doubts: when the last %s pass',
    async (_, time, counts, USD = 463.2) => {
      const { witness, page } = await witnessed();
      await witness('2026-11-20T19:30:00Z', NEXT, { USD: 463.2 }, 'other-relay');
      await witness(`2026-11-20T${time}Z`, NEXT, { USD });
      expect(await page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(counts);
    },
  );

  test('that is silent for more than an hour contradicts no longer', async () => {
    const { witness, page } = await witnessed();
    const jump = { USD: 601.4693, EUR: 696.9225 };
    await page('2026-11-20T20:00:00Z', NEXT, jump);
    await page('2026-11-20T20:10:00Z', NEXT, jump);
    await witness('2026-11-24T02:10:00Z', NEXT, { USD: TUESDAY.USD });
    expect(await page('2026-11-24T03:10:00Z', NEXT, jump)).toEqual(HELD);
    expect(await page('2026-11-24T03:10:01Z', NEXT, jump)).toEqual(ACCEPTED);
  });

  test('corrects a figure that is in force, and a date on which banks are closed', async () => {
    const { witness, page, service, mid, next } = await witnessed();
    expect(await page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(ACCEPTED);
    const other = { USD: 463.6687, EUR: 537.25292269 };
    expect(await page('2026-11-24T12:00:00Z', NEXT, other)).toEqual(HELD);
    await witness('2026-11-24T12:05:00Z', NEXT, { USD: other.USD });
    expect(await mid('reference')).toBe(TUESDAY.USD);
    await witness('2026-11-24T12:10:00Z', NEXT, other, 'other-relay');
    expect(await mid('reference')).toBe(TUESDAY.USD);
    service.clock.set(Date.parse('2026-11-24T12:20:00Z'));
    expect(await next()).toBe(TUESDAY.USD);
  });
});

describe('figures that no repetition makes believable (contract §8)', () => {
  const rounded = { USD: 0.4627, EUR: 0.5361, CNY: 0.0671, TRY: 0.0104, RUB: 0.0057 };

  test.each([
    ['a thousandth of all', bank(0.4627), HELD],
    ['over twice all', bank(925), HELD],
    ['over twice one of them', bank(905), HELD],
    ['less than twice each', bank(900), ACCEPTED],
    ['a thousandth, of a page that rounds', rounded, HELD],
  ])('%s: whether insistence releases it at 23:00', async (_, rates, counts) => {
    const { page } = await witnessed();
    for (const time of ['2026-11-20T20:00:00Z', '2026-11-20T20:10:00Z']) {
      expect(await page(time, NEXT, rates)).toEqual(HELD);
    }
    expect(await page('2026-11-24T03:00:00Z', NEXT, rates)).toEqual(counts);
  });
});

describe('a page in the night (contract §8)', () => {
  async function changed() {
    const found = await witnessed();
    expect(await found.page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(ACCEPTED);
    return found;
  }

  test('after 23:00 of the eve repetition changes nothing, a witness does', async () => {
    const { page, next, witness } = await changed();
    expect(await page('2026-11-24T02:49:00Z', NEXT, OTHER)).toEqual(HELD);
    expect(await page('2026-11-24T02:55:00Z', NEXT, OTHER)).toEqual(HELD);
    for (const time of EVE) expect(await page(time, NEXT, OTHER)).toEqual(HELD);
    expect(await next()).toBe(TUESDAY.USD);
    await witness('2026-11-24T03:40:00Z', NEXT, OTHER);
    expect(await next()).toBe(OTHER.USD);
  });

  test('a changed figure that also moved too far is never published by repetition', async () => {
    const { page, next } = await changed();
    const times = ['2026-11-20T21:00:00Z', '2026-11-20T21:05:00Z', '2026-11-20T21:10:00Z'];
    for (const time of [...times, ...EVE]) expect(await page(time, NEXT, JUMP)).toEqual(HELD);
    expect(await next()).toBe(TUESDAY.USD);
  });

  async function replaced() {
    const found = await changed();
    for (const minute of ['00', '05', '10']) {
      await found.page(`2026-11-20T21:${minute}:00Z`, NEXT, OTHER);
    }
    expect(await found.next()).toBe(OTHER.USD);
    return found;
  }

  test.each([
    ['before', ['2026-11-20T23:00:00Z', '2026-11-20T23:05:00Z', '2026-11-20T23:10:00Z']],
    ['after 23:00', ['2026-11-24T03:00:00Z', '2026-11-24T03:10:00Z', '2026-11-24T03:20:00Z']],
    ['in force', ['2026-11-24T10:00:00Z', '2026-11-24T11:00:00Z', '2026-11-24T12:00:00Z']],
  ])(
    'a page that returns to the figures before them restores them by repetition: %s',
    async (_, times) => {
      const { page, next, store, get, service, mid } = await replaced();
      const [first, second, third] = times;
      expect(await page(first ?? '', NEXT, TUESDAY)).toEqual(HELD);
      expect(await page(second ?? '', NEXT, TUESDAY)).toEqual(HELD);
      expect(await next()).toBe(OTHER.USD);
      expect(await page(third ?? '', NEXT, TUESDAY)).toEqual(ACCEPTED);
      expect(await next()).toBe(TUESDAY.USD);
      const listed = await publicationsOn(store, NEXT);
      expect(
        new Set(listed.filter(({ rates }) => rates.USD === OTHER.USD).map(({ state }) => state)),
      ).toEqual(new Set(['withdrawn']));
      service.clock.set(Date.parse('2026-11-24T13:00:00Z'));
      expect(await mid('reference')).toBe(TUESDAY.USD);
      expect(await mid('eur_reference')).toBe(TUESDAY.EUR);
      expect((await get('bcv/currencies')).rates.EUR).toBe(TUESDAY.EUR);
      // As if the wrong page had never been shown.
      const { points } = await get('rates/reference/history?granularity=raw');
      const restored = points.find(({ rate }: { rate: number }) => rate === TUESDAY.USD);
      expect(restored.captured_at).toBe('2026-11-24T04:00:00.000Z');
      expect(points.map(({ rate }: { rate: number }) => rate)).not.toContain(OTHER.USD);
      expect(await store.check()).toEqual([]);
    },
  );

  test('a witness releases a page that was shown once, although its site shows the one before again', async () => {
    const { page, witness, next } = await witnessed();
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
    expect(await page('2026-11-20T20:10:00Z', '2026-11-20', FRIDAY)).toEqual(HEARD);
    await witness('2026-11-20T20:20:00Z', NEXT, JUMP);
    expect(await next()).toBe(JUMP.USD);
  });

  test('repeated readings of a page do not publish another one that was shown once', async () => {
    const { page, next } = await witnessed();
    for (const minute of ['00', '10', '20']) {
      expect(await page(`2026-11-24T02:${minute}:00Z`, NEXT, JUMP)).toEqual(HELD);
    }
    expect(await page('2026-11-24T03:00:00Z', NEXT, bank(615.35))).toEqual(HELD);
    for (const minute of ['10', '20']) await page(`2026-11-24T03:${minute}:00Z`, NEXT, JUMP);
    expect(await next()).toBeUndefined();
    expect(await page('2026-11-24T03:30:00Z', NEXT, JUMP)).toEqual(ACCEPTED);
    expect(await next()).toBe(JUMP.USD);
  });

  test('figures that a returning page withdrew come back when a witness has them, also after midnight', async () => {
    const { page, witness, next } = await changed();
    const show = async (times: readonly string[], rates: typeof TUESDAY) => {
      for (const time of times) await page(time, NEXT, rates);
      return next();
    };
    const evening = ['21:00', '21:10', '21:20'].map((time) => `2026-11-20T${time}:00Z`);
    expect(await show(evening, OTHER)).toBe(OTHER.USD);
    const morning = ['10:00', '10:10', '10:20'].map((time) => `2026-11-24T${time}:00Z`);
    expect(await show(morning, TUESDAY)).toBe(TUESDAY.USD);
    expect(await show(['2026-11-24T11:00:00Z'], OTHER)).toBe(TUESDAY.USD);
    await witness('2026-11-24T11:05:00Z', NEXT, OTHER);
    expect(await show(['2026-11-24T11:10:00Z'], OTHER)).toBe(OTHER.USD);
  });

  test('a page may return twice: the figures that it shows at last are in force', async () => {
    const { page, next, service, mid } = await changed();
    for (const [hour, rates] of [
      ['21', OTHER],
      ['22', TUESDAY],
      ['23', OTHER],
    ] as const) {
      for (const minute of ['00', '05', '10']) {
        await page(`2026-11-20T${hour}:${minute}:00Z`, NEXT, rates);
      }
      expect(await next()).toBe(rates.USD);
    }
    service.clock.set(Date.parse('2026-11-24T04:00:00Z'));
    expect(await mid('reference')).toBe(OTHER.USD);
  });

  test('a page that rounds the figures that are published replaces nothing, also beside a witness', async () => {
    const { page, witness, next, store } = await witnessed();
    await page('2026-11-20T20:00:00Z', NEXT, TUESDAY);
    await witness('2026-11-20T20:10:00Z', NEXT, TUESDAY);
    const rounded = { ...TUESDAY, EUR: 536.0942, CNY: 67.103, TRY: 10.4333, RUB: 5.7263 };
    const digitLess = { ...TUESDAY, RUB: 5.7263245 };
    for (const rates of [rounded, digitLess]) {
      expect(await page('2026-11-20T20:20:00Z', NEXT, rates)).toEqual(HEARD);
    }
    expect(await next('eur_reference')).toBe(TUESDAY.EUR);
    expect(await publicationsOn(store, NEXT)).toHaveLength(1);
    const other = { ...rounded, RUB: 5.7262 };
    expect(await page('2026-11-20T20:30:00Z', NEXT, other)).toEqual(HELD);
  });

  test('figures that both pages have stay', async () => {
    const { page, next } = await changed();
    const pages = { wrong: { ...TUESDAY, EUR: 536.55689139 }, right: TUESDAY };
    for (const [name, hour] of [
      ['wrong', '21'],
      ['right', '22'],
    ] as const) {
      for (const minute of ['00', '05', '10']) {
        await page(`2026-11-20T${hour}:${minute}:00Z`, NEXT, pages[name]);
      }
      expect([await next(), await next('eur_reference')]).toEqual([TUESDAY.USD, pages[name].EUR]);
    }
  });

  test('a witness that shows them restores them at once, and one that contradicts keeps them out', async () => {
    const agreed = await replaced();
    await agreed.page('2026-11-24T10:00:00Z', NEXT, TUESDAY);
    await agreed.witness('2026-11-24T10:10:00Z', NEXT, TUESDAY);
    expect(await agreed.next()).toBe(TUESDAY.USD);
    const contradicted = await replaced();
    for (const time of ['10:00', '10:20', '10:40']) {
      await contradicted.witness(`2026-11-24T${time}:00Z`, NEXT, OTHER);
      expect(await contradicted.page(`2026-11-24T${time}:30Z`, NEXT, TUESDAY)).toEqual(HELD);
    }
    expect(await contradicted.next()).toBe(OTHER.USD);
  });
});

describe('a rate that is not confirmed (contract §8)', () => {
  async function doubted() {
    const found = await witnessed();
    found.service.clock.set(Date.parse('2026-11-20T19:59:00Z'));
    expect(await found.get('official')).not.toHaveProperty('in_doubt');
    expect(await found.page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
    expect(await found.page('2026-11-20T20:10:00Z', NEXT, JUMP)).toEqual(HELD);
    return found;
  }

  test('is announced beside the rates from its first reading on, with every reason', async () => {
    const { get, page } = await doubted();
    const { in_doubt: rates } = await get('official');
    expect(rates).toEqual(doubtful(JUMP, 'moved'));
    await page('2026-11-20T20:20:00Z', NEXT, { USD: JUMP.USD, EUR: 600.1 });
    const [dollar, euro] = (await get('official')).in_doubt;
    expect(dollar.reasons).toEqual(['moved', 'cross_moved', 'currency_lost']);
    expect([euro.rate, euro.since]).toEqual([600.1, '2026-11-20T20:20:00.000Z']);
  });

  test('is no longer announced once a witness, the page or the operator has decided', async () => {
    const confirmed = await doubted();
    await confirmed.witness('2026-11-20T20:15:00Z', NEXT, JUMP);
    await confirmed.service.service.changePoller.poll();
    expect(await confirmed.get('official')).toMatchObject({
      rates: { USD: { next: { rate: JUMP.USD } } },
    });
    expect(await confirmed.get('official')).not.toHaveProperty('in_doubt');
    const corrected = await doubted();
    expect(await corrected.page('2026-11-20T20:20:00Z', NEXT, TUESDAY)).toEqual(ACCEPTED);
    expect(await corrected.get('official')).not.toHaveProperty('in_doubt');
    const rejected = await doubted();
    for (const { id } of await rejected.held()) await rejected.store.rejectHeld(id);
    await rejected.service.service.changePoller.poll();
    expect(await rejected.get('official')).not.toHaveProperty('in_doubt');
  });

  test('is announced after midnight while its value date is not in force', async () => {
    const { page, get } = await doubted();
    const repeated = { ...TUESDAY, EUR: FRIDAY.EUR };
    expect(await page('2026-11-24T12:00:00Z', NEXT, repeated)).toEqual(HELD);
    expect((await get('official')).in_doubt).toHaveLength(5);
    expect((await get('official')).rates.USD.in_force.value_date).toBe('2026-11-20');
  });
});

describe('witnesses that contradict a publication to come after it was published (contract §8)', () => {
  const ON_EVE = '2026-11-20T20:30:00Z';

  async function published(rates: Rates = OTHER) {
    const found = await witnessed();
    expect(await found.page('2026-11-20T20:00:00Z', NEXT, rates)).toEqual(ACCEPTED);
    return found;
  }

  async function refuted() {
    const found = await published();
    await found.witnesses(ON_EVE, NEXT, TUESDAY);
    return found;
  }

  test('withdraw it if their origins differ, and it is announced as not confirmed', async () => {
    const { next, store, get, reasons, held } = await refuted();
    expect([await next(), await next('eur_reference')]).toEqual([undefined, undefined]);
    expect((await publicationsOn(store, NEXT)).map(({ state }) => state)).toEqual(['withdrawn']);
    expect([await reasons(), (await held())[0]?.source]).toEqual([
      ['witness_differs'],
      'bcv-official',
    ]);
    const { in_doubt: inDoubt, rates } = await get('official');
    expect(inDoubt[0]).toMatchObject({
      currency: 'USD',
      value_date: NEXT,
      rate: OTHER.USD,
      reasons: ['witness_differs'],
    });
    expect(rates.USD).not.toHaveProperty('next');
    expect(await store.check()).toEqual([]);
  });

  test('its page is held while they contradict, and published once one agrees', async () => {
    const { page, witness, next } = await refuted();
    expect(await page('2026-11-20T20:40:00Z', NEXT, OTHER)).toEqual(HELD);
    expect(await page('2026-11-20T20:50:00Z', NEXT, OTHER)).toEqual(HELD);
    expect(await next()).toBeUndefined();
    await witness('2026-11-20T21:00:00Z', NEXT, OTHER);
    expect(await next()).toBe(OTHER.USD);
  });

  test('its page is published again once they have been silent for an hour', async () => {
    const { page, next } = await refuted();
    expect(await page('2026-11-20T21:30:00Z', NEXT, OTHER)).toEqual(HELD);
    expect(await page('2026-11-20T21:30:01Z', NEXT, OTHER)).toEqual(ACCEPTED);
    expect(await next()).toBe(OTHER.USD);
  });

  test('the page with the figures of the witness takes its place at once', async () => {
    const { page, next, witness } = await refuted();
    expect(await page('2026-11-20T20:40:00Z', NEXT, TUESDAY)).toEqual(ACCEPTED);
    expect(await next()).toBe(TUESDAY.USD);
    await witness('2026-11-20T20:50:00Z', NEXT, TUESDAY);
    expect(await next()).toBe(TUESDAY.USD);
  });

  test('with the figures of a held correction publish that one, and the earlier stays as replaced', async () => {
    const { page, witness, next, store, reasons } = await published(TUESDAY);
    expect(await page('2026-11-20T20:10:00Z', NEXT, OTHER)).toEqual(HELD);
    await witness(ON_EVE, NEXT, OTHER);
    expect([await next(), await reasons()]).toEqual([OTHER.USD, []]);
    const stored = await publicationsOn(store, NEXT);
    const states = Object.fromEntries(stored.map(({ rates, state }) => [rates.USD, state]));
    expect(states).toEqual({ [TUESDAY.USD]: 'replaced', [OTHER.USD]: 'published' });
  });

  test('publish what it had replaced, if they show that', async () => {
    const { page, witness, next, store, held, get } = await published(TUESDAY);
    for (const minute of ['10', '20', '30']) await page(`2026-11-20T20:${minute}:00Z`, NEXT, OTHER);
    expect(await next()).toBe(OTHER.USD);
    // Repetition alone had released it, so one is enough.
    await witness('2026-11-20T20:40:00Z', NEXT, TUESDAY);
    expect(await next()).toBe(TUESDAY.USD);
    expect(await page('2026-11-20T20:50:00Z', NEXT, TUESDAY)).toMatchObject({ duplicate: 1 });
    expect((await held()).map(({ record }) => record['rates'])).toEqual([OTHER]);
    expect((await publicationsOn(store, NEXT)).map(({ state }) => state)).toContain('published');
    expect((await get('official')).rates.USD.next.rate).toBe(TUESDAY.USD);
    expect(await store.check()).toEqual([]);
  });

  test('leave one with which another witness agrees, and one that is in force', async () => {
    const { witness, witnesses, next } = await published();
    await witness('2026-11-20T20:20:00Z', NEXT, OTHER, 'third-relay');
    await witnesses(ON_EVE, NEXT, TUESDAY);
    expect(await next()).toBe(OTHER.USD);
    const late = await published();
    await late.witnesses('2026-11-24T04:00:00Z', NEXT, TUESDAY);
    expect(await late.next()).toBe(OTHER.USD);
    const eve = await published();
    await eve.witnesses('2026-11-24T03:59:59Z', NEXT, TUESDAY);
    expect(await eve.next()).toBeUndefined();
  });

  test.each([
    ['to come', '2026-11-20T20:20:00Z'],
    ['in force', '2026-11-24T07:30:00Z'],
  ])('leave one %s that as many origins show as another page', async (_, time) => {
    const { page, witness, next } = await witnessed();
    await page('2026-11-20T20:00:00Z', NEXT, TUESDAY);
    await witness(time, NEXT, TUESDAY);
    await witness(time, NEXT, OTHER, 'other-relay');
    // It relays the one that agrees.
    await witness(time, NEXT, TUESDAY, 'relay-mirror');
    expect(await page(time, NEXT, OTHER)).toEqual(HELD);
    expect(await next()).toBe(TUESDAY.USD);
    await witness(time, NEXT, OTHER, 'third-relay');
    expect(await next()).toBe(OTHER.USD);
  });

  test('withdraw one that a witness released and no longer shows', async () => {
    const { page, witness, next, get } = await witnessed();
    await page('2026-11-20T20:00:00Z', NEXT, JUMP);
    await witness('2026-11-20T20:10:00Z', NEXT, JUMP);
    expect(await next()).toBe(JUMP.USD);
    await witness('2026-11-20T20:20:00Z', NEXT, TUESDAY);
    expect([await next(), (await get('official')).in_doubt?.[0]?.reasons]).toEqual([
      JUMP.USD,
      ['witness_differs'],
    ]);
    await witness('2026-11-20T20:30:00Z', NEXT, TUESDAY, 'other-relay');
    expect(await next()).toBeUndefined();
  });

  test('leave one that the operator gave or released', async () => {
    const given = await witnessed();
    const captured = { captured_at: '2026-11-20T19:30:00Z' };
    given.service.clock.set(Date.parse('2026-11-20T20:00:00Z'));
    await given.ingestAll([official(NEXT, OTHER, captured)], { source: 'operator' });
    expect(await given.next()).toBe(OTHER.USD);
    await given.witnesses(ON_EVE, NEXT, TUESDAY);
    expect(await given.next()).toBe(OTHER.USD);
    const { ingest, held, witnesses, next, get } = await refuted();
    for (const { id } of await held()) await ingest.release(id);
    await witnesses('2026-11-20T20:40:00Z', NEXT, TUESDAY);
    expect(await next()).toBe(OTHER.USD);
    for (const answer of [await given.get('official'), await get('official')]) {
      expect(answer).not.toHaveProperty('in_doubt');
    }
  });
});

describe('a publication that one witness contradicts (contract §8)', () => {
  /** The value date is in force; the last word of the witness counts until an hour later. */
  const IN_FORCE = '2026-11-24T12:00:00Z';

  async function marked(at = '2026-11-20T20:30:00Z') {
    const found = await witnessed();
    expect(await found.page('2026-11-20T20:00:00Z', NEXT, OTHER)).toEqual(ACCEPTED);
    await found.witness(at, NEXT, { USD: TUESDAY.USD, EUR: TUESDAY.EUR });
    const { service, get } = found;
    const key = await service.keyFor('Escala');
    async function isInDoubt(market: string) {
      const path = `/v1/fx/rates/${market}?details=true`;
      const { json, headers } = await service.call(path, { key });
      expect(headers.get('X-Vesfx-In-Doubt')).toBe(json.in_doubt === true ? market : null);
      return json.in_doubt === true;
    }
    return {
      ...found,
      isInDoubt,
      /** The currencies that are listed as in doubt. */
      listed: async () =>
        ((await get('official')).in_doubt ?? []).map((one: { currency: string }) => one.currency),
      setClock: (time: string) => service.clock.set(Date.parse(time)),
    };
  }

  const ALL = ['USD', 'EUR', 'CNY', 'TRY', 'RUB'];

  test('to come is published, and listed as in doubt with all its figures', async () => {
    const { next, get, held, isInDoubt } = await marked();
    expect([await next(), await held()]).toEqual([OTHER.USD, []]);
    const { in_doubt: inDoubt, rates } = await get('official');
    expect(rates.USD.next).toMatchObject({ rate: OTHER.USD, value_date: NEXT });
    expect(inDoubt).toEqual(doubtful(OTHER, 'witness_differs'));
    // The rate in force is another one.
    expect(await isInDoubt('reference')).toBe(false);
  });

  test('read after the witness is marked from its first reading on', async () => {
    const { witness, page, get } = await witnessed();
    await witness('2026-11-20T19:50:00Z', NEXT, TUESDAY);
    expect(await page('2026-11-20T20:00:00Z', NEXT, OTHER)).toEqual(ACCEPTED);
    expect((await get('official')).in_doubt).toHaveLength(5);
  });

  test.each([
    ['without the currency in question does not end', { USD: OTHER.USD, EUR: OTHER.EUR }, 5],
    ['with the currency in question ends', OTHER, 0],
  ])('another witness %s the mark', async (_, shown, left) => {
    const { witness, page, get } = await witnessed();
    expect(await page('2026-11-20T20:00:00Z', NEXT, OTHER)).toEqual(ACCEPTED);
    await witness('2026-11-20T20:10:00Z', NEXT, { ...OTHER, TRY: OTHER.TRY * 1.02 });
    expect((await get('official')).in_doubt).toHaveLength(5);
    await witness('2026-11-20T20:20:00Z', NEXT, shown, 'other-relay');
    expect((await get('official')).in_doubt ?? []).toHaveLength(left);
  });

  test('in force makes the quotes of its markets doubtful, and what rests on them', async () => {
    const { isInDoubt, listed, get, service } = await marked(IN_FORCE);
    expect([await isInDoubt('reference'), await isInDoubt('eur_reference')]).toEqual([true, true]);
    expect(await listed()).toEqual(ALL);
    expect((await get('official')).rates.USD.in_force.rate).toBe(OTHER.USD);
    const key = await service.keyFor('Escala');
    const { headers } = await service.call('/v1/fx/convert?from=USD&to=VES&amount=1', { key });
    expect(headers.get('X-Vesfx-In-Doubt')).toBe('reference');
  });

  test('marked before midnight stays marked in force as long as the witness repeats it', async () => {
    const { witness, isInDoubt, listed, setClock } = await marked('2026-11-24T03:50:00Z');
    setClock('2026-11-24T04:00:00Z');
    expect([await isInDoubt('reference'), await listed()]).toEqual([true, ALL]);
    await witness('2026-11-24T04:40:00Z', NEXT, TUESDAY);
    setClock('2026-11-24T05:40:00Z');
    expect(await isInDoubt('reference')).toBe(true);
  });

  test.each([
    ['for an hour', '2026-11-24T13:00:00.000Z', true],
    ['for a moment longer', '2026-11-24T13:00:00.001Z', false],
  ])('is in doubt while the witness is silent %s', async (_, time, isMarked) => {
    const { isInDoubt, listed, setClock } = await marked(IN_FORCE);
    expect(await isInDoubt('reference')).toBe(true);
    setClock(time);
    expect([await isInDoubt('reference'), await listed()]).toEqual([isMarked, isMarked ? ALL : []]);
  });

  test.each([
    ['this witness', 'relay'],
    ['another one', 'other-relay'],
  ])('is in doubt no longer when %s agrees', async (_, source) => {
    const { isInDoubt, witness, listed } = await marked(IN_FORCE);
    await witness('2026-11-24T12:10:00Z', NEXT, OTHER, source);
    expect([await isInDoubt('reference'), await listed()]).toEqual([false, []]);
  });

  test('is in doubt again when the one that agreed is silent and the other is not', async () => {
    const { isInDoubt, witness, setClock } = await marked(IN_FORCE);
    await witness('2026-11-24T12:10:00Z', NEXT, OTHER, 'other-relay');
    await witness('2026-11-24T12:40:00Z', NEXT, TUESDAY);
    expect(await isInDoubt('reference')).toBe(false);
    setClock('2026-11-24T13:10:00.001Z');
    expect(await isInDoubt('reference')).toBe(true);
  });

  test('within 0.1 percent of the witness is not in doubt', async () => {
    const { page, witness, get } = await witnessed();
    await page('2026-11-20T20:00:00Z', NEXT, TUESDAY);
    await witness('2026-11-20T20:10:00Z', NEXT, { USD: 463.1313 });
    expect(await get('official')).not.toHaveProperty('in_doubt');
    await witness('2026-11-20T20:20:00Z', NEXT, { USD: 463.1314 });
    expect((await get('official')).in_doubt).toHaveLength(5);
  });

  test('once the operator gave its figures is in doubt no longer', async () => {
    const { ingestAll, listed, isInDoubt } = await marked(IN_FORCE);
    const captured = { captured_at: '2026-11-24T12:00:00Z' };
    await ingestAll([official(NEXT, OTHER, captured)], { source: 'operator', trust: true });
    expect([await isInDoubt('reference'), await listed()]).toEqual([false, []]);
  });

  test('is no longer listed when the next value date is in force', async () => {
    const { page, witness, listed, setClock } = await marked(IN_FORCE);
    await page('2026-11-24T20:00:00Z', '2026-11-25', bank(464.2));
    await witness('2026-11-25T03:50:00Z', NEXT, TUESDAY);
    expect(await listed()).toEqual(ALL);
    setClock('2026-11-25T04:00:00Z');
    expect(await listed()).toEqual([]);
  });

  test('is in doubt without the second of two witnesses that had withdrawn it', async () => {
    const { witness, page, next, listed, setClock } = await marked('2026-11-20T20:30:00Z');
    await witness('2026-11-20T20:40:00Z', NEXT, TUESDAY, 'other-relay');
    expect(await next()).toBeUndefined();
    setClock('2026-11-20T21:31:00Z');
    expect(await page('2026-11-20T21:31:00Z', NEXT, OTHER)).toEqual(ACCEPTED);
    expect([await next(), await listed()]).toEqual([OTHER.USD, ALL]);
  });
});
