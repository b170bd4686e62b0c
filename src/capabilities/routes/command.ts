import type { Capability } from '../../core/capability.ts';
import { type AddCommand, command } from '../../core/cli/command.ts';
import { textTable } from '../../core/cli/output.ts';
import { onScratch } from '../../core/cli/toolbox.ts';
import type { RunningService } from '../../core/compose.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { productFilesIn, readProductText } from '../../core/product-files.ts';

type Endpoint = RunningService['endpoints'][number];

const HELP = `
The checks stand in the order in which a request meets them; docs/architecture.md has the refusal of
each. Settings count as for "vesfx serve", such as the tokens, without which some addresses are not
there. A file is found in a checkout only.`;

/** What an endpoint asks of the caller, in words. */
const CALLERS: Readonly<Record<Endpoint['access'], string>> = {
  open: 'no key',
  key: 'key',
  optional: 'key or none',
  admin: 'admin token',
  metrics: 'metrics token',
};

/** The checks that a declaration asks for, in the order of contract §4. */
function checksOf(endpoint: Endpoint): readonly string[] {
  const { access, scope, feature } = endpoint;
  const asked: readonly (readonly [boolean, string])[] = [
    [true, CALLERS[access]],
    [endpoint.addressLimit !== undefined, 'limit by address'],
    [scope !== undefined, `scope ${scope}`],
    [endpoint.inGrace !== undefined, 'grace period'],
    [feature !== undefined, `plan with ${feature}`],
    [endpoint.rejectUnknown === true, 'no unknown parameter'],
    [endpoint.body !== undefined, 'JSON body'],
    [endpoint.textBody === true, 'text body'],
    [endpoint.encoding !== undefined, 'format in the plan'],
    [endpoint.featureOf !== undefined, 'need in the plan'],
    [endpoint.market !== undefined, 'market in the plan'],
    [endpoint.bulk === true, 'bulk hour'],
  ];
  return asked.flatMap(([isAsked, check]) => (isAsked ? check : []));
}

/** Finds the file of the sources that declares an endpoint, unless its path is put together there. */
function sourcesOf(): (endpoint: Endpoint) => string | undefined {
  const files = ['src/core/http', 'src/capabilities']
    .flatMap(productFilesIn)
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/test\//.test(path))
    .map((path) => ({ path, text: readProductText(path) }));
  return ({ method, path }) => {
    const named = files.filter(({ text }) => text.includes(`path: '${path}'`));
    const ofMethod = named.find(({ text }) => text.includes(`method: '${method}'`));
    return (method === 'GET' ? named[0] : ofMethod)?.path;
  };
}

/** What a service with these settings answers, the pages apart. */
async function endpointsOf(config: Config, capabilities: readonly Capability[]) {
  const [{ startService }, { createLog }] = await Promise.all([
    import('../../core/compose.ts'),
    import('../../core/cli/log.ts'),
  ]);
  return onScratch(config, async (empty) => {
    const own = { ...empty, host: '127.0.0.1', port: 0, reusePort: false, collect: false };
    const log = createLog('silent');
    const service = await startService(own, { log, capabilities, isIdle: true });
    await service.close();
    return service.endpoints;
  });
}

/** `vesfx routes`: every endpoint with the checks that it declares, what it costs, and its file. */
export const routesCommand = (capabilities: readonly Capability[]): AddCommand =>
  command({
    name: 'routes',
    follows: 'alive',
    about: 'list the endpoints, with their checks, what a call costs, and their files',
    help: HELP,
    async run(input) {
      const endpoints = await endpointsOf(readConfig(input), capabilities);
      const fileOf = sourcesOf();
      const routes = endpoints.map((endpoint) => {
        const { method, path, cost } = endpoint;
        return { method, path, checks: checksOf(endpoint), cost, file: fileOf(endpoint) };
      });
      const rows = routes.map(({ method, path, checks, cost, file = '-' }) => [
        ...[method, path, checks.join(', '), String(cost), file],
      ]);
      return {
        json: routes,
        text: textTable(['METHOD', 'PATH', 'CHECKS', 'COST', 'FILE'], rows),
      };
    },
  });
