import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../../test/harness/listening.ts';
import { fullMarket, official } from '../../../../test/harness/make.ts';
import { read } from '../../../../test/harness/repository.ts';
import { startTestService } from '../../../../test/harness/service.ts';
import { HOUR_MS } from '../../../core/domain/time.ts';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import { guideFile } from '../guides/guides.ts';
import { recipeBlocks, recipePage } from './recipes.ts';

/** Runs the recipes against a real service; what the platforms bring stands in for them. */

/** Of Debian's package `python3-pandas`. */
const PYTHON = '/usr/bin/python3';
const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0;
if (!hasPandas) process.stderr.write('NOT RUN, for there is no pandas: a year of a static copy\n');

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  service.clock.advance(4 * HOUR_MS);
  return { service, key: await service.keyFor('Escala') };
}

/** Apps Script waits for an answer; the service lives in this process, so the recipe needs another. */
const IN_A_PROCESS = `
const { execFileSync } = require('node:child_process');
const { createContext, runInContext } = require('node:vm');
const { RECIPE, STEPS, VESFX_URL, VESFX_KEY } = process.env;
let now = 0, isAway = false, key = '', asked = 0;
const fetchNow = (address, { headers }) => {
  asked += 1;
  if (isAway) throw new Error('Address unavailable');
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', name + ': ' + value]);
  const out = execFileSync('curl', ['-s', '-w', '%{http_code}', ...flags, address]).toString();
  return { getContentText: () => out.slice(0, -3), getResponseCode: () => Number(out.slice(-3)) };
};
const kept = new Map();
const cache = {
  get: (name) => kept.get(name)?.until > now ? kept.get(name).value : null,
  put: (name, value, sec) => kept.set(name, { value, until: now + sec * 1_000 }),
  remove: (name) => kept.delete(name),
};
const context = createContext({
  PropertiesService: { getScriptProperties: () => ({ getProperties: () => ({ VESFX_URL, VESFX_KEY: key }) }) },
  CacheService: { getScriptCache: () => cache },
  LockService: { getScriptLock: () => ({ waitLock() {}, releaseLock() {} }) },
  SpreadsheetApp: { getActive: () => ({ getSpreadsheetTimeZone: () => 'America/Caracas' }) },
  Utilities: { formatDate: (date, timeZone, format) => format === 'yyyy-MM-dd' &&
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date) },
  UrlFetchApp: { fetch: fetchNow },
});
context.nowMs = () => now;
runInContext('Date.now = nowMs;' + RECIPE, context);
const outcomes = JSON.parse(STEPS).map(([at, call, { away = false, wrongKey } = {}]) => {
  [now, isAway, key, asked] = [at, away, wrongKey ?? VESFX_KEY, 0];
  try { return [runInContext(call, context), asked]; } catch (error) { return [error.message, asked]; }
});
console.log(JSON.stringify(outcomes));
`;

type Step = readonly [at: number, call: string, how?: { away?: boolean; wrongKey?: string }];

/** What each call gives, and how many requests it makes. */
async function inSheet(
  service: { url: string },
  key: string,
  steps: readonly Step[],
  rule = 'value_date',
) {
  const [written] = recipeBlocks('en', 'js');
  const recipe = written?.replace("RULE = 'value_date'", `RULE = '${rule}'`);
  const given = { VESFX_URL: service.url, VESFX_KEY: key, RECIPE: recipe };
  const env = { ...process.env, ...given, STEPS: JSON.stringify(steps) };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', IN_A_PROCESS], { env });
  return JSON.parse(stdout);
}

const COMMENT = /\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
/** What a cell of a sheet says, in both languages. */
const SAID_IN_CELLS = [
  ['El monto debe ser mayor que 0.', 'The amount must be above zero.'],
  ['La fecha está vacía: eso no es hoy.', 'The date is empty: that is not today.'],
  ['La tasa de ', 'The rate of '],
  [' está desactualizada.', ' is stale.'],
  [' La última tasa fue ', ' The last rate was '],
  [', leída hace ', ', read '],
  [' min.`', ' min ago.`'],
  ['El servicio no responde.', 'The service does not answer.'],
] as const;

