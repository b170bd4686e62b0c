import { describe, expect, test, vi } from 'vitest';
import { documentedEndpoints } from '../../scripts/reference.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { LANGUAGES } from '../../src/core/domain/words/language.ts';
import { official, quote } from '../harness/make.ts';
import { startServiceOfOwn } from '../harness/own-figures.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { examplesOf, publishedRates, ratesIn } from '../harness/shown-rates.ts';

/* Figures in samples come from the running service (contract §27). */

const isOfDemonstration = (summary: string) => /\((demonstration|demostración)\)$/.test(summary);

const isRequest = (summary: string) => /^(?:A request|Una consulta)$/.test(summary);

/** What `/openapi.json` shows of an operation: its answers by name. */
// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape.
function answersIn(document: any, id: string): Record<string, { summary: string; value: any }> {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const operations: any[] = Object.values(document.paths).flatMap((one: any) => Object.values(one));
  const operation = operations.find(({ operationId }) => operationId === id);
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const [answer]: any[] = Object.values(operation?.responses ?? {});
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const [content]: any[] = Object.values(answer?.content ?? {});
  return content?.examples ?? {};
}

/** The document, once its samples are those of the service: a slow machine needs longer than a reader waits. */
const documentOf = ({ call }: Pick<TestService, 'call'>, language = 'en') =>
  vi.waitFor(async () => {
    const { json } = await call(`/openapi.json?lang=${language}`);
    expect(json.info.description).toMatch(/this service answered|este servicio respondió/);
    return json;
  }, 30_000);

