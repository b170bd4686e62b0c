import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../../test/harness/listening.ts';
import { fullMarket } from '../../../../test/harness/make.ts';
import { onPath } from '../../../../test/harness/on-path.ts';
import { read } from '../../../../test/harness/repository.ts';
import { START, startTestService, temporaryDir } from '../../../../test/harness/service.ts';
import { recipeBlocks, recipePage } from './recipes.ts';

/** The snippets for WooCommerce and WordPress: each page is a process, what WordPress brings stands in. */

const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;
/** Noon in UTC is 08:00 in Caracas. */
const MIDNIGHT_SEC = 16 * HOUR_SEC;
const NOON_SEC = START / 1_000;

/** `time` of this namespace is the clock; a request without an answer moves it by its time-out. */
const WORDPRESS = `
namespace Shop;
define('VESFX_URL', getenv('VESFX_URL')); define('VESFX_KEY', getenv('VESFX_KEY'));
$begun = $now = (int) getenv('NOW'); $filters = []; $shortcodes = []; $calls = 0;
$store = is_file(getenv('STORE')) ? unserialize(file_get_contents(getenv('STORE'))) : [];
function time() { return $GLOBALS['now']; }
function get_transient($name) {
    [$value, $until] = $GLOBALS['store'][$name] ?? [false, 0];
    return $until > time() ? $value : false;
}
function set_transient($name, $value, $sec) {
    if (!getenv('FORGETS')) { $GLOBALS['store'][$name] = [$value, time() + $sec]; }
}
function add_filter($name, $does) { $GLOBALS['filters'][$name] = $does; }
function add_shortcode($name, $does) { $GLOBALS['shortcodes'][$name] = $does; }
function shortcode_atts($defaults, $given) { return array_merge($defaults, (array) $given); }
function esc_html($text) { return htmlspecialchars($text); }
function get_woocommerce_currency() { return getenv('CURRENCY') ?: 'USD'; }
function human_time_diff($from, $to) { return intdiv($to - $from, 60) . ' min'; }
function is_wp_error($response) { return $response === null; }
function wp_remote_retrieve_response_code($response) { return $response['code']; }
function wp_remote_retrieve_body($response) { return $response['body']; }
function wp_remote_retrieve_header($response, $name) {
    $found = preg_grep("/^$name: /i", $response['headers']);
    return $found ? explode(': ', current($found), 2)[1] : '';
}
function wp_remote_get($address, $options) {
    $GLOBALS['calls']++;
    $header = 'X-API-Key: ' . $options['headers']['X-API-Key'];
    $http = ['header' => $header, 'ignore_errors' => true, 'timeout' => getenv('SILENT') ? 0.2 : 20];
    $body = @file_get_contents($address, false, stream_context_create(['http' => $http]));
    if ($body === false) { $GLOBALS['now'] += $options['timeout']; return null; }
    return ['code' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body, 'headers' => $http_response_header];
}
function wc_get_price_to_display($product) { return $product->get_price() * (getenv('TAX') ?: 1); }
final class Product {
    private array $prices;
    function __construct($prices, private $type = 'simple') { $this->prices = explode('-', $prices); }
    function get_price() { return $this->prices[0]; }
    function is_type($type) { return $type === (isset($this->prices[1]) ? 'variable' : $this->type); }
    function get_variation_price($which, $is_shown) {
        return $which($this->prices) * ($is_shown ? getenv('TAX') ?: 1 : 1);
    }
}
`;

const PAGE = `
$price = $filters['woocommerce_get_price_html']; $short = $shortcodes['vesfx_rate'];
$show = fn ($one) => $one[0] === '$' ? $price($one, new Product(...explode(' ', substr($one, 1)))) : $short(['market' => $one]);
$shown = array_map($show, json_decode(getenv('SHOWS')));
file_put_contents(getenv('STORE'), serialize($store));
echo json_encode(['shown' => $shown, 'calls' => $calls, 'seconds' => $now - $begun]);
`;

/** A page for each minute of 31 days: how often is a rate of the type asked for? */
const MONTH = `
$asked = 0; $read_at = 0;
for ($now = ${NOON_SEC}; $now < ${NOON_SEC} + 31 * 86400; $now += 60) {
    if (vesfx_is_due(['type' => getenv('TYPE')], $read_at, $now)) { $asked++; $read_at = $now; }
}
echo json_encode($asked);
`;

