import type { Source } from '../app/ports/sources.ts';
import type { Upstreams } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Markets } from '../domain/markets.ts';
import { PUSHED } from '../domain/source-health.ts';
import { CommandError, UsageError } from './output.ts';

/** Import on demand, so that help and usage errors appear at once. */
export async function loadSourcesAndMarkets(
  config: Config,
): Promise<{ readonly sources: readonly Source[]; readonly markets: Markets }> {
  const { readSources } = await import('../compose.ts');
  const { loadCatalogue } = await import('../catalogue/catalogue.ts');
  const { markets } = loadCatalogue(config.catalogueDir);
  return { sources: await readSources(config, markets), markets };
}

/** Opens the HTTP client for sources, and closes it after the work. */
export async function withUpstreams<T>(
  config: Config,
  work: (fetch: Upstreams['fetch']) => Promise<T>,
): Promise<T> {
  const { openUpstreams } = await import('../compose.ts');
  const upstreams = await openUpstreams(config);
  try {
    return await work(upstreams.fetch);
  } finally {
    upstreams.close();
  }
}

/** Finds a source by name, or by kind if only one has it; a CommandError if none. */
export function sourceNamed(sources: readonly Source[], name: string): Source {
  const ofKind = sources.filter(({ kind }) => kind === name);
  const source =
    sources.find((other) => other.name === name) ?? (ofKind.length === 1 ? ofKind[0] : undefined);
  if (source !== undefined) return source;
  const list = (some: readonly Source[]) => some.map((other) => other.name).join(', ');
  if (name === PUSHED) {
    throw new UsageError('operator stands for pushed records: there is nothing to read.');
  }
  const message =
    ofKind.length > 1
      ? `${name} is the kind of several sources: ${list(ofKind)}.`
      : `There is no source ${name}. There are: ${list(sources)}.`;
  throw new CommandError('resource_not_found', message);
}

/** Whether the collector reads it, by schedule or as a fallback. */
export function isCollected({ enabled, schedule, fallbackFor }: Source): boolean {
  return enabled && (schedule.length > 0 || fallbackFor !== undefined);
}

/** `1 reading`, `2 readings`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
