import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCapability } from '../harness/capabilities.ts';
import { listening } from '../harness/listening.ts';
import { fullMarket, official, quote } from '../harness/make.ts';
import { onPath } from '../harness/on-path.ts';
import { ROOT, read } from '../harness/repository.ts';
import { START, startTestService, temporaryDir } from '../harness/service.ts';

/** The plugin for WooCommerce on a real service: each page is a process, what WordPress brings stands in. */

const FOLDER = join(ROOT, 'examples', 'woocommerce', 'vesfx-rates');
const PAGE = join(ROOT, 'test', 'woocommerce', 'page.php');
const PLUGIN = join(FOLDER, 'vesfx-rates.php');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.php'),
);
const php = onPath('php');
/** Where Debian has it. */
const WORDPRESS = '/usr/share/wordpress/';

const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;
/** Noon in UTC, a Saturday: 08:00 in Caracas. */
const NOON_SEC = START / 1_000;
const MIDNIGHT_SEC = 16 * HOUR_SEC;
const RATE = 'Tasa BCV 800,5000, fecha valor 20/11/2026';
const REFUSED = 'En este momento no hay una tasa confirmada de hoy. Intente de nuevo en un minuto.';

type Step = readonly [name: string, ...given: unknown[]];

interface Page {
  readonly results: readonly unknown[];
  readonly calls: number;
  readonly seconds: number;
}

/** What a test changes of the service's answers: `network` is a service that never answers. */
interface State {
  isSilent: boolean;
  alter: (path: string, body: Record<string, unknown>) => object;
  clockMs: number;
}

async function shop(settings: Readonly<Record<string, string>> = {}) {
  const service = await startTestService();
  await service.push(
    ...fullMarket(),
    official('2026-11-24', { USD: 810.25, EUR: 930 }, { captured_at: '2026-11-20T21:10:00.000Z' }),
  );
  // The permissions that the guide names, and no others.
  const { accounts } = service.service;
  const { id } = await accounts.create('A shop', 'Gratis');
  const grant = { kind: 'restricted', scopes: ['rates', 'official'] } as const;
  const { key } = await accounts.createKey(id, { grant });
  const state: State = { isSilent: false, alter: (_path, body) => body, clockMs: 0 };
  const server = createServer(async ({ url = '/', headers }, response) => {
    if (state.isSilent) return;
    const { status, text } = await service.call(url, { key: `${headers['x-api-key']}` });
    const body = JSON.stringify(state.alter(url, JSON.parse(text)));
    const headersOfNow = { Date: new Date(service.clock.now() + state.clockMs).toUTCString() };
    response.writeHead(status, headersOfNow).end(body);
  });
  const url = await listening(server);
  const STORE = join(await temporaryDir(), 'store');
  async function page(
    steps: readonly Step[],
    at = 0,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    service.clock.set((NOON_SEC + at) * 1_000);
    const given = { PLUGIN, STORE, STEPS: JSON.stringify(steps), NOW: `${NOON_SEC + at}` };
    const silent = state.isSilent ? { SILENT: '1' } : {};
    const args = ['-d', 'error_reporting=-1', '-d', 'display_errors=1', PAGE];
    const options = { env: { ...process.env, ...given, ...silent, ...env } };
    const { stdout } = await promisify(execFile)(php ?? 'php', args, options);
    return JSON.parse(stdout);
  }
  const set = (more: Readonly<Record<string, string>>) =>
    page([['set', { url, key, ...settings, ...more }]]);
  await set({});
  return { page, set, state, service };
}

const results = async (page: Promise<Page>) => (await page).results;