const EIGHT_PRODUCTS = ['$10', '$20', '$30', '$40', '$50', '$60', '$70', '$80'];
const php = onPath('php');
const program = (end: string) => [WORDPRESS, ...recipeBlocks('en', 'php'), end].join('\n');

interface Page {
  readonly shown: readonly string[];
  readonly calls: number;
  readonly seconds: number;
}

async function run(end: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const options = { env: { ...process.env, ...env } };
  const args = ['-d', 'error_reporting=-1', '-r', program(end)];
  return JSON.parse((await promisify(execFile)(php ?? 'php', args, options)).stdout);
}

/** A shop that keeps what WordPress keeps between pages. `at` is seconds after noon. */
async function shopOf(url: string, key: string) {
  const STORE = join(await temporaryDir(), 'transients');
  return (shows: readonly string[], at = 0, env: Readonly<Record<string, string>> = {}) => {
    const given = { VESFX_URL: url, VESFX_KEY: key, SHOWS: JSON.stringify(shows), STORE };
    return run(PAGE, { ...given, NOW: `${NOON_SEC + at}`, ...env }) as Promise<Page>;
  };
}

/** A shop and a real service, which stops answering when `SILENT` says so. */
/** A shop before a real service, which can go silent: then it takes requests and never answers. */
async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Escala');
  const state = { isSilent: false };
  const server = createServer(async ({ url = '/', headers }, response) => {
    if (state.isSilent) return;
    const { status, text } = await service.call(url, { key: `${headers['x-api-key']}` });
    // The clock of the shop may be wrong, so the recipe reads that of the service.
    const headersOfNow = { Date: new Date(service.clock.now()).toUTCString() };
    response.writeHead(status, headersOfNow).end(text);
  });
  const shop = await shopOf(await listening(server), key);
  const page: typeof shop = (shows, at = 0, env = {}) => {
    service.clock.set((NOON_SEC + at) * 1_000);
    return shop(shows, at, { SILENT: state.isSilent ? '1' : '', ...env });
  };
  return { page, state };
}