const inEnglish = (text: string) =>
  SAID_IN_CELLS.reduce((said, [spanish, english]) => said.replace(spanish, english), text);

const withoutComments = (text: string) => text.replaceAll(COMMENT, '');

describe('the recipes', () => {
  test.each(['js', 'php', 'html', 'text', 'powerquery', 'python'])(
    'have the same %s in both languages',
    (kind) => {
      const [spanish, english] = LANGUAGES.map((page) => recipeBlocks(page, kind));
      expect(english?.length).toBeGreaterThan(0);
      // A sheet in Spanish takes `;` between the arguments of a formula.
      const same = kind === 'text' ? spanish?.map((text) => text.replaceAll('; ', ', ')) : spanish;
      expect(same?.map(withoutComments).map(inEnglish)).toEqual(english?.map(withoutComments));
    },
  );

  test.each(['js', 'php'])('have no line in %s that a laptop cuts', (kind) => {
    const lines = LANGUAGES.flatMap((page) => recipeBlocks(page, kind).join('\n').split('\n'));
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  test.each(['js', 'php'])('have comments in the language of the page, in %s', (kind) => {
    const [spanish, english] = LANGUAGES.map((page) =>
      recipeBlocks(page, kind).flatMap((text) => text.match(COMMENT) ?? []),
    );
    expect(spanish).toHaveLength(english?.length ?? 0);
    expect(spanish?.filter((comment) => english?.includes(comment))).toEqual([]);
  });

  test('the function for Google Sheets converts, takes the date of a cell, and shows errors', async () => {
    const { service, key } = await serving();
    const now = service.clock.now();
    const steps: readonly Step[] = [
      [now, 'VESFX(2.5)'],
      [now, 'VESFX(0.01)'],
      [now, 'VESFX(1, "parallel")'],
      [now, 'VESFX(1, "reference", "2026-11-20")'],
      [now, 'VESFX(2, "reference", new Date("2026-11-20T04:00:00Z"))'],
      [now, 'VESFX(1, "reference", "now", true)'],
      [now, 'VESFX(1, "nobody")'],
      [now, 'VESFX(0)'],
      // A blank cell.
      [now, 'VESFX(1, "reference", "")'],
      [now, 'VESFX(1, "reference", " ")'],
      [now, 'VESFX(1, "reference", null)'],
    ];
    expect(await inSheet(service, key, steps)).toEqual([
      [2001.25, 1],
      // 8.005, half away from zero as in the service.
      [8.01, 0],
      ['The rate of parallel is stale.', 1],
      [800.5, 1],
      [1601, 0],
      [[[800.5, '2026-11-20T04:00:00.000Z']], 0],
      [expect.stringContaining('(resource_not_found)'), 1],
      ['The amount must be above zero.', 0],
      ['The date is empty: that is not today.', 0],
      ['The date is empty: that is not today.', 0],
      ['The date is empty: that is not today.', 0],
    ]);
  });

  test('the function for Google Sheets takes a day without banks by the rule that is set, which other markets do not have', async () => {
    const service = await startTestService({ start: Date.parse('2026-11-24T15:00:00Z') });
    await service.push(...fullMarket(), official('2026-11-24', { USD: 810 }));
    const key = await service.keyFor('Escala');
    const now = service.clock.now();
    const steps: readonly Step[] = [
      [now, 'VESFX(1, "reference", "2026-11-22")'],
      [now, 'VESFX(1, "bcv", "2026-11-22")'],
      [now, 'VESFX(1, "parallel", "2026-11-22")'],
      [now, 'VESFX(1, "reference", "2026-11-20")'],
    ];
    const ratesBy = async (rule?: string) =>
      (await inSheet(service, key, steps, rule)).map(([value]: [unknown]) => value);
    expect(await ratesBy()).toEqual([800.5, 800.5, 850, 800.5]);
    expect(await ratesBy('next_banking_day')).toEqual([810, 810, 850, 800.5]);
  });

  test('the function for Google Sheets requests the rate of a past date once in six hours', async () => {
    const service = await startTestService({ start: Date.parse('2026-11-24T15:00:00Z') });
    await service.push(...fullMarket());
    const now = service.clock.now();
    const times = [now, now + 6 * HOUR_MS - 1, now + 6 * HOUR_MS];
    const steps = times.map((at): Step => [at, 'VESFX(1, "reference", "2026-11-20")']);
    const outcomes = await inSheet(service, await service.keyFor('Escala'), steps);
    expect(outcomes).toEqual([
      [800.5, 1],
      [800.5, 0],
      [800.5, 1],
    ]);
  });

  test('the function for Google Sheets requests an official rate once an hour and at midnight in Caracas, others every five minutes', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const now = service.clock.now();
    const midnight = now + 16 * HOUR_MS;
    const steps: readonly Step[] = [
      [now, 'VESFX(1)'],
      [now + HOUR_MS - 1, 'VESFX(2)'],
      [now + HOUR_MS, 'VESFX(3)'],
      [midnight - 1_000, 'VESFX(1)'],
      [midnight - 1, 'VESFX(1)'],
      [midnight, 'VESFX(1)'],
      [now, 'VESFX(1, "parallel")'],
      [now + 299_999, 'VESFX(2, "parallel")'],
      [now + 300_000, 'VESFX(2, "parallel")'],
    ];
    const outcomes = await inSheet(service, await service.keyFor('Gratis'), steps);
    expect(outcomes.map(([, asked]: [unknown, number]) => asked)).toEqual([
      1, 0, 1, 1, 0, 1, 1, 0, 1,
    ]);
  });

  test('the function for Google Sheets requests nothing for a minute after a failure, and shows an old rate only as text with its age', async () => {
    const { service, key } = await serving();
    const now = service.clock.now();
    const away = { away: true };
    const wrong = { wrongKey: `vfx_live_${'x'.repeat(38)}` };
    const later = now + HOUR_MS + 60_000;
    const steps: readonly Step[] = [
      [now, 'VESFX(1, "nobody")'],
      [now, 'VESFX(2, "nobody")'],
      [now, 'VESFX(1)'],
      [now + HOUR_MS, 'VESFX(1)', away],
      [later - 1, 'VESFX(1, "eur_reference")', away],
      [later, 'VESFX(2)', away],
      [later + 60_000, 'VESFX(3)'],
      [later + 60_000, 'VESFX(1, "binance")', wrong],
      [later + 60_000, 'VESFX(1, "okx")', wrong],
    ];
    const gone = 'The service does not answer. (network_error)';
    const refused = expect.stringContaining('(invalid_api_key)');
    expect(await inSheet(service, key, steps)).toEqual([
      [expect.stringContaining('(resource_not_found)'), 1],
      [expect.stringContaining('(resource_not_found)'), 0],
      [800.5, 1],
      [`${gone} The last rate was 800.5, read 60 min ago.`, 1],
      [gone, 0],
      [`${gone} The last rate was 800.5, read 61 min ago.`, 1],
      [2401.5, 1],
      [refused, 1],
      [refused, 0],
    ]);
  });

  test('the formula for Google Sheets finds the rate in the CSV, with the key in the address', async () => {
    const { service } = await serving();
    const { accounts } = service.service;
    const { id } = await accounts.create('A sheet', 'Gratis');
    const limits = { origins: [], allowNoOrigin: true, requestsPerMinute: 60 };
    // The free plan has one such key, so it needs the permissions of both formulas.
    const grant = { kind: 'publishable', scopes: ['rates', 'official'], ...limits } as const;
    const { key } = await accounts.createKey(id, { grant });
    const formula = recipeBlocks('en', 'text').find((text) => text.includes('IMPORTDATA')) ?? '';
    const [, path = '', row, column] =
      /rates\.example([^"]+)", ",", "en_US"\), (\d), (\d)\)/.exec(formula) ?? [];
    const { status, text } = await service.call(path.replace('vfx_pub_…', key));
    expect(status).toBe(200);
    const cell = text.split('\r\n')[Number(row) - 1]?.split(',')[Number(column) - 1];
    expect(cell).toBe('800.5');
    const days = recipeBlocks('en', 'text').find((text) => text.includes('days=all')) ?? '';
    const [, table = ''] = /rates\.example([^"]+)", ",", "en_US"\)/.exec(days) ?? [];
    const { text: rows } = await service.call(table.replace('vfx_pub_…', key));
    expect(rows.split('\r\n')[1]).toMatch(/^2026-11-20,800\.5,2026-11-20,true,0,/);
  });

  test.each([
    ['google-sheets', 'vfx_rk_live_', ['rates'], '/v1/fx/convert?from=USD&to=VES&amount=1'],
    ['google-sheets', 'vfx_pub_', ['official'], '/v1/fx/official/history?days=all'],
    ['excel', 'vfx_rk_live_', ['history'], '/v1/fx/rates/parallel/history'],
    ['excel', 'vfx_rk_live_', ['official'], '/v1/fx/official/history?days=all'],
    ['pandas', '', ['history'], '/v1/fx/rates/parallel/history?format=csv'],
    ['pandas', '', ['official'], '/v1/fx/official/history?days=all&format=csv'],
    ['odoo', 'vfx_rk_live_', ['rates'], '/v1/fx/rates/parallel'],
    ['odoo', 'vfx_rk_live_', ['official'], '/v1/fx/official'],
    ['odoo', 'vfx_rk_live_', ['official'], '/v1/fx/official/history?days=all'],
    ['odoo', 'vfx_rk_live_', ['history'], '/v1/fx/rates/parallel/history'],
    ['woocommerce', 'vfx_rk_live_', ['rates'], '/v1/fx/rates/reference?details=true'],
    ['woocommerce', 'vfx_rk_live_', ['official'], '/v1/fx/official'],
    ['website', 'vfx_pub_', ['rates'], '/v1/fx/convert?from=USD&to=VES&amount=1'],
  ] as const)('%s names the key %s with %j that %s needs', async (name, prefix, scopes, path) => {
    const { service } = await serving();
    const { accounts } = service.service;
    const { id } = await accounts.create('A recipe', 'Escala');
    const { key } = await accounts.createKey(id, { grant: { kind: 'restricted', scopes } });
    expect((await service.call(path, { key })).status).toBe(200);
    for (const language of LANGUAGES) {
      const text = guideFile(name, language);
      expect(text).toContain(prefix);
      for (const scope of scopes) expect(text).toContain(`\`${scope}\``);
    }
  });

  test('the formula, the query and the table of a static copy take columns that its years have', () => {
    // Contract §22.
    const columns = [
      ...['date', 'currency', 'rate', 'value_date', 'business_day', 'carried_days'],
      ...['next_banking_day', 'next_banking_day_rate'],
    ];
    const formula = recipeBlocks('en', 'text').find((text) => text.includes('/2026.csv"')) ?? '';
    const [, chosen = ''] = /select ([^"]+) where Col2 = 'USD'/.exec(formula) ?? [];
    const namesOf = (places: string) =>
      [...places.matchAll(/Col(\d)/g)].map(([, place]) => columns[Number(place) - 1]);
    expect([...namesOf(chosen), columns[1]]).toEqual(['date', 'rate', 'value_date', 'currency']);
    const [, other = ''] =
      /`select ([^`]+) where Col2 = 'USD' and Col8 is not null`/.exec(recipePage('en')) ?? [];
    expect(namesOf(other)).toEqual(['date', 'next_banking_day_rate', 'next_banking_day']);
    const query = recipeBlocks('en', 'powerquery').find((text) => text.includes('Csv.')) ?? '';
    expect(query).toContain('RelativePath = "v1/official/2026.csv"');
    const typed = [...query.matchAll(/\{"(\w+)", type/g)].map(([, name = '']) => name);
    expect(typed).toEqual(['date', 'rate', 'value_date']);
  });

  test.skipIf(!hasPandas)(
    'the table for pandas reads a year of a static copy and shows the last days of the dollar',
    async () => {
      const head = 'date,currency,rate,value_date,business_day,carried_days';
      const rows = ['20', '21'].flatMap((day, carried) =>
        ['USD,771.0714', 'EUR,889.45399204'].map(
          (rate) => `2026-11-${day},${rate},2026-11-20,${carried === 0},${carried}`,
        ),
      );
      const server = createServer((request, response) => {
        const isYear = request.url === '/copy/v1/official/2026.csv';
        response.writeHead(isYear ? 200 : 404, { 'Content-Type': 'text/csv' });
        response.end([head, ...rows, ''].join('\r\n'));
      });
      const address = await listening(server);
      const [program = ''] = recipeBlocks('en', 'python');
      const own = program.replace('https://rates.example', address);
      const { stdout } = await promisify(execFile)(PYTHON, ['-c', own]);
      expect(stdout.trim().split(/\n\s*/)).toEqual([
        'date     rate value_date',
        '2026-11-20 771.0714 2026-11-20',
        '2026-11-21 771.0714 2026-11-20',
      ]);
    },
  );

  test('the crontab of the recipes has five lines with its comment, the same in both languages', () => {
    const crontabs = ['docs/recipes.md', 'docs/recipes.es.md'].map((page) => {
      const [, block = ''] = /```text\n(PATH=[\s\S]*?)\n```/.exec(read(page)) ?? [];
      return block.split('\n').filter((line) => !line.startsWith('#'));
    });
    expect(crontabs[0]).toEqual(crontabs[1]);
    const jobs = crontabs[0]?.filter((line) => /^\d+ \d+ \* \* \* vesfx export /.test(line));
    expect([crontabs[0]?.length, jobs?.length]).toEqual([4, 2]);
  });

  test('the query for Excel requests an address that works and has its columns, by both rules', async () => {
    const { service, key } = await serving();
    const [query = '', copied = ''] = recipeBlocks('en', 'powerquery');
    const path = /RelativePath = "([^"]+)"/.exec(query)?.[1];
    const [, from = ''] = /From = "([^"]+)"/.exec(query) ?? [];
    const asked = /Query = \[([^\]]+)\]/.exec(query)?.[1] ?? '';
    const text = [...asked.matchAll(/(\w+) = ("?)(\w+)/g)]
      .map(([, name, quote, value]) => `${name}=${quote ? value : { From: from }[`${value}`]}`)
      .join('&');
    expect(text).toBe('days=all&currency=USD&from=2026-01-01');
    const header = /Headers = \[#"([^"]+)" = Key\]/.exec(query)?.[1] ?? '';
    const list = /Answer\[(\w+)\]/.exec(query)?.[1] ?? '';
    const { status, json } = await service.call(`/${path}?${text}`, { headers: { [header]: key } });
    expect(status).toBe(200);
    const [row] = json[list];
    const rules = [...query.matchAll(/Rule = "(\w+)" then \{([^}]+)\}/g)].map(
      ([, rule, names = '']) => [rule, names.match(/\w+/g)],
    );
    expect(rules).toEqual([
      ['value_date', ['rate', 'value_date']],
      ['next_banking_day', ['next_banking_day_rate', 'next_banking_day']],
    ]);
    expect(Object.keys(row)).toEqual(
      expect.arrayContaining(rules.flatMap(([, names]) => names ?? [])),
    );
    // That of a static copy goes on in the same way.
    const [tail, sameTail] = [query, copied].map((one) => one.slice(one.indexOf('    Columns =')));
    expect(sameTail).toBe(tail);
    const point = { date: row.date, rate: row.rate, value_date: row.value_date };
    const typed = [...query.matchAll(/\{"(\w+)", type (\w+)\}/g)];
    expect(typed.map(([, name]) => name)).toEqual(Object.keys(point));
    // The texts that Power Query accepts for each type with the locale en-US.
    const forms: Readonly<Record<string, RegExp>> = {
      date: /^\d{4}-\d\d-\d\d$/,
      number: /^\d+(\.\d+)?$/,
    };
    for (const [, name = '', type = ''] of typed)
      expect(`${row[name]}`).toMatch(forms[type] ?? /^$/);
    expect(point).toEqual({ date: '2026-11-20', rate: 800.5, value_date: '2026-11-20' });
  });

  test("the page names the Odoo add-on's real fields and versions", () => {
    const company = new URL(
      '../../../../examples/odoo/vesfx_rates/models/res_company.py',
      import.meta.url,
    );
    const code = readFileSync(company, 'utf8');
    for (const page of LANGUAGES) {
      const [section = ''] = /## Odoo[\s\S]*?(?=\n## )/.exec(recipePage(page)) ?? [];
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
});