describe('contract §27 the examples of /openapi.json', () => {
  test.each(LANGUAGES)(
    'show the official rates that the service has, and none of the demonstration, in %s',
    async (language) => {
      const service = await startServiceOfOwn();
      const published = await publishedRates(service.call, {
        key: service.key,
        to: '2026-11-30',
      });
      const examples = examplesOf(await documentOf(service, language));
      const own = examples.filter(({ summary }) => !isOfDemonstration(summary));
      const shown = own.flatMap(({ value }) => ratesIn(value));
      expect(shown.length).toBeGreaterThan(30);
      expect(shown.filter((one) => !published.has(one))).toEqual([]);
      // CSV and XML too, which are texts.
      expect(JSON.stringify(own)).not.toMatch(
        /771[.,]0714|77107|766[.,]8603|889[.,]4539|756[.,]7083/,
      );
    },
  );

  test.each(LANGUAGES)(
    'of a service with official rates alone are its own or say that they are of the demonstration, in %s',
    async (language) => {
      const service = await startServiceOfOwn({ readHoursAgo: [] });
      const examples = examplesOf(await documentOf(service, language));
      const own = examples.filter(({ summary }) => !isOfDemonstration(summary));
      expect(own.flatMap(({ value }) => ratesIn(value)).length).toBeGreaterThan(20);
      // Of any market on the declared night; a request is what its sender writes.
      const declared =
        /(?<![\d.])(?:771\.0714|77107\.14|7710\.71|766\.8603|772\.5441|756\.7083|775\.28\d\d|867\.15|865\.05|882\.34|88[13]\.\d\d|880\.\d\d|845\.(?:75|5339)|878\.54)(?!\d)/;
      const left = own.filter(
        ({ summary, value }) => !isRequest(summary) && declared.test(JSON.stringify(value)),
      );
      expect(left).toEqual([]);
    },
  );

  test('of corrections has the rate that the service gives for its day, also where nothing was corrected', async () => {
    const service = await startServiceOfOwn();
    const { call, key } = service;
    const { answer } = answersIn(await documentOf(service), 'listCorrections');
    const [{ value_date: day, was, is }] = answer?.value.corrections ?? [{}];
    const range = `from=${day}&to=${day}`;
    const { rows } = (await call(`/v1/fx/official/history?${range}`, { key })).json;
    expect([is, was === is]).toEqual([rows[0]?.rate, false]);
    expect(isOfDemonstration(answer?.summary ?? '')).toBe(true);
  });

  test('are what the API answers to the same request in the same run', async () => {
    const service = await startServiceOfOwn();
    const { call, key } = service;
    const document = await documentOf(service);
    const asked = {
      convert: '/v1/fx/convert?from=USD&to=VES&amount=100',
      getRate: '/v1/fx/rates/binance',
      getSpread: '/v1/fx/spread?against=parallel&base=USD',
      getHistory: '/v1/fx/rates/binance/history?from=2026-11-26&to=2026-11-27',
      getOfficialHistory: '/v1/fx/official/history?days=all&from=2026-11-27&to=2026-11-28',
    };
    for (const [id, address] of Object.entries(asked)) {
      const [answer] = Object.values(answersIn(document, id));
      expect(answer?.value, id).toEqual((await call(address, { key })).json);
    }
    const { with_markup: marked, past_day: past } = answersIn(document, 'listRates');
    expect(marked?.value.rates[0]).toMatchObject({ mid: 965.25, mid_with_markup: 999.0338 });
    expect(past?.value.as_of).toMatchObject({ date: '2026-11-28', business_day: false });
    const { past_day: sunday } = answersIn(document, 'convert');
    expect(sunday?.value).toMatchObject({ effective_date: '2026-11-30' });
  });

  test('have the days of the request that the sample shows', async () => {
    const { paths } = await documentOf(await startServiceOfOwn());
    const { parameters } = paths['/v1/fx/official/history'].get;
    const days = parameters.flatMap(({ name, example }: { name: string; example: string }) =>
      ['from', 'to'].includes(name) ? [example] : [],
    );
    expect(days).toEqual(['2026-11-27', '2026-11-28']);
  });

  test('fit their schemas, with figures in doubt, old ones and huge ones', async () => {
    const service = await startServiceOfOwn();
    const { clock, push } = service;
    const at = { updated_at: '2026-11-29T14:59:00Z', captured_at: '2026-11-29T14:59:30Z' };
    await push({ kind: 'quote', market: 'okx', mid: 999_999_999_999.123, ...at });
    await push({ kind: 'quote', market: 'parallel', mid: 0.00012, ...at });
    clock.advance(3 * 60 * MINUTE_MS);
    const document = await documentOf(service);
    let checked = 0;
    for (const { operation, answer } of documentedEndpoints) {
      if (operation === undefined) continue;
      for (const { value } of Object.values(answersIn(document, operation.id))) {
        expect(answer.parse(value), operation.id).toEqual(value);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  test('of accounts are those of the declarations, whatever accounts there are', async () => {
    const service = await startServiceOfOwn();
    const document = await documentOf(service);
    for (const { operation, scope } of documentedEndpoints) {
      if (operation === undefined || !scope?.startsWith('account.')) continue;
      const shown = Object.values(answersIn(document, operation.id)).map(({ value }) => value);
      const declared = Object.values(operation.answers).map(({ value }) => value);
      if (shown.length > 0) expect([operation.id, shown]).toEqual([operation.id, declared]);
    }
  });

  test('show no figure of a market that only some plans have', async () => {
    const service = await startServiceOfOwn();
    for (const market of ['cash', 'cucuta']) {
      const at = '2026-11-29T15:00:00Z';
      await service.push({ kind: 'quote', market, mid: 987.6543, updated_at: at, captured_at: at });
    }
    const key = await service.keyFor('Escala');
    const { json } = await service.call('/v1/fx/rates/cash', { key });
    expect(json.mid).toBe(987.6543);
    expect(JSON.stringify(await documentOf(service))).not.toContain('987.6543');
  });

  test('are the demonstration of a service without figures, which says so', async () => {
    const { json: document } = await (await startTestService()).call('/openapi.json');
    expect(answersIn(document, 'convert')['answer']?.value.rate).toBe(771.0714);
    expect(document.info.description).toContain('demonstration on 20 November 2026');
    const { info } = await documentOf(await startServiceOfOwn());
    expect(info.description).toContain('what this service answered on 2026-11-29');
  });

  test('cost nothing and leave no line in the log', async () => {
    const service = await startServiceOfOwn();
    await documentOf(service);
    const { json } = await service.call('/v1/account/usage', { key: service.key });
    expect(json.days.flatMap(({ units }: { units: number }) => units || [])).toEqual([]);
    expect(service.log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('contract §27 the samples', () => {
  const tagOf = async ({ call }: TestService) => (await call('/openapi.json')).headers.get('etag');
  const firstTagOf = async (service: TestService) => {
    await documentOf(service);
    return tagOf(service);
  };

  test('change with the value date, not with each quote', async () => {
    const service = await startServiceOfOwn();
    const before = await firstTagOf(service);
    service.clock.advance(30 * MINUTE_MS);
    await service.push({
      ...{ kind: 'quote', market: 'binance', mid: 990.5 },
      ...{ updated_at: '2026-11-29T15:30:00Z', captured_at: '2026-11-29T15:30:00Z' },
    });
    expect(await tagOf(service)).toBe(before);
    service.clock.set(Date.parse('2026-11-30T04:00:00Z'));
    await vi.waitFor(async () => expect(await tagOf(service)).not.toBe(before), 30_000);
  });

  test('change once in ten minutes at most', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 801.5 }));
    const before = await firstTagOf(service);
    // Now there is a figure more.
    await service.push(quote('parallel', 850));
    service.clock.advance(10 * MINUTE_MS - 1);
    expect(await tagOf(service)).toBe(before);
    expect(await tagOf(service)).toBe(before);
    service.clock.advance(1);
    await vi.waitFor(async () => expect(await tagOf(service)).not.toBe(before), 30_000);
  });

  test('of a store that does not answer are those of the demonstration, and no reader waits longer than a second', async () => {
    const service = await startServiceOfOwn();
    const asked = vi
      .spyOn(service.service.store, 'lastQuotesBefore')
      .mockImplementation(() => new Promise(() => undefined));
    const { json } = await service.call('/openapi.json');
    expect(answersIn(json, 'convert')['answer']?.value.rate).toBe(771.0714);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