describe.skipIf(php === undefined)('the plugin for WooCommerce', () => {
  test.skipIf(!existsSync(WORDPRESS))(
    'on the real WordPress pages, orders, refunds, settings and their errors are the same',
    async () => {
      const { page, state } = await shop();
      const STORE = join(await temporaryDir(), 'real');
      const real = (steps: readonly Step[], at = 0) => page(steps, at, { WORDPRESS, STORE });
      const both = async (steps: readonly Step[], at = 0) => {
        const [here, there] = [await page(steps, at), await real(steps, at)];
        expect(there).toEqual(here);
        return there.results;
      };
      const [stored] = await results(page([['options']]));
      const { url, key } = stored as { readonly url: string; readonly key: string };
      await real([['set', { url, key }]]);
      expect(await both([['options']])).toEqual([expect.objectContaining({ url, key })]);
      expect(await both([['price', '19.99'], ['line', '125.55'], ['block']])).toEqual([
        expect.stringContaining('Bs. 16.002,00'),
        `Total en bolívares Bs. 100.502,78 ${RATE}`,
        RATE,
      ]);
      await both([['place', '125.55']], MINUTE_SEC);
      await both([
        ['stored', 1],
        ['rows', 1],
        ['admin', 1],
        ['refund', 1, '25.55'],
        ['short', 'reference'],
      ]);
      const [html] = (await real([['settings']])).results;
      expect(html).toContain(RATE);
      expect(html).toMatch(/name="_wpnonce" value="\w+"/);
      expect(html).not.toContain(key);
      state.isSilent = true;
      expect((await real([['place', '10.00']], DAY_SEC)).results).toEqual([REFUSED]);
      expect(await both([['set', { url: 'ftp://rates.example' }]], DAY_SEC)).toEqual([
        ['La dirección debe empezar por https:// o http://'],
      ]);
    },
  );

  test('an order keeps the rate, its value date, rule, evidence and amount in bolívares, and shows them', async () => {
    const { page, service } = await shop();
    expect(await results(page([['line', '125.55']]))).toEqual([
      `Total en bolívares Bs. 100.502,78 ${RATE}`,
    ]);
    expect(await results(page([['place', '125.55']], MINUTE_SEC))).toEqual([1]);
    const { json } = await service.call('/v1/fx/rates/reference?details=true', {
      key: await service.keyFor('Escala'),
    });
    const [stored, rows, admin] = await results(
      page(
        [
          ['stored', 1],
          ['rows', 1],
          ['admin', 1],
        ],
        DAY_SEC,
      ),
    );
    expect(stored).toEqual({
      total: '125.55',
      _vesfx_rate: '800.5',
      _vesfx_market: 'reference',
      _vesfx_value_date: '2026-11-20',
      _vesfx_rule: 'value_date',
      _vesfx_evidence: json.evidence,
      _vesfx_read_at: '2026-11-21T12:00:00Z',
      _vesfx_decimals: '2',
      _vesfx_amount_ves: '100502.78',
      _vesfx_warning: '',
    });
    expect(rows).toEqual(['Total: 125.55', `Total en bolívares: Bs. 100.502,78 (${RATE})`]);
    expect(admin).toBe(
      `Bolívares Bs. 100.502,78 ${RATE} Regla: value_date Evidencia: ${json.evidence} Leída: 2026-11-21T12:00:00Z`,
    );
  });

  test('the checkout of blocks keeps the same when the customer orders, not in the draft', async () => {
    const { page } = await shop();
    expect(await results(page([['block'], ['order', '10.00']]))).toEqual([RATE, 1]);
    const [stored] = await results(page([['stored', 1]]));
    expect(stored).toMatchObject({ _vesfx_rate: '800.5', _vesfx_amount_ves: '8005.00' });
  });

  test('by the rule of the next banking day a Saturday has the rate of Tuesday, after a bank holiday', async () => {
    const { page } = await shop({ rule: 'next_banking_day' });
    await page([['place', '10.00']]);
    const [stored] = await results(page([['stored', 1]]));
    expect(stored).toMatchObject({
      _vesfx_rate: '810.25',
      _vesfx_value_date: '2026-11-24',
      _vesfx_rule: 'next_banking_day',
      _vesfx_evidence: '',
    });
    // On the banking day itself it is in force, and has evidence.
    await page([['place', '10.00']], 3 * DAY_SEC);
    const [later] = await results(page([['stored', 2]]));
    expect(later).toMatchObject({ _vesfx_rate: '810.25', _vesfx_value_date: '2026-11-24' });
    expect(later).not.toMatchObject({ _vesfx_evidence: '' });
  });

  test('a shop in euros has the rate of the euro, and one in another currency nothing', async () => {
    const { page } = await shop();
    const steps: readonly Step[] = [
      ['line', '10.00'],
      ['place', '10.00'],
      ['stored', 1],
    ];
    const [line, id, stored] = await results(page(steps, 0, { CURRENCY: 'EUR' }));
    expect([line, id]).toEqual([
      'Total en bolívares Bs. 9.202,50 Tasa BCV 920,2500, fecha valor 20/11/2026',
      1,
    ]);
    expect(stored).toMatchObject({ _vesfx_market: 'eur_reference' });
    const inPesos: readonly Step[] = [
      ['line', '10'],
      ['place', '10'],
      ['stored', 2],
      ['price', '10'],
    ];
    expect(await page(inPesos, 0, { CURRENCY: 'COP' })).toEqual({
      results: ['', 2, { total: '10' }, '$10'],
      calls: 0,
      seconds: 0,
    });
  });

  const detailed = (more: object) => (path: string, body: object) =>
    path.includes('details=true') ? { ...body, ...more } : body;
  /** Each is a rate that must not be charged. */
  const UNFIT: Readonly<Record<string, (state: State) => void>> = {
    stale: (state) => {
      state.alter = detailed({ stale: true });
    },
    in_doubt: (state) => {
      state.alter = detailed({ in_doubt: true });
    },
    network_error: (state) => {
      state.isSilent = true;
    },
    rate_changed: (state) => {
      state.alter = detailed({ mid: 801, effective_date: '2026-11-21' });
    },
    unexpected_answer: (state) => {
      state.alter = (path, body) =>
        path.includes('date=') ? { ...body, mid: '800.5 or so' } : body;
    },
    wrong_clock: (state) => {
      state.clockMs = DAY_SEC * 1_000;
    },
  };

  test.each(Object.keys(UNFIT))(
    'a rate that is unfit (%s) stops the order, is marked, or leaves it without bolívares, as the shop chose',
    async (reason) => {
      const { page, set, state } = await shop();
      // A good rate, of two hours before.
      await page([['line', '10.00']]);
      UNFIT[reason]?.(state);
      const at = (hours: number) => hours * HOUR_SEC + hours * MINUTE_SEC;
      const both: readonly Step[] = [
        ['place', '10.00'],
        ['order', '10.00'],
        ['line', '10.00'],
      ];
      expect(await results(page(both, at(2)))).toEqual([
        REFUSED,
        REFUSED,
        `Total en bolívares ${REFUSED}`,
      ]);
      await set({ without: 'last' });
      const [id, line] = await results(
        page(
          [
            ['place', '10.00'],
            ['line', '10.00'],
          ],
          at(3),
        ),
      );
      expect(line).toBe(`Total en bolívares Bs. 8.005,00 ${RATE}, leída hace 183 min`);
      const [stored, admin] = await results(
        page(
          [
            ['stored', id],
            ['admin', id],
          ],
          at(3),
        ),
      );
      expect(stored).toMatchObject({ _vesfx_amount_ves: '8005.00', _vesfx_warning: reason });
      expect(admin).toContain(`(${reason})`.replace(/^\((rate_changed|unexpected_answer)\)/, '$1'));
      expect(admin).toContain('SIN CONFIRMAR');
      await set({ without: 'none' });
      const [without, none] = await results(
        page(
          [
            ['place', '10.00'],
            ['line', '10.00'],
          ],
          at(4),
        ),
      );
      expect(none).toBe('');
      expect(await results(page([['stored', without]], at(4)))).toEqual([{ total: '10.00' }]);
      // The last rate read serves for a day, not longer.
      await set({ without: 'last' });
      expect(await results(page([['place', '10.00']], DAY_SEC + HOUR_SEC))).toEqual([REFUSED]);
    },
  );

  test('a banking day whose rate is not published stops the order, though an older rate is not stale', async () => {
    const { page } = await shop();
    await page([['line', '10.00']], 3 * DAY_SEC);
    expect(await results(page([['place', '10.00'], ['settings']], 4 * DAY_SEC))).toEqual([
      REFUSED,
      expect.stringContaining('la tasa de hoy no está publicada (rate_not_published)'),
    ]);
  });

  test('a rate to come that nothing confirms stops the order by the rule of the next banking day', async () => {
    const { page, state } = await shop({ rule: 'next_banking_day' });
    const doubt = { currency: 'USD', value_date: '2026-11-24', rate: 810.25, reasons: [] };
    state.alter = (path, body) =>
      path === '/v1/fx/official' ? { ...body, in_doubt: [doubt] } : body;
    expect(await results(page([['place', '10.00']]))).toEqual([REFUSED]);
    expect(await results(page([['place', '10.00']], HOUR_SEC, { CURRENCY: 'EUR' }))).toEqual([1]);
  });

  test('at midnight in Caracas the rate changes, and who saw the old one is asked to look again, once', async () => {
    const { page } = await shop();
    const midnight = 2 * DAY_SEC + MIDNIGHT_SEC;
    await page([['line', '10.00']], midnight - 1);
    expect(await results(page([['place', '10.00']], midnight - 1))).toEqual([1]);
    expect(await results(page([['place', '10.00']], midnight))).toEqual([
      'La tasa cambió: Tasa BCV 810,2500, fecha valor 24/11/2026. Revise el total y haga el pedido otra vez.',
    ]);
    expect(await results(page([['place', '10.00']], midnight))).toEqual([2]);
    const [before, after] = await results(
      page(
        [
          ['stored', 1],
          ['stored', 2],
        ],
        midnight,
      ),
    );
    expect(before).toMatchObject({ _vesfx_value_date: '2026-11-20' });
    expect(after).toMatchObject({ _vesfx_value_date: '2026-11-24' });
  });

  test('refunds go by the rate of the order, and those of a whole order add up to what was paid', async () => {
    const { page } = await shop();
    await page([['place', '10.01']]);
    // Three days later another rate is in force.
    const refunds = await results(
      page(
        [
          ['refund', 1, '3.33'],
          ['refund', 1, '3.33'],
          ['refund', 1, '3.35'],
        ],
        3 * DAY_SEC,
      ),
    );
    expect(refunds).toEqual(
      ['2665.67', '2665.67', '2681.67'].map((amount) =>
        expect.objectContaining({
          _vesfx_rate: '800.5',
          _vesfx_value_date: '2026-11-20',
          _vesfx_rule: 'value_date',
          _vesfx_amount_ves: amount,
        }),
      ),
    );
    expect(await results(page([['rows', 1]], 3 * DAY_SEC))).toEqual([
      [
        'Total: 10.01',
        `Total en bolívares: Bs. 8.013,01 (${RATE})`,
        'Reembolsado en bolívares: -Bs. 8.013,01',
      ],
    ]);
  });

  test('an order that is edited keeps its rate, and one without a rate gets none', async () => {
    const { page } = await shop();
    await page([['place', '10.00']]);
    const [edited] = await results(page([['edit', 1, '20.00']], 3 * DAY_SEC));
    expect(edited).toMatchObject({ _vesfx_rate: '800.5', _vesfx_amount_ves: '16010.00' });
    await page([['place', '10.00']], 0, { CURRENCY: 'COP' });
    expect(
      await results(
        page([
          ['edit', 2, '20.00'],
          ['refund', 2, '5.00'],
        ]),
      ),
    ).toEqual([{ total: '20.00' }, { total: '5.00' }]);
  });

  test('whole bolívares are rounded once, half away from zero', async () => {
    const { page } = await shop({ decimals: '0' });
    await page([['place', '10.01']]);
    const [stored, refund] = await results(
      page([
        ['stored', 1],
        ['refund', 1, '1.00'],
      ]),
    );
    expect(stored).toMatchObject({ _vesfx_amount_ves: '8013' });
    expect(refund).toMatchObject({ _vesfx_amount_ves: '801' });
  });

  test('prices show the bolívares of what the customer sees, with taxes, of several the lowest, and the age of an old rate', async () => {
    const { page, set, state } = await shop();
    const price = async (product: string, TAX = '', at = 0) =>
      `${(await results(page([['price', product]], at, { TAX })))[0]}`.replace(/<[^>]+>/g, '');
    expect(await price('10')).toBe('$10 Bs. 8.005,00');
    expect(await price('')).toBe('$');
    expect(await price('10', '1.16')).toBe('$10 Bs. 9.285,80');
    expect(await price('10-20', '1.16')).toBe('$10-20 desde Bs. 9.285,80');
    expect(await price('10-10')).toBe('$10-10 Bs. 8.005,00');
    expect(await price('10 grouped')).toBe('$10 grouped desde Bs. 8.005,00');
    state.isSilent = true;
    expect(await price('10', '', HOUR_SEC - 1)).toBe('$10 Bs. 8.005,00');
    expect(await price('10', '', HOUR_SEC)).toBe('$10 Bs. 8.005,00 (tasa leída hace 60 min)');
    expect(await price('10', '', DAY_SEC)).toBe('$10');
    Object.assign(state, { isSilent: false, alter: detailed({ in_doubt: true }) });
    expect(await price('10', '', DAY_SEC + HOUR_SEC)).toBe('$10');
    state.alter = (_path, body) => body;
    await set({ prices: 'no' });
    expect(await price('10', '', DAY_SEC + 2 * HOUR_SEC)).toBe('$10');
  });

  test('a rate in a post says how old it is, and a stale one is not shown', async () => {
    const { page, state, service } = await shop();
    const markets = ['reference', 'parallel', 'eur_reference', 'nobody'];
    const shows = markets.map((market): Step => ['short', market]);
    // The free plan has no parallel market in full: its row is of the same age as every other one.
    await service.push(quote('parallel', 850));
    expect(await page(shows, HOUR_SEC)).toMatchObject({
      results: [
        'Bs. 800,5000 (fecha valor 20/11/2026)',
        'Bs. 850,0000 (de hace 60 min)',
        'Bs. 920,2500 (fecha valor 20/11/2026)',
        'Tasa no disponible',
      ],
      calls: 1,
    });
    state.isSilent = true;
    expect(await results(page([['short', 'parallel']], 2 * HOUR_SEC - 3))).toEqual([
      'Bs. 850,0000 (de hace 120 min, leída hace 60 min)',
    ]);
    expect(await results(page([['short', 'parallel']], 2 * HOUR_SEC + 1))).toEqual([
      'Tasa no disponible',
    ]);
  });

  test('a page waits 3 s in all for a service that does not answer, and the next pages do not wait for a minute', async () => {
    const { page, state } = await shop();
    state.isSilent = true;
    const steps: readonly Step[] = [
      ['price', '10'],
      ['line', '10'],
      ['short', 'reference'],
      ['price', '20'],
    ];
    const waited = async (at: number, env = {}) => {
      const { calls, seconds } = await page(steps, at, env);
      return [calls, seconds];
    };
    expect(await waited(0)).toEqual([1, 3]);
    // A minute after the wait has ended.
    expect(await waited(MINUTE_SEC + 2)).toEqual([0, 0]);
    expect(await waited(MINUTE_SEC + 3)).toEqual([1, 3]);
    // A database that WordPress cannot write to changes nothing for one page.
    expect(await waited(HOUR_SEC, { FORGETS: '1' })).toEqual([1, 3]);
  });

  test('a rate is read once an hour and at midnight in Caracas, and a refused key once an hour', async () => {
    const { page, set } = await shop();
    const calls = async (at: number) => (await page([['price', '10']], at)).calls;
    expect(await calls(0)).toBe(2);
    expect(await calls(HOUR_SEC - 1)).toBe(0);
    expect(await calls(HOUR_SEC)).toBe(2);
    expect(await calls(MIDNIGHT_SEC - 61)).toBe(2);
    expect(await calls(MIDNIGHT_SEC - 1)).toBe(0);
    expect(await calls(MIDNIGHT_SEC)).toBe(2);
    await set({ key: `vfx_live_${'x'.repeat(38)}` });
    expect(await calls(MIDNIGHT_SEC + 1)).toBe(1);
    expect(await calls(MIDNIGHT_SEC + HOUR_SEC)).toBe(0);
    expect(await calls(MIDNIGHT_SEC + HOUR_SEC + 1)).toBe(1);
  });

  test('a month of pages each minute reads a rate 744 times, of two units each, as the guides say', async () => {
    const { page } = await shop();
    expect(await results(page([['is_due']]))).toEqual([744]);
  });

  test('the settings take only what they offer, keep the key when it is left empty, and never show it', async () => {
    const { page, set } = await shop();
    const [html] = await results(page([['settings']]));
    expect(html).toContain(RATE);
    expect(html).not.toContain('vfx_');
    await set({ key: '', rule: 'another', without: 'guess' });
    expect(
      await results(
        page([
          ['place', '10.00'],
          ['stored', 1],
        ]),
      ),
    ).toEqual([1, expect.objectContaining({ _vesfx_rule: 'value_date' })]);
    const { results: refused } = await set({ url: 'ftp://rates.example' });
    expect(refused).toEqual([['La dirección debe empezar por https:// o http://']]);
    expect(await results(page([['settings'], ['price', '10']], 0, { LOCALE: 'en_US' }))).toEqual([
      expect.stringContaining('Enter the address of the service and a key.'),
      '$10',
    ]);
  });

  test('what stands in wp-config.php is shown as such, and saving the settings never stores it', async () => {
    const { page, set } = await shop();
    const VESFX_KEY_IN_FILE = `vfx_live_${'f'.repeat(38)}`;
    await set({ key: 'vfx_live_before' });
    const form: Step = ['set', { url: 'http://rates.example', key: '' }];
    const inFile = await results(
      page([form, ['settings'], ['options']], 0, { LOCALE: 'en_US', VESFX_KEY_IN_FILE }),
    );
    expect(inFile[1]).toContain('set in wp-config.php');
    expect(inFile[2]).toMatchObject({ url: 'http://rates.example', key: 'vfx_live_before' });
    expect(JSON.stringify(inFile)).not.toContain(VESFX_KEY_IN_FILE);
    // Version 1.0.0 stored a copy, which goes with the next save.
    await set({ key: VESFX_KEY_IN_FILE });
    const copied = await results(page([form, ['options']], 0, { VESFX_KEY_IN_FILE }));
    expect(copied[1]).toMatchObject({ key: '' });
  });

  test('a key that is wrong or lacks a permission is named in words', async () => {
    const { page, set, service } = await shop();
    const shown = async (key: string) => {
      await set({ key });
      return (await results(page([['settings']])))[0];
    };
    expect(await shown(`vfx_live_${'x'.repeat(38)}`)).toContain(
      'Sin tasa confirmada de hoy: la clave no es válida (invalid_api_key)',
    );
    const { accounts } = service.service;
    const { id } = await accounts.create('Another shop', 'Gratis');
    const grant = { kind: 'restricted', scopes: ['official'] } as const;
    const { key } = await accounts.createKey(id, { grant });
    expect(await shown(key)).toContain('a la clave le falta un permiso (scope_missing)');
  });

  test('when it is deleted its settings and kept rates go, and what orders keep stays', async () => {
    const { page } = await shop();
    await page([
      ['place', '10.00'],
      ['short', 'reference'],
    ]);
    const [left] = await results(page([['leftovers', join(FOLDER, 'uninstall.php')]]));
    expect(left).toEqual([[], [], 1]);
  });

  test('it declares that it works with orders in tables of their own, and with both checkouts', async () => {
    const { page } = await shop();
    expect(await results(page([['declared']]))).toEqual([
      { custom_order_tables: true, cart_checkout_blocks: true },
    ]);
    const code = files.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n');
    expect(code).not.toMatch(/\b(get|update|add|delete)_post_meta\b|\bget_post\(|\$wpdb/);
  });

  test.runIf(hasCapability('site'))(
    'the code of the guides prints the invoice of an order, in both languages',
    async () => {
      const { page } = await shop();
      await page([['place', '10.00']]);
      const recipes = ['en', 'es'].flatMap((language) => {
        const guide = read(`src/capabilities/site/guides/${language}/woocommerce.md`);
        return [...guide.matchAll(/```php recipe\n([\s\S]*?)```/g)].map(([, code = '']) => code);
      });
      expect(recipes).toHaveLength(2);
      const printed = await results(page(recipes.map((code): Step => ['recipe', code, 1])));
      expect(new Set(printed)).toEqual(
        new Set(['Bs. 8005.00 — BCV 800.5, 2026-11-20 (value_date), reference']),
      );
    },
  );

  test('law: an amount is the exact product, rounded once, half away from zero', async () => {
    const { page } = await shop();
    const number = (digits: number, places: number) =>
      fc
        .bigInt({ min: 0n, max: 10n ** BigInt(digits) })
        .map((value) => `${value}`.padStart(places + 1, '0'))
        .map((text) => `${text.slice(0, -places)}.${text.slice(-places)}`);
    const cases = fc.sample(fc.tuple(number(13, 2), number(16, 8), fc.constantFrom(0, 2)), 500);
    const exact = ([one, other, decimals]: readonly [string, string, number]) => {
      const product = BigInt(one.replace('.', '')) * BigInt(other.replace('.', ''));
      const unit = 10n ** BigInt(10 - decimals);
      const text = `${(product * 2n + unit) / (unit * 2n)}`.padStart(decimals + 1, '0');
      return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
    };
    const steps = cases.map((one): Step => ['multiply', ...one]);
    expect(await results(page(steps))).toEqual(cases.map(exact));
  });

  test.each(files)('%s is sound PHP of 7.4, and cannot be called by itself', async (name) => {
    const { stdout } = await promisify(execFile)(php ?? 'php', ['-l', join(FOLDER, name)]);
    expect(stdout).toContain('No syntax errors');
    const code = readFileSync(join(FOLDER, name), 'utf8');
    expect(code).toMatch(/^defined\('(ABSPATH|WP_UNINSTALL_PLUGIN)'\) \|\| exit;$/m);
    // What came with PHP 8.
    expect(code).not.toMatch(
      /\?->|\bmatch \(|\benum \w|\breadonly \w|#\[|\bstr_(contains|starts_with|ends_with)\(|\w\|\w[\w|]* \$|\): (static|mixed)\b|: never\b/,
    );
  });
});

test('every sentence of the plugin has a Spanish one, and readme and main file say the same', () => {
  const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
  const code = files.map(read).join('\n');
  const said = [...code.matchAll(/__\('((?:[^'\\]|\\.)*)', 'vesfx-rates'\)/g)].map(
    ([, text]) => text,
  );
  const table = read('includes/spanish.php');
  const known = [...table.matchAll(/^ {4}'([^']+)' => /gm)].map(([, text]) => text);
  const [main, readme] = [read('vesfx-rates.php'), read('readme.txt')];
  const field = (text: string, name: string) =>
    new RegExp(`^[ *]*${name}: +(.*)$`, 'm').exec(text)?.[1];
  // The list of plugins translates the description in the head of the main file.
  expect(new Set([...said, field(main, 'Description')])).toEqual(new Set(known));
  expect(field(main, 'Version')).toBe(field(readme, 'Stable tag'));
  for (const name of ['Requires PHP', 'Requires at least', 'License']) {
    expect(field(main, name)).toBe(field(readme, name));
  }
});
