import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { CatalogueError, loadCatalogue } from './catalogue.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-catalogue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A packaged file with one piece of its text replaced; fails when the piece is not there. */
function change(name: string, from: string | RegExp, to: string): string {
  const text = readFileSync(join(PACKAGED_CATALOGUE, name), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(join(folder, name), changed);
  return changed;
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function faultOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof CatalogueError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error('the catalogue was accepted');
}

const fault = () => faultOf(() => loadCatalogue(folder));

/** Line, from 1, of the first line that has the piece of text. */
function lineOf(text: string, piece: string): number {
  return text.split('\n').findIndex((line) => line.includes(piece)) + 1;
}

describe('the packaged catalogue', () => {
  test('§2.1 lists the markets by type: official, parallel, P2P, remittances, houses, cash', () => {
    const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
    const p2p = ['binance', 'bingx', 'bitget', 'bybit', 'mexc', 'okx', 'saldo'];
    expect(markets.list.map(({ id }) => id)).toEqual([
      'reference',
      'eur_reference',
      'parallel',
      ...p2p,
      'remittance_market_1',
      'remittance_market_2',
      'extended_market_4',
      'extended_market_1',
      'extended_market_2',
      'extended_market_3',
      'cash',
      'cucuta',
    ]);
    // The file itself is in that order, so that its editor sees what callers see.
    const file: unknown = JSON.parse(
      readFileSync(join(PACKAGED_CATALOGUE, 'markets.json'), 'utf8'),
    );
    expect(file).toMatchObject(markets.list.map(({ id }) => ({ id })));
  });

  test('§2.1 gives each group of markets its cheapest plan', () => {
    const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
    const planOf = (id: string) => markets.find(id)?.requiredPlan;
    for (const id of ['reference', 'eur_reference', 'parallel', 'saldo']) {
      expect(planOf(id)).toBeUndefined();
    }
    expect(planOf('remittance_market_2')).toBe('Esencial');
    for (const number of [1, 2, 3, 4]) {
      expect(planOf(`extended_market_${number}`)).toBe('Profesional');
    }
    expect([planOf('cash'), planOf('cucuta')]).toEqual(['Escala', 'Escala']);
  });

  test('contract §1: has the aliases and ages of its table', () => {
    const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
    expect(markets.find('bcv')?.id).toBe('reference');
    expect(markets.find('oficial')?.id).toBe('reference');
    expect(markets.find('bcv_eur')?.id).toBe('eur_reference');
    expect(markets.find('euro')?.id).toBe('eur_reference');
    expect(markets.find('paralelo')?.id).toBe('parallel');
    const venues = ['binance', 'bingx', 'bitget', 'bybit', 'mexc', 'okx', 'saldo'];
    expect(venues.map((_, index) => markets.find(`p2p_market_${index + 1}`)?.id)).toEqual(venues);
    const ages = new Map(markets.list.map(({ type, staleAfterSec }) => [type, staleAfterSec]));
    expect(Object.fromEntries(ages)).toEqual({
      reference: 475_200,
      parallel: 7_200,
      p2p: 900,
      remittance: 21_600,
      exchange_house: 21_600,
      cash: 86_400,
    });
    const drops = new Map(markets.list.map(({ type, dropAfterSec }) => [type, dropAfterSec]));
    expect(Object.fromEntries(drops)).toEqual({
      reference: undefined,
      parallel: 604_800,
      p2p: 172_800,
      remittance: 604_800,
      exchange_house: 604_800,
      cash: 604_800,
    });
  });
});

describe('a folder of the operator', () => {
  test('gets a missing file from the package', () => {
    expect(loadCatalogue(folder).plans.list).toHaveLength(5);
    change('plans.json', '"history_days": 30', '"history_days": 31');
    const { plans, markets } = loadCatalogue(folder);
    expect(plans.find('inicio')?.historyDays).toBe(31);
    expect(markets.list).toHaveLength(18);
  });

  test('may have null limits, and required plans in any letter case', () => {
    change('plans.json', '"units_per_month": 15000,', '"units_per_month": null,');
    change('markets.json', '"required_plan": "Escala"', '"required_plan": "eSCALA"');
    expect(loadCatalogue(folder).plans.find('Inicio')?.unitsPerMonth).toBeNull();
    expect(loadCatalogue(folder).markets.find('cash')?.requiredPlan).toBe('Escala');
    change('markets.json', '"required_plan": "Escala"', '"required_plan": "gratis"');
    expect(loadCatalogue(folder).markets.find('cash')?.requiredPlan).toBeUndefined();
  });

  test('may have a byte order mark and CRLF', () => {
    const text = readFileSync(join(PACKAGED_CATALOGUE, 'plans.json'), 'utf8');
    write('plans.json', `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(loadCatalogue(folder).plans.list).toHaveLength(5);
  });

  test('a missing folder is refused', () => {
    const missing = join(folder, 'typo');
    expect(faultOf(() => loadCatalogue(missing))).toBe('typo: there is no such folder');
  });

  test('a file that cannot be read is refused', () => {
    mkdirSync(join(folder, 'plans.json'));
    expect(fault()).toMatch(/^plans\.json: cannot be read: EISDIR/);
  });
});

describe('a fault names file, line and problem', () => {
  test('plans.json: a wrong cell', () => {
    const text = change('plans.json', '"history_days": 30', '"history_days": "30"');
    const line = lineOf(text, '"history_days": "30"');
    expect(fault()).toBe(`plans.json:${line}: Inicio.history_days must be a whole number or null`);
  });

  test('contract §9: a file without official_days keeps its depth', () => {
    change('plans.json', '    "official_days": 365,\n', '');
    expect(loadCatalogue(folder).plans.find('Inicio')?.officialDays).toBe(30);
  });

  test.each([
    ['"keys_max": 2', '"keys_max": 1.5', 'Inicio.keys_max must be a whole number or null'],
    ['"keys_max": 2', '"keys_max": -1', 'Inicio.keys_max must be 0 or more, or null'],
    ['"keys_max": 2', '"keys_max": 1e400', 'Inicio.keys_max must be a whole number or null'],
    ['"keys_max": 2,', '"keys_max": 2, "colour": 1,', 'Inicio.colour is not a known field'],
    ['["json", "csv"]', '["csv"]', 'Inicio.formats must include json'],
    ['["json", "csv"]', '["json", "pdf"]', 'Inicio.formats[1] must be one of json, csv, xml'],
    ['["json", "csv"]', '["json", "json"]', 'Inicio.formats must not have the same format twice'],
    ['["json", "csv"]', '"json"', 'Inicio.formats must be a list of formats'],
    ['["markup"]', '["markup", "magic"]', /Inicio\.features\[1\] must be one of markets, spread/],
    ['"Inicio": {', '"Ini\\nio": {', /the plan name "Ini\nio" must be/],
    ['"Escala"', '"GRATIS"', 'the plan GRATIS is there twice but for the case of its letters'],
  ])('plans.json: %s written as %s', (from, to, problem) => {
    change('plans.json', from, to);
    expect(fault()).toMatch(/^plans\.json:\d+: /);
    expect(fault()).toMatch(problem);
  });

  test('plans.json: a missing limit is reported at its plan', () => {
    const text = change('plans.json', '    "history_days": 7,\n', '');
    expect(fault()).toBe(`plans.json:${lineOf(text, '"Gratis"')}: Gratis.history_days is missing`);
  });

  test.each([
    ['{}', '1: must have at least one plan'],
    ['[]', '1: must be an object of plans'],
    ['null', '1: must be an object of plans'],
    ['{"A": 3}', '1: A must be an object of limits'],
    ['', /1: not JSON/],
    ['{\n"A": {}, // best\n}', /2: not JSON: invalid comment token/],
    ['{\n"A": 1,\n}', /3: not JSON: /],
    ['{"A":\n', /not JSON/],
    ['{"A": 1,\n"A": 2}', '2: the key "A" is there twice'],
    ['{"A": {"formats": 1,\n\n"formats": 2}}', '3: the key "formats" is there twice'],
    ['{"__proto__": {}}', /1: the plan name "__proto__" must be/],
  ])('plans.json: %j', (text, problem) => {
    write('plans.json', text);
    expect(fault()).toMatch(typeof problem === 'string' ? `plans.json:${problem}` : problem);
  });

  test.each([
    ['"id": "cash"', '"id": "Cash"', 'entry 17.id must be 1 to 64 of a-z, 0-9, _ and -'],
    ['"id": "cash"', `"id": "${'c'.repeat(65)}"`, /entry 17\.id must be 1 to 64/],
    ['"id": "cash"', '"id": "bcv"', 'the name bcv of bcv belongs to reference already'],
    ['"id": "cash"', '"id": "cucuta"', 'cucuta has the name cucuta twice'],
    ['["p2p_market_2", "bingx_p2p"]', '["okx", "x"]', 'the name okx of okx belongs to bingx'],
    ['["p2p_market_2", "bingx_p2p"]', '["bing x"]', 'bingx.aliases[0] must be 1 to 64 of a-z'],
    ['["efectivo"', '["efe\\u0007"', 'cash.also_known_as[0] must not have control characters'],
    ['172800', '0', 'binance.drop_after_sec must be more than 0'],
    ['475200', '475200, "drop_after_sec": 9', 'reference.drop_after_sec must not be there'],
    ['"type": "cash"', '"type": "gold"', /cash\.type must be one of reference, parallel/],
    ['"type": "cash"', '"type": "reference"', /cash\.type must not be reference: only reference/],
    ['"type": "parallel"', '"type": "cash"', 'parallel.type must be parallel'],
    ['"base": "EUR"', '"base": "USD"', 'eur_reference.base must be EUR'],
    ['"base": "EUR"', '"base": "COP"', 'eur_reference.base must be one of USD, EUR'],
    ['"required_plan": "Escala"', '"required_plan": "Oro"', /must be null or one of Gratis, In/],
    ['"required_plan": "Escala"', '"required_plan": 3', /cash\.required_plan must be the name/],
    ['86400', '0', 'cash.stale_after_sec must be more than 0'],
    ['86400', '0.5', 'cash.stale_after_sec must be a whole number of seconds'],
    ['"name": "Efectivo"', '"name": " "', 'cash.name must not be empty'],
    ['"name": "Efectivo"', '"name": "a\\u0000b"', 'cash.name must not have control characters'],
    ['"id": "parallel"', '"id": "free"', 'markets.json:1: the market parallel is missing'],
  ])('markets.json: %s written as %s', (from, to, problem) => {
    change('markets.json', from, to);
    expect(fault()).toMatch(problem);
    expect(fault()).toMatch(/^markets\.json:\d+: /);
  });

  test("markets.json: the line is the cell's", () => {
    const text = change('markets.json', '"type": "cash"', '"type": "gold"');
    expect(fault()).toMatch(`markets.json:${lineOf(text, '"gold"')}: cash.type`);
  });

  test('missing cells of an older file default to the most similar limits', () => {
    const added = [
      'public_keys_max',
      'streams_max',
      'official_days',
      'also_known_as',
      'drop_after_sec',
      'name_en',
    ];
    for (const name of ['plans.json', 'markets.json']) {
      const shipped: unknown = JSON.parse(readFileSync(join(PACKAGED_CATALOGUE, name), 'utf8'));
      const without = (key: string, value: unknown) => (added.includes(key) ? undefined : value);
      write(name, JSON.stringify(shipped, without));
    }
    const own = loadCatalogue(folder);
    expect(own.plans.list.map(({ publicKeysMax }) => publicKeysMax)).toEqual([1, 2, 5, 10, 50]);
    expect(own.plans.list.map(({ streamsMax }) => streamsMax)).toEqual([0, 0, 0, 0, 0]);
    expect(own.plans.list.map(({ officialDays }) => officialDays)).toEqual([7, 30, 90, 180, 365]);
    const packaged = loadCatalogue(PACKAGED_CATALOGUE).markets.list;
    expect(own.markets.list.map(({ dropAfterSec }) => dropAfterSec)).toEqual(
      packaged.map(({ dropAfterSec }) => dropAfterSec),
    );
  });

  test('all faults of a file are reported at once, in line order', () => {
    change('plans.json', '"history_days": 30', '"history_days": "30"');
    const text = readFileSync(join(folder, 'plans.json'), 'utf8').replace(
      '"keys_max": 1,',
      '"keys_max": "1",',
    );
    write('plans.json', text);
    const at = (piece: string) => `plans.json:${lineOf(text, piece)}`;
    expect(fault().split('\n')).toEqual([
      `${at('"keys_max": "1"')}: Gratis.keys_max must be a whole number or null`,
      `${at('"history_days": "30"')}: Inicio.history_days must be a whole number or null`,
    ]);
  });
});
