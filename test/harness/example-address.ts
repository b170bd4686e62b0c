import { pathParameters } from '../../src/core/http/framework/routing/router.ts';
import type { Endpoint } from '../../src/core/http/pipeline/endpoint.ts';

/**
 * The address of a request that an endpoint answers, of the example in its declaration.
 * @param which Which parameters it has: those that it must have, or all of the example.
 * @param samples Their values; those of the example unless given.
 */
export function exampleAddress(
  { path, query, operation }: Endpoint,
  which: 'required' | 'all',
  samples: Readonly<Record<string, string>> = operation?.parameters ?? {},
): string {
  const inPath = pathParameters(path);
  const isWanted = (name: string) =>
    which === 'all' || query.shape[name]?.safeParse(undefined).success === false;
  const asked = Object.entries(samples).filter(
    ([name]) => !inPath.includes(name) && isWanted(name),
  );
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(samples[name] ?? ''),
  );
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked)}`;
}
