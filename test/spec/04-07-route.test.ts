import { describe, expect, test } from 'vitest';
import { catalogueWith } from '../harness/catalogue.ts';
import {
  CASH,
  EXCHANGE_HOUSES,
  fullMarket,
  iso,
  official,
  P2P,
  quote,
  REMITTANCES,
} from '../harness/make.ts';
import {
  fault,
  type Reply,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const SECOND = 1_000;
const THERE = 'from=USD&to=VES';
const BACK = 'from=VES&to=USD';

function routeOn(service: TestService, key: string) {
  return (query: string): Promise<Reply> => service.call(`/v1/fx/route?${query}`, { key });
}

async function serving(records: object[]) {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  return { service, route: routeOn(service, await service.keyFor('Escala')) };
}

interface Entry {
  readonly market: string;
  readonly amount: number;
}

function ranking({ json }: Reply): string[] {
  const entries: Entry[] = [json.best, ...json.alternatives];
  return entries.map(({ market }) => market);
}

function reasons({ json }: Reply): Record<string, string> {
  const skipped: { market: string; reason: string }[] = json.skipped ?? [];
  return Object.fromEntries(skipped.map(({ market, reason }) => [market, reason]));
}

describe('§2.6 the route result', () => {
  test('§2.6 a route has every field, and each entry has its six', async () => {
    const { service, route } = await serving([
      official('2026-11-20', { USD: 800, EUR: 900 }),
      quote('binance', 850.25, { updated_at: iso(START - 60 * SECOND) }),
    ]);
    service.clock.advance(5 * SECOND);
    await service.push(quote('cash', 840));
    const reply = await route(`${THERE}&amount=2`);
    expect(reply.status).toBe(200);
    const { skipped, ...rest } = reply.json;
    expect(rest).toEqual({
      from: { currency: 'USD', amount: 2 },
      direction: 'send',
      best: {
        market: 'binance',
        type: 'p2p',
        rate: 850.25,
        amount: 1700.5,
        updated_at: iso(START - 60 * SECOND),
        staleness_sec: 65,
      },
      alternatives: [
        {
          market: 'cash',
          type: 'cash',
          rate: 840,
          amount: 1680,
          updated_at: iso(START),
          staleness_sec: 5,
        },
      ],
      fetched_at: iso(START + 5 * SECOND),
    });
    expect(skipped.length).toBe(18 - 2);
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.6 alternatives is an empty list when one market is eligible', async () => {
    const { route } = await serving([quote('cash', 840)]);
    const { json } = await route(`${THERE}&amount=1`);
    expect([json.best.market, json.alternatives]).toEqual(['cash', []]);
  });

  test('§2.6 every market is either ranked or skipped, once', async () => {
    const { service, route } = await serving(fullMarket());
    const catalogue = await service.call('/v1/fx/markets', {
      key: await service.keyFor('Escala'),
    });
    const ids = catalogue.json.markets.map(({ id }: { id: string }) => id);
    for (const pair of [THERE, BACK]) {
      const reply = await route(`${pair}&amount=1`);
      expect([...ranking(reply), ...Object.keys(reasons(reply))].sort()).toEqual([...ids].sort());
    }
  });
});

describe('§4.7 ranking', () => {
  test('§4.7 USD to VES favours a higher mid', async () => {
    const { route } = await serving(fullMarket());
    const reply = await route(`${THERE}&amount=10`);
    expect(ranking(reply)).toEqual([...P2P, ...REMITTANCES, ...EXCHANGE_HOUSES, ...CASH].reverse());
    const amounts = [reply.json.best, ...reply.json.alternatives].map(({ amount }) => amount);
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(reply.json.best.amount).toBe(10 * reply.json.best.rate);
  });

  test('contract §2 a route ranks by mid, never by the rounded amounts', async () => {
    const { route } = await serving([
      quote('cash', 900, { updated_at: iso(START) }),
      quote('bingx', 852, { updated_at: iso(START - 10 * SECOND) }),
      quote('binance', 850, { updated_at: iso(START - 20 * SECOND) }),
    ]);
    const reply = await route(`${BACK}&amount=1`);
    const entries = [reply.json.best, ...reply.json.alternatives];
    expect(entries.map(({ rate, amount }) => [rate, amount])).toEqual([
      [850, 0],
      [852, 0],
      [900, 0],
    ]);
  });

  test('§4.7 VES to USD favours a lower mid and still ranks amounts from highest to lowest', async () => {
    const { route } = await serving(fullMarket());
    const reply = await route(`${BACK}&amount=1000000`);
    expect(ranking(reply)).toEqual([...P2P, ...EXCHANGE_HOUSES, ...CASH]);
    const amounts = [reply.json.best, ...reply.json.alternatives].map(({ amount }) => amount);
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(reply.json.best.amount).toBe(1175.09);
    expect(reply.json.from).toEqual({ currency: 'VES', amount: 1_000_000 });
  });

  test('§4.7 direction is echoed and reverses neither the conversion nor the ranking', async () => {
    const { route } = await serving(fullMarket());
    for (const pair of [THERE, BACK]) {
      const plain = await route(`${pair}&amount=7`);
      const send = await route(`${pair}&amount=7&direction=send`);
      const receive = await route(`${pair}&amount=7&direction=receive`);
      expect(plain.json.direction).toBe('send');
      expect(send.json).toEqual(plain.json);
      expect(receive.json).toEqual({ ...plain.json, direction: 'receive' });
    }
  });

  test('§4.7 a tie favours the more recent quote, in both directions', async () => {
    const at = (seconds: number) => ({ updated_at: iso(START - seconds * SECOND) });
    const { route } = await serving([
      quote('binance', 850, at(30)),
      quote('bingx', 850, at(10)),
      quote('bitget', 850, at(20)),
      quote('cash', 860, at(300)),
      quote('cucuta', 840, at(1)),
    ]);
    expect(ranking(await route(`${THERE}&amount=1`))).toEqual([
      'cash',
      'bingx',
      'bitget',
      'binance',
      'cucuta',
    ]);
    expect(ranking(await route(`${BACK}&amount=1000`))).toEqual([
      'cucuta',
      'bingx',
      'bitget',
      'binance',
      'cash',
    ]);
  });

  test('§4.7 a route ranks by mid, not by ask or bid', async () => {
    const { route } = await serving([
      quote('binance', 850, { ask: 990, bid: 710 }),
      quote('bingx', 851, { ask: 852, bid: 850 }),
    ]);
    expect(ranking(await route(`${THERE}&amount=1`))).toEqual(['bingx', 'binance']);
    expect(ranking(await route(`${BACK}&amount=1000`))).toEqual(['binance', 'bingx']);
  });

  test('contract §2 amounts are rounded half away from zero', async () => {
    const { route } = await serving([quote('cash', 1)]);
    expect((await route(`${THERE}&amount=1.005`)).json.best.amount).toBe(1.01);
    expect((await route(`${BACK}&amount=1.005`)).json.best.amount).toBe(1.01);
  });

  test('§4.7 a stale quote takes part unless max_staleness excludes it', async () => {
    const { service, route } = await serving([quote('binance', 850)]);
    service.clock.advance(901 * SECOND);
    const { json } = await route(`${THERE}&amount=1`);
    expect([json.best.market, json.best.staleness_sec]).toEqual(['binance', 901]);
  });
});

describe('§2.6 what is skipped', () => {
  test('§2.6 eur_reference is currency_mismatch, reference and parallel are not_executable', async () => {
    const { route } = await serving(fullMarket());
    expect(reasons(await route(`${THERE}&amount=1`))).toEqual({
      eur_reference: 'currency_mismatch',
      reference: 'not_executable',
      parallel: 'not_executable',
    });
  });

  test('§2.6 remittance markets take part only in USD to VES', async () => {
    const { route } = await serving(fullMarket());
    expect(ranking(await route(`${THERE}&amount=1`))).toEqual(expect.arrayContaining(REMITTANCES));
    const back = reasons(await route(`${BACK}&amount=1`));
    expect(REMITTANCES.map((market) => back[market])).toEqual(
      REMITTANCES.map(() => 'one_way_market'),
    );
  });

  test('§2.6 a market without a quote is no_quote, and one with too old a quote is stale', async () => {
    const { route } = await serving([
      quote('binance', 850),
      quote('bingx', 851, { updated_at: iso(START - 61 * SECOND) }),
    ]);
    const found = reasons(await route(`${THERE}&amount=1&max_staleness=60`));
    expect([found['bingx'], found['bitget'], found['cash']]).toEqual([
      'stale',
      'no_quote',
      'no_quote',
    ]);
  });

  test('contract §2 of several reasons the first in the order of §2.6 is given', async () => {
    const catalogueDir = await catalogueWith({
      plans: (plans) => {
        plans['Esencial']?.features.push('route');
      },
    });
    const service = await startTestService({ config: { catalogueDir } });
    const old = { updated_at: iso(START - 3_600 * SECOND) };
    await service.push(
      quote('binance', 850),
      quote('bingx', 850, old),
      quote('parallel', 850, old),
      quote('remittance_market_2', 850, old),
      quote('extended_market_1', 850, old),
      quote('cash', 850),
    );
    const route = routeOn(service, await service.keyFor('Esencial'));
    const back = reasons(await route(`${BACK}&amount=1&max_staleness=60`));
    expect(back).toEqual({
      // A reference without a quote, of another currency: the currency comes first.
      eur_reference: 'currency_mismatch',
      reference: 'not_executable',
      parallel: 'not_executable',
      // A remittance outside the plan, without a quote: the plan comes before the direction.
      extended_market_4: 'feature_not_in_plan',
      extended_market_1: 'feature_not_in_plan',
      extended_market_2: 'feature_not_in_plan',
      extended_market_3: 'feature_not_in_plan',
      cash: 'feature_not_in_plan',
      cucuta: 'feature_not_in_plan',
      // Within the plan: the direction comes before the missing quote and before the age.
      remittance_market_1: 'one_way_market',
      remittance_market_2: 'one_way_market',
      bingx: 'stale',
      bitget: 'no_quote',
      bybit: 'no_quote',
      mexc: 'no_quote',
      okx: 'no_quote',
      saldo: 'no_quote',
    });
  });

  test('contract §2 an executable market that quotes EUR is currency_mismatch', async () => {
    const catalogueDir = await catalogueWith({
      markets: (all) => Object.assign(all.find(({ id }) => id === 'cucuta') ?? {}, { base: 'EUR' }),
    });
    const service = await startTestService({ config: { catalogueDir } });
    await service.push(quote('cash', 850), quote('cucuta', 990));
    const reply = await routeOn(service, await service.keyFor('Escala'))(`${THERE}&amount=1`);
    expect([ranking(reply), reasons(reply)['cucuta']]).toEqual([['cash'], 'currency_mismatch']);
  });
});

describe('§4.7 max_staleness', () => {
  test('§4.7 a quote exactly max_staleness old stays, and one a second older is excluded as stale', async () => {
    const { service, route } = await serving([quote('cash', 850), quote('cucuta', 849)]);
    service.clock.advance(60 * SECOND);
    await service.push(quote('cucuta', 849, { updated_at: iso(START + 60 * SECOND) }));
    const at = await route(`${THERE}&amount=1&max_staleness=60`);
    expect(ranking(at)).toEqual(['cash', 'cucuta']);
    service.clock.advance(SECOND);
    const after = await route(`${THERE}&amount=1&max_staleness=60`);
    expect(ranking(after)).toEqual(['cucuta']);
    expect(reasons(after)['cash']).toBe('stale');
    expect(ranking(await route(`${THERE}&amount=1&max_staleness=61`))).toEqual(['cash', 'cucuta']);
  });

  test('§4.7 a max_staleness of 0, empty or absent disables the filter', async () => {
    const { service, route } = await serving([quote('cash', 850)]);
    service.clock.advance(6 * 86_400 * SECOND);
    for (const more of ['', '&max_staleness=0', '&max_staleness=', '&max_staleness=000']) {
      const reply = await route(`${THERE}&amount=1${more}`);
      expect([more, reply.status, reply.json.best?.market]).toEqual([more, 200, 'cash']);
    }
    expect((await route(`${THERE}&amount=1&max_staleness=1`)).status).toBe(422);
  });

  test('contract §2 max_staleness is digits only', async () => {
    const { route } = await serving([quote('cash', 850)]);
    const found: Record<string, unknown> = {};
    const refused = [
      ...['-1', '-0', '+60', ' 60', '60 ', '60.0', '6e1', '0x3c', '1,000', '60s', 'PT60S', 'abc'],
      ...['NaN', 'Infinity', 'null', 'true', '٦٠', '６０', '60\n'],
    ];
    for (const text of refused) {
      found[text] = fault(
        await route(`${THERE}&amount=1&max_staleness=${encodeURIComponent(text)}`),
      );
    }
    expect(found).toEqual(
      Object.fromEntries(refused.map((text) => [text, [400, 'invalid_format', 'max_staleness']])),
    );
  });

  test('contract §2 max_staleness may have any number of digits', async () => {
    const { route } = await serving([quote('cash', 850)]);
    for (const text of ['60', '0060', '2147483648', '999999999999', `1${'0'.repeat(20)}`]) {
      const reply = await route(`${THERE}&amount=1&max_staleness=${text}`);
      expect([text, reply.status]).toEqual([text, 200]);
    }
  });

  test('§4.7 when max_staleness excludes every candidate the answer is 422 no_route with the field', async () => {
    const { service, route } = await serving([quote('cash', 850), quote('binance', 849)]);
    service.clock.advance(61 * SECOND);
    expect(fault(await route(`${THERE}&amount=1&max_staleness=60`))).toEqual([
      422,
      'no_route',
      'max_staleness',
    ]);
    expect((await route(`${THERE}&amount=1`)).status).toBe(200);
  });

  test('§4.7 without a candidate before the age filter the answer is 503', async () => {
    const nothing = await serving([]);
    const shown = (reply: Reply) => [reply.status, reply.json.code];
    for (const more of ['', '&max_staleness=60']) {
      const reply = await nothing.route(`${THERE}&amount=1${more}`);
      expect(shown(reply)).toEqual([503, 'service_unavailable']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(reply.json.details.request_id).toBe(reply.headers.get('x-request-id'));
    }
    const references = await serving([
      official('2026-11-20', { USD: 800, EUR: 900 }),
      quote('parallel', 850),
    ]);
    expect(shown(await references.route(`${THERE}&amount=1&max_staleness=1`))).toEqual([
      503,
      'service_unavailable',
    ]);
    // An old remittance is no candidate from VES, so the age is not the cause.
    const oneWay = await serving([quote('remittance_market_1', 850)]);
    oneWay.service.clock.advance(3_600 * SECOND);
    expect(shown(await oneWay.route(`${BACK}&amount=1&max_staleness=60`))).toEqual([
      503,
      'service_unavailable',
    ]);
    expect(shown(await oneWay.route(`${THERE}&amount=1&max_staleness=60`))).toEqual([
      422,
      'no_route',
    ]);
  });
});

describe('§4.7 parameters', () => {
  test('§4.7 from, to and amount are required; an unknown parameter is reported first', async () => {
    const { route } = await serving([quote('cash', 850)]);
    expect(fault(await route('to=VES&amount=1'))).toEqual([400, 'missing_field', 'from']);
    expect(fault(await route('from=USD&amount=1'))).toEqual([400, 'missing_field', 'to']);
    expect(fault(await route(THERE))).toEqual([400, 'missing_field', 'amount']);
    expect(fault(await route(`${THERE}&amount=`))).toEqual([400, 'missing_field', 'amount']);
    for (const name of ['via', 'market', 'base', 'Direction']) {
      expect(fault(await route(`amount=x&${name}=cash`))).toEqual([400, 'unknown_parameter', name]);
    }
  });

  test('§4.7 only USD and VES, in either direction and any letter case', async () => {
    const { route } = await serving(fullMarket());
    const cases: [query: string, field: string][] = [
      ['from=EUR&to=VES', 'from'],
      ['from=VES&to=EUR', 'to'],
      ['from=USD&to=EUR', 'to'],
      ['from=EUR&to=USD', 'from'],
      ['from=USD&to=USD', 'to'],
      ['from=VES&to=VES', 'to'],
      ['from=XXX&to=VES', 'from'],
    ];
    const found: unknown[] = [];
    for (const [query] of cases) found.push([query, ...fault(await route(`${query}&amount=1`))]);
    expect(found).toEqual(cases.map(([query, field]) => [query, 400, 'invalid_format', field]));
    expect((await route('from=usd&to=Ves&amount=1')).json.from.currency).toBe('USD');
  });

  test('§4.7 amount is finite, greater than 0 and at most 1e12', async () => {
    const { route } = await serving([quote('cash', 850)]);
    const cases: Record<string, number> = {
      '1e12': 200,
      '0.01': 200,
      '1000000000000.01': 400,
      '0': 400,
      '-1': 400,
      '1e400': 400,
      '0x10': 400,
      ' 5': 400,
      '1,5': 400,
      '.5': 400,
      '5.': 400,
      '+5': 400,
      Infinity: 400,
    };
    const found: Record<string, number> = {};
    for (const amount of Object.keys(cases)) {
      const reply = await route(`${THERE}&amount=${encodeURIComponent(amount)}`);
      found[amount] = reply.status;
      if (reply.status === 400) {
        expect(fault(reply)).toEqual([400, 'invalid_format', 'amount']);
      }
    }
    expect(found).toEqual(cases);
  });

  test('§4.7 direction is send or receive, in lower case', async () => {
    const { route } = await serving([quote('cash', 850)]);
    for (const direction of ['SEND', 'Receive', 'both', '1', 'send ']) {
      const reply = await route(`${THERE}&amount=1&direction=${encodeURIComponent(direction)}`);
      expect(fault(reply)).toEqual([400, 'invalid_format', 'direction']);
    }
    expect((await route(`${THERE}&amount=1&direction=`)).json.direction).toBe('send');
  });

  test('contract §4 a parameter given twice is invalid', async () => {
    const { route } = await serving([quote('cash', 850)]);
    expect(fault(await route(`${THERE}&amount=1&direction=send&direction=send`))).toEqual([
      400,
      'invalid_format',
      'direction',
    ]);
    expect(fault(await route(`${THERE}&amount=1&max_staleness=0&max_staleness=`))).toEqual([
      400,
      'invalid_format',
      'max_staleness',
    ]);
  });

  test('§4.7 a route is available as CSV, with a rank, and as XML', async () => {
    const { route } = await serving([quote('cash', 850), quote('binance', 849.5)]);
    const csv = await route(`${THERE}&amount=2&format=csv`);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe(
      [
        'rank,market,type,rate,amount,updated_at,staleness_sec',
        'from_currency,from_amount,direction,fetched_at',
      ].join(','),
    );
    expect(lines.slice(1, 3)).toEqual([
      `1,cash,cash,850,1700,${iso(START)},0,USD,2,send,${iso(START)}`,
      `2,binance,p2p,849.5,1699,${iso(START)},0,USD,2,send,${iso(START)}`,
    ]);
    const xml = await route(`${THERE}&amount=2&format=xml`);
    expect(xml.headers.get('content-type')).toContain('application/xml');
    expect(xml.text).toMatch(/<route>[\s\S]*<best>\s*<market>cash<\/market>/);
    expect(xml.text).toMatch(/<alternatives>\s*<item>\s*<market>binance<\/market>/);
    expect(fault(await route(`${THERE}&amount=2&format=pdf`))).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
  });
});

describe('§4.7 plan and cost', () => {
  test('§4.7 below Escala a route is 402 with the plans in details, before parameters are checked', async () => {
    const service = await startTestService();
    for (const plan of ['Gratis', 'Inicio', 'Esencial', 'Profesional']) {
      const reply = await routeOn(service, await service.keyFor(plan))('nothing=1');
      expect(fault(reply)).toEqual([402, 'feature_not_in_plan']);
      expect(reply.json.details).toEqual({
        feature: 'route',
        current_plan: plan,
        required_plan: 'Escala',
      });
    }
  });

  test('§4.7 an answered route costs one unit, and a 422 or 503 nothing', async () => {
    const { service, route } = await serving([]);
    const left = (reply: Reply) => reply.headers.get('x-ratelimit-remaining');
    const none = await route(`${THERE}&amount=1`);
    expect([none.status, left(none)]).toEqual([503, '1500000']);
    await service.push(quote('cash', 850, { updated_at: iso(START - 61 * SECOND) }));
    const old = await route(`${THERE}&amount=1&max_staleness=60`);
    expect([old.status, left(old)]).toEqual([422, '1500000']);
    const good = await route(`${THERE}&amount=1`);
    expect([good.status, left(good)]).toEqual([200, '1499999']);
  });
});
