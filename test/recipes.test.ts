import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PUBLISHABLE_SCOPES } from '../src/domain/keys.ts';
import { fullMarket } from './harness/make.ts';
import { startTestService } from './harness/service.ts';

/** Runs the recipes against a real service; what the platforms bring stands in for them. */

const PAGES = ['recipes.md', 'recipes.es.md'];
const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

function blocksOf(page: string, kind: string): string[] {
  const blocks = read(page).matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, text = '']) => text);
}

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  service.clock.advance(4 * 3_600_000);
  return { service, key: await service.keyFor('Escala') };
}

/** Apps Script waits for an answer; the service lives in this process, so the recipe needs another. */
const IN_A_PROCESS = `
const { execFileSync } = require('node:child_process');
const { createContext, runInContext } = require('node:vm');
const fetchNow = (address, { headers }) => {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', name + ': ' + value]);
  const out = execFileSync('curl', ['-s', '-w', '%{http_code}', ...flags, address]).toString();
  return { getContentText: () => out.slice(0, -3), getResponseCode: () => Number(out.slice(-3)) };
};
const kept = new Map();
let asked = 0;
const context = createContext({
  PropertiesService: { getScriptProperties: () => ({ getProperty: (name) => process.env[name] }) },
  CacheService: { getScriptCache: () => ({
    get: (name) => kept.get(name) ?? null, put: (name, value) => kept.set(name, value) }) },
  SpreadsheetApp: { getActive: () => ({ getSpreadsheetTimeZone: () => 'America/Caracas' }) },
  Utilities: { formatDate: (date, timeZone, format) => format === 'yyyy-MM-dd' &&
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date) },
  UrlFetchApp: { fetch: (...given) => { asked += 1; return fetchNow(...given); } },
});
runInContext(process.env.RECIPE, context);
const outcome = (call) => { try { return runInContext(call, context); } catch (error) { return error.message; } };
console.log(JSON.stringify({
  official: outcome('VESFX(2.5)'), again: outcome('VESFX(2.5)'),
  stale: outcome('VESFX(1, "parallel")'), past: outcome('VESFX(1, "reference", "2026-11-20")'),
  cell: outcome('VESFX(2, "reference", new Date("2026-11-20T04:00:00Z"))'), blank: outcome('VESFX(1, "reference", "")'),
  unknown: outcome('VESFX(1, "nobody")'), asked }));
`;

const PHP_STUBS = `
define('VESFX_URL', getenv('VESFX_URL')); define('VESFX_KEY', getenv('VESFX_KEY'));
$kept = []; $filters = []; $shortcodes = [];
function get_transient($name) { return $GLOBALS['kept'][$name] ?? false; }
function set_transient($name, $value, $sec) { $GLOBALS['kept'][$name] = $value; }
function add_filter($name, $does) { $GLOBALS['filters'][$name] = $does; }
function add_shortcode($name, $does) { $GLOBALS['shortcodes'][$name] = $does; }
function shortcode_atts($defaults, $given) { return array_merge($defaults, (array) $given); }
function esc_html($text) { return htmlspecialchars($text); }
function is_wp_error($response) { return $response === null; }
function wp_remote_retrieve_response_code($response) { return $response['code']; }
function wp_remote_retrieve_body($response) { return $response['body']; }
function wp_remote_get($address, $options) {
    $header = 'X-API-Key: ' . $options['headers']['X-API-Key'];
    $context = stream_context_create(['http' => ['header' => $header, 'ignore_errors' => true]]);
    $body = file_get_contents($address, false, $context);
    return ['code' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
final class Product { function __construct(private $price) {} function get_price() { return $this->price; } }
`;

const PHP_CALLS = `
$html = $filters['woocommerce_get_price_html']; $short = $shortcodes['vesfx_rate'];
echo json_encode([
    'price' => $html('$10', new Product('10')), 'free' => $html('', new Product('')),
    'short' => $short([]), 'stale' => $short(['market' => 'parallel']), 'unknown' => $short(['market' => 'x']),
]);
`;

const php = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'php'))
  .find((path) => existsSync(path));

