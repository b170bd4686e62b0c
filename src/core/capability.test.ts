import { afterEach, describe, expect, test } from 'vitest';
import { addSourceKinds } from './capability.ts';
import { loadCatalogue } from './catalogue/catalogue.ts';
import { settingsOfAll } from './cli/added.ts';
import { readSources } from './compose.ts';
import { ConfigError, PACKAGED_CATALOGUE, readConfig } from './config.ts';

/** Never loaded: a name is refused before. */
const kind = () => Promise.reject(new Error('loaded'));
const first = { name: 'first', sourceKinds: { feed: kind, other: kind } };
const second = { name: 'second', sourceKinds: { table: kind } };

afterEach(() => addSourceKinds([]));

describe('what two capabilities add under one name is refused at the start, with the names of both', () => {
  test('a kind of source', () => {
    expect(() => addSourceKinds([first, second])).not.toThrow();
    const same = { ...second, sourceKinds: { table: kind, feed: kind } };
    expect(() => addSourceKinds([first, same])).toThrow(
      new ConfigError('The capabilities first and second both add feed.'),
    );
  });

  test('a setting', () => {
    const place = { about: 'A place', shownDefault: 'none', meaning: 'A place' };
    const setting = { VESFX_PLACE: place };
    const settings = [{ name: 'first', settings: setting }, { name: 'second' }];
    expect(settingsOfAll(settings)).toEqual(setting);
    expect(() => settingsOfAll([...settings, { name: 'third', settings: setting }])).toThrow(
      new ConfigError('The capabilities first and third both add VESFX_PLACE.'),
    );
  });

  test('a kind of source that the core has', async () => {
    const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
    addSourceKinds([
      { name: 'first', sourceKinds: { 'bcv-official': () => Promise.resolve({} as never) } },
    ]);
    await expect(readSources(readConfig({}, {}), markets)).rejects.toThrow(
      new ConfigError('A capability adds bcv-official, which is a kind already.'),
    );
  });
});
