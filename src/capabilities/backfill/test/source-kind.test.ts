import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../../core/catalogue/catalogue.ts';
import { CatalogueError } from '../../../core/catalogue/file.ts';
import { loadSources } from '../../../core/catalogue/sources.ts';
import { PACKAGED_CATALOGUE } from '../../../core/config.ts';
import { backfillOfWorkbooks } from '../backfill.ts';

const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
const kindsOf = async (names: readonly string[]) =>
  new Map(
    await Promise.all(
      Object.entries(backfillOfWorkbooks.sourceKinds ?? {})
        .filter(([name]) => names.includes(name))
        .map(async ([name, load]) => [name, await load()] as const),
    ),
  );

describe('contract §8: the source of the workbooks', () => {
  test('is on in the packaged catalogue, without a schedule', async () => {
    const kinds = await kindsOf(['bcv-archive']);
    const [archive, ...others] = loadSources(PACKAGED_CATALOGUE, { markets, kinds });
    expect(others).toEqual([]);
    expect(archive).toMatchObject({ name: 'bcv-archive', enabled: true, schedule: [] });
    expect(archive?.archive).toBeDefined();
  });

  test('is left out by a build without the capability, which refuses another one of its kind', async () => {
    const kinds = await kindsOf([]);
    expect(loadSources(PACKAGED_CATALOGUE, { markets, kinds })).toEqual([]);
    const entry = { name: 'bcv-archive', kind: 'bcv-archive', enabled: true, origin: 'bcv' };
    const written = (name: string) =>
      JSON.stringify([{ ...entry, name, url: 'https://www.bank.example/', schedule: [] }]);
    const sourcesOf = (name: string) =>
      loadSources(PACKAGED_CATALOGUE, { markets, kinds, draft: written(name) });
    expect(sourcesOf('bcv-archive')).toEqual([]);
    expect(() => sourcesOf('of-my-own')).toThrow(CatalogueError);
    expect(() => sourcesOf('of-my-own')).toThrow('of-my-own.kind must be one of');
  });
});
