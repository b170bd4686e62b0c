import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { additionInWords, additionOf } from '../../../app/collecting/source-additions.ts';
import type { Source } from '../../../app/ports/sources.ts';
import {
  type Config,
  ConfigError,
  OWN_CATALOGUE,
  PACKAGED_CATALOGUE,
  readConfig,
} from '../../../config.ts';
import { didYouMean } from '../../../domain/near-names.ts';
import { type AddCommand, command } from '../../command.ts';
import { UsageError, visible } from '../../output.ts';
import { loadSourcesAndMarkets } from '../../sources.ts';
import { databaseExists, withToolbox } from '../../toolbox.ts';

const ON_RELOAD =
  'A running service takes it with SIGHUP (systemctl reload vesfx), any other at its next start.';
const IS_COPY =
  'The file is a copy of the packaged one, which no longer counts: compare them after an upgrade.';

function sourceIn(sources: readonly Source[], name: string): Source {
  const source = sources.find((other) => other.name === name);
  if (source !== undefined) return source;
  const list = sources.map((other) => ({ id: other.name, aliases: [], alsoKnownAs: [other.kind] }));
  const hint = didYouMean({ list }, name) || ' The sources: vesfx source list.';
  throw new UsageError(`There is no source ${visible(name)}.${hint}`);
}

/** A sentence after another one. */
const spaced = (sentence = '') => sentence && ` ${sentence}`;

/** @throws ConfigError without a folder of the operator, when the data folder is none. */
function ownFolder({ catalogueDir, dataDir, postgres }: Config): string {
  if (catalogueDir !== PACKAGED_CATALOGUE) return catalogueDir;
  if (postgres === undefined) return join(dataDir, OWN_CATALOGUE);
  throw new ConfigError(
    'VESFX_CATALOG must name a folder of your own, on each machine that runs vesfx: the packaged files are never edited.',
  );
}

/** @param enabled What the entry of the source has then. */
function switchCommand(name: string, about: string, enabled: boolean): AddCommand {
  return command({
    name,
    about,
    arguments: { '<name>': 'the source, by its name in sources.json' },
    async run(input) {
      const config = readConfig(input);
      const { sources, markets } = await loadSourcesAndMarkets(config);
      const source = sourceIn(sources, input.name);
      const state = `${source.name} is ${enabled ? 'on' : 'off'}`;
      const gain = enabled ? spaced(additionInWords(source)) : '';
      const json = { name: source.name, enabled, adds: additionOf(source) };
      if (source.enabled === enabled) {
        return { json: { ...json, changed: false }, text: `${state} already.${gain}` };
      }
      const folder = ownFolder(config);
      const { readCatalogueFile } = await import('../../../catalogue/file.ts');
      const { SOURCES_FILE } = await import('../../../catalogue/sources.ts');
      const { withSwitches, writeSources } = await import('../../../catalogue/source-switches.ts');
      const { readSources } = await import('../../../compose.ts');
      const former = readCatalogueFile(config.catalogueDir, SOURCES_FILE);
      // Packaged sources of markets that the catalogue lacks are off. In a copy they would be faults.
      const unfit = former.isPackaged ? sources.filter(({ whyOff }) => whyOff !== undefined) : [];
      const switches = new Map(unfit.map((other) => [other.name, false]));
      const edited = withSwitches(former, switches.set(source.name, enabled));
      await readSources(config, markets, edited);
      const isCopy = !existsSync(join(folder, SOURCES_FILE));
      const change = {
        ...({ what: 'source', id: source.name } as const),
        ...{ before: { enabled: source.enabled }, after: { enabled } },
      };
      const apply = () => writeSources(folder, edited);
      // Before the first start there is no log yet.
      const file = (await databaseExists(config))
        ? await withToolbox(config, ({ store }) => store.noteChange(change, apply))
        : apply();
      return {
        json: { ...json, changed: true, file },
        text: `${state} in ${file}.${gain}`,
        hints: [...(isCopy ? [IS_COPY] : []), ON_RELOAD],
      };
    },
  });
}

export const enableCommand = switchCommand(
  'enable',
  'switch a source on in your sources.json',
  true,
);
export const disableCommand = switchCommand('disable', 'switch a source off there', false);