describe.skipIf(php === undefined)('the snippets for WooCommerce', () => {
  test('show a fresh rate, say how old a rate is, and never show a stale one', async () => {
    const { page, state } = await serving();
    const shows = ['$10', '$', 'reference', 'parallel', 'eur_reference', 'nobody'];
    expect(await page(shows, HOUR_SEC)).toEqual({
      shown: [
        '$10 <small>Bs. 8.005,00</small>',
        '$',
        'Bs. 800,5000 (fecha valor 2026-11-20)',
        'Bs. 850,0000 (de hace 60 min)',
        'Bs. 920,2500 (fecha valor 2026-11-20)',
        'Tasa no disponible',
      ],
      calls: 1,
      seconds: 0,
    });
    // The parallel rate is stale two hours after its update, however recently it was read.
    state.isSilent = true;
    expect((await page(['parallel'], 2 * HOUR_SEC - 3)).shown).toEqual([
      'Bs. 850,0000 (de hace 120 min, leída hace 60 min)',
    ]);
    expect((await page(['parallel'], 2 * HOUR_SEC + 1)).shown).toEqual(['Tasa no disponible']);
  });

  test('change no price of a shop that sells in another currency than that of the rate', async () => {
    const { page } = await serving();
    expect((await page(['$10'], 0, { CURRENCY: 'EUR' })).shown).toEqual(['$10']);
  });

  test('show the price that the customer sees, with its taxes, and say that a product has several', async () => {
    const { page } = await serving();
    const bolivares = async (product: string, TAX = '') =>
      (await page([product], HOUR_SEC, { TAX })).shown[0]?.replace(/^.*<small>(.*)<.*$/, '$1');
    expect(await bolivares('$10', '1.16')).toBe('Bs. 9.285,80');
    expect(await bolivares('$10-20')).toBe('desde Bs. 8.005,00');
    expect(await bolivares('$10-20', '1.16')).toBe('desde Bs. 9.285,80');
    // Variants of one price.
    expect(await bolivares('$10-10')).toBe('Bs. 8.005,00');
    expect(await bolivares('$10 grouped')).toBe('desde Bs. 8.005,00');
  });

  test('a page of eight products waits 3 s in all for a service that does not answer, and the next pages do not wait for a minute', async () => {
    const { page, state } = await serving();
    state.isSilent = true;
    const none = { shown: EIGHT_PRODUCTS, calls: 0, seconds: 0 };
    const waited = { ...none, calls: 1, seconds: 3 };
    expect(await page(EIGHT_PRODUCTS)).toEqual(waited);
    expect(await page(EIGHT_PRODUCTS, MINUTE_SEC - 1)).toEqual(none);
    expect(await page(EIGHT_PRODUCTS, MINUTE_SEC)).toEqual(waited);
    // A database that WordPress cannot write to changes nothing for one page.
    expect(await page(EIGHT_PRODUCTS, HOUR_SEC, { FORGETS: '1' })).toEqual(waited);
  });

  test('a wrong key is asked once an hour, and a new key at once', async () => {
    const { page } = await serving();
    const wrong = { VESFX_KEY: `vfx_live_${'x'.repeat(38)}` };
    const asked = async (at: number, env = {}) => (await page(EIGHT_PRODUCTS, at, env)).calls;
    expect(await asked(0, wrong)).toBe(1);
    expect(await asked(HOUR_SEC - 1, wrong)).toBe(0);
    expect(await asked(HOUR_SEC - 1)).toBe(1);
    expect(await asked(HOUR_SEC, wrong)).toBe(1);
  });

  test('an official rate is asked for once an hour and at midnight in Caracas, another one every five minutes', async () => {
    const { page } = await serving();
    const asked = async (market: string, at: number) => (await page([market], at)).calls;
    expect(await asked('reference', 0)).toBe(1);
    expect(await asked('parallel', 299)).toBe(0);
    expect(await asked('parallel', 300)).toBe(1);
    expect(await asked('reference', 300 + HOUR_SEC - 1)).toBe(0);
    expect(await asked('reference', 300 + HOUR_SEC)).toBe(1);
    expect(await asked('reference', MIDNIGHT_SEC - 61)).toBe(1);
    expect(await asked('reference', MIDNIGHT_SEC - 1)).toBe(0);
    expect(await asked('reference', MIDNIGHT_SEC)).toBe(1);
  });

  test('while the service is away the last rate is shown with its age, for a day', async () => {
    const { page, state } = await serving();
    const shown = async (at: number) => (await page(['$10', 'reference'], at)).shown;
    const fresh = ['$10 <small>Bs. 8.005,00</small>', 'Bs. 800,5000 (fecha valor 2026-11-20)'];
    expect(await shown(0)).toEqual(fresh);
    state.isSilent = true;
    expect(await shown(HOUR_SEC - 1)).toEqual(fresh);
    const aged = (minutes: number) => [
      `$10 <small>Bs. 8.005,00 (tasa leída hace ${minutes} min)</small>`,
      `Bs. 800,5000 (fecha valor 2026-11-20, leída hace ${minutes} min)`,
    ];
    expect(await shown(HOUR_SEC)).toEqual(aged(60));
    // Without the time that the page waits.
    expect(await shown(DAY_SEC - 4)).toEqual(aged(1_439));
    expect(await shown(DAY_SEC)).toEqual(['$10', 'Tasa no disponible']);
  });

  test('cost at most the units that both pages say', async () => {
    const month = (type: string) => run(MONTH, { TYPE: type, STORE: '' });
    expect([await month('reference'), await month('parallel')]).toEqual([744, 8_928]);
    for (const [page, language, others] of [
      ['recipes.md', 'en', '8,928'],
      ['recipes.es.md', 'es', '8.928'],
    ] as const) {
      const row = /^\| WooCommerce.*$/m.exec(read(`docs/${page}`))?.[0];
      const [, guide = ''] = recipePage(language).split('## WooCommerce');
      const said = guide.replaceAll('\n', ' ');
      expect(said).toContain(' 744 ');
      expect(said).toContain(` ${others} `);
      expect(row).toContain(' 744 ');
      expect(row).toContain(` ${others} `);
    }
  });
});