describe('the recipes', { timeout: 60_000 }, () => {
  test.each(['js', 'php', 'html', 'text', 'powerquery'])(
    'have the same %s in both languages',
    (kind) => {
      const [english, spanish] = PAGES.map((page) => blocksOf(page, kind));
      expect(english?.length).toBeGreaterThan(0);
      expect(spanish).toEqual(english);
    },
  );

  test('the function for Google Sheets converts, takes the date of a cell, caches a rate for a minute, and shows errors', async () => {
    const { service, key } = await serving();
    const [recipe] = blocksOf('recipes.md', 'js');
    const env = { ...process.env, VESFX_URL: service.url, VESFX_KEY: key, RECIPE: recipe };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', IN_A_PROCESS], { env });
    expect(JSON.parse(stdout)).toEqual({
      official: 2001.25,
      again: 2001.25,
      stale: 'The rate of parallel is stale.',
      past: 800.5,
      cell: 1601,
      blank: 800.5,
      unknown: expect.stringContaining('(resource_not_found)'),
      asked: 6,
    });
  });

  test('the formula for Google Sheets finds the rate in the CSV, with the key in the address', async () => {
    const { service } = await serving();
    const { accounts } = service.service;
    const { id } = await accounts.create('A sheet', 'Gratis');
    const limits = { origins: [], allowNoOrigin: true, requestsPerMinute: 60 };
    const grant = { kind: 'publishable', scopes: PUBLISHABLE_SCOPES, ...limits } as const;
    const { key } = await accounts.createKey(id, { grant });
    const formula =
      blocksOf('recipes.md', 'text').find((text) => text.includes('IMPORTDATA')) ?? '';
    const [, path = '', row, column] =
      /rates\.example([^"]+)", ",", "en_US"\), (\d), (\d)\)/.exec(formula) ?? [];
    const { status, text } = await service.call(path.replace('vfx_pub_…', key));
    expect(status).toBe(200);
    const cell = text.split('\r\n')[Number(row) - 1]?.split(',')[Number(column) - 1];
    expect(cell).toBe('800.5');
  });

  test('the query for Excel requests an address that works and has its columns', async () => {
    const { service, key } = await serving();
    const [query = ''] = blocksOf('recipes.md', 'powerquery');
    const path = /RelativePath = "([^"]+)"/.exec(query)?.[1];
    const header = /Headers = \[#"([^"]+)" = Key\]/.exec(query)?.[1] ?? '';
    const list = /Answer\[(\w+)\]/.exec(query)?.[1] ?? '';
    const { status, json } = await service.call(`/${path}`, { headers: { [header]: key } });
    expect(status).toBe(200);
    const [point] = json[list];
    const chosen = /FromRecords\([^{]+\{([^}]+)\}/.exec(query)?.[1]?.match(/\w+/g) ?? [];
    expect(Object.keys(point)).toEqual(expect.arrayContaining(chosen));
    const typed = [...query.matchAll(/\{"(\w+)", type (\w+)\}/g)];
    expect(typed.map(([, name]) => name)).toEqual(chosen);
    // The texts that Power Query accepts for each type with the locale en-US.
    const forms: Readonly<Record<string, RegExp>> = {
      date: /^\d{4}-\d\d-\d\d$/,
      number: /^\d+(\.\d+)?$/,
      datetimezone: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    };
    for (const [, name = '', type = ''] of typed)
      expect(`${point[name]}`).toMatch(forms[type] ?? /^$/);
    expect(point).toMatchObject({ rate: 800.5, updated_at: '2026-11-20T04:00:00.000Z' });
  });

  test("the page names the Odoo add-on's real fields and versions", () => {
    const company = new URL('../examples/odoo/vesfx_rates/models/res_company.py', import.meta.url);
    const code = readFileSync(company, 'utf8');
    for (const page of PAGES) {
      const [section = ''] = /## Odoo[\s\S]*?(?=\n## )/.exec(read(page)) ?? [];
      expect(section).toContain('examples/odoo/vesfx_rates');
      for (const field of ['inverse_company_rate', 'company_rate']) {
        expect([page, section.includes(`\`${field}\``), code.includes(`"${field}"`)]).toEqual([
          page,
          true,
          true,
        ]);
      }
    }
  });

  test('the snippets for WooCommerce and WordPress show a fresh rate and never a stale one', async ({
    skip,
  }) => {
    if (php === undefined) return skip('there is no PHP on this machine');
    const { service, key } = await serving();
    const program = [PHP_STUBS, ...blocksOf('recipes.md', 'php'), PHP_CALLS].join('\n');
    const env = { ...process.env, VESFX_URL: service.url, VESFX_KEY: key };
    const { stdout } = await promisify(execFile)(php, ['-r', program], { env });
    expect(JSON.parse(stdout)).toEqual({
      price: '$10 <small>Bs. 8.005,00</small>',
      free: '',
      short: 'Bs. 800,5000 (fecha valor 2026-11-20)',
      stale: 'Tasa no disponible',
      unknown: 'Tasa no disponible',
    });
  });
});
