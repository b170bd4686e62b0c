import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { publishableKey, startCompatService } from '../official-week.ts';

/**
 * Programs as people wrote them for the other services, with their ways to read an answer. Only the
 * base address is ours.
 */

async function json(url: string) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // biome-ignore lint/suspicious/noExplicitAny: such programs read what they were promised.
  return (await response.json()) as any;
}

describe('programs for the other services work with another base address', () => {
  test('a program for dolarapi: current rates, a history and a past day', async () => {
    const { url: base } = await startCompatService(['dolarapi']);
    interface Row {
      fuente: string;
      promedio: number;
      fecha: string;
      fechaActualizacion: string;
    }
    const rows: Row[] = await json(`${base}/v1/dolares`);
    const oficial = rows.find(({ fuente }) => fuente === 'oficial');
    const paralelo = rows.find(({ fuente }) => fuente === 'paralelo');
    expect([oficial?.promedio, paralelo?.promedio]).toEqual([804.5, 890.75]);
    // A day begins at midnight in Caracas.
    expect(new Date(oficial?.fechaActualizacion ?? '').toISOString()).toBe(
      '2026-11-20T04:00:00.000Z',
    );
    const one = await json(`${base}/v1/dolares/oficial`);
    expect(typeof one.promedio === 'number' ? one.promedio : parseFloat(one.promedio)).toBe(804.5);
    const history: Row[] = await json(`${base}/v1/historicos/dolares?t=${Date.now()}`);
    const last = history
      .filter(({ fuente, fecha }) => fuente === 'oficial' && fecha)
      .sort((a, b) => a.fecha.localeCompare(b.fecha))
      .at(-1);
    expect(last).toMatchObject({ fecha: '2026-11-20', promedio: 804.5 });
    const [year, month, day] = '2026-11-19'.split('-');
    const past = await json(`${base}/v1/historicos/dolares/oficial/${year}/${month}/${day}`);
    expect(past.promedio).toBe(800);
    const absent = await fetch(`${base}/v1/historicos/dolares/oficial/2026/11/17`);
    expect(absent.status).toBe(404);
  });

  test('a program for pydolarve: a page, a monitor and both', async () => {
    const { url: base } = await startCompatService(['pydolarve']);
    const all = await json(`${base}/api/v1/dollar?rounded_price=false`);
    expect([all.monitors.bcv.price, all.monitors.enparalelovzla.price]).toEqual([804.5, 890.75]);
    const both = await json(`${base}/api/v1/dollar?page=bcv&monitor=usd`);
    expect(both?.price ?? both?.monitors?.usd?.price).toBe(804.5);
    const page = await json(`${base}/api/v1/dollar?page=bcv&format_date=default`);
    const [date, time] = page.monitors.usd.last_update.split(', ');
    expect([date, time]).toEqual(['20/11/2026', '12:00 AM']);
    const rate = await json(`${base}/api/v2/tipo-cambio?currency=usd&format_date=iso`);
    expect([rate.price, new Date(rate.last_update).getTime() > 0]).toEqual([804.5, true]);
  });

  test('a program for CriptoYa: the middle of a venue', async () => {
    const { url: base } = await startCompatService(['criptoya'], {
      records: [
        { kind: 'official', value_date: '2026-11-20', rates: { USD: 800 } },
        {
          kind: 'quote',
          market: 'binance',
          ask: 901,
          bid: 899,
          updated_at: '2026-11-21T11:59:30Z',
        },
      ],
    });
    const { binancep2p } = await json(`${base}/api/usdt/ves/1`);
    const value = (Number(binancep2p.totalAsk) + Number(binancep2p.totalBid)) / 2;
    expect([value, new Date(binancep2p.time * 1000).toISOString()]).toEqual([
      900,
      '2026-11-21T11:59:30.000Z',
    ]);
    const one = await json(`${base}/api/binancep2p/USDT/VES/1`);
    expect([one.ask, one.bid]).toEqual([901, 899]);
  });

  test('the custom currency provider of ERPNext, with the parameters and result of its default', async () => {
    const { url: base } = await startCompatService(['frankfurter']);
    const settings = {
      apiEndpoint: `${base}/v1/{transaction_date}`,
      parameters: { base: '{from_currency}', symbols: '{to_currency}' },
      resultKeys: ['rates', '{to_currency}'],
    };
    const exchangeRate = async (date: string, from: string, to: string) => {
      const filled = (text: string) =>
        text
          .replace('{transaction_date}', date)
          .replace('{from_currency}', from)
          .replace('{to_currency}', to);
      const url = new URL(filled(settings.apiEndpoint));
      for (const [name, value] of Object.entries(settings.parameters)) {
        url.searchParams.set(name, filled(value));
      }
      let value = await json(url.href);
      for (const key of settings.resultKeys) value = value[filled(key)];
      return Number(value);
    };
    expect(await exchangeRate('2026-11-19', 'USD', 'VES')).toBe(800);
    expect(await exchangeRate('2026-11-21', 'EUR', 'VES')).toBe(925.5);
    expect(await exchangeRate('2026-11-19', 'VES', 'USD')).toBe(0.00125);
  });

  test('a formula of a Google sheet, which has only an address', async () => {
    const service = await startCompatService([]);
    const key = await publishableKey(service, { origins: [], allowNoOrigin: true });
    // =IMPORTDATA("…")
    const { statusCode, headers, body } = await request(
      `${service.url}/v1/fx/rates?format=csv&key=${key}`,
    );
    const [names = '', ...rows] = (await body.text()).trim().split('\r\n');
    expect([statusCode, headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    const mid = names.split(',').indexOf('mid');
    const reference = rows.map((row) => row.split(',')).find((row) => row.includes('reference'));
    expect(Number(reference?.[mid])).toBe(804.5);
  });
});
