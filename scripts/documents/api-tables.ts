import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { cheapestPlan, planHas } from '../../src/core/domain/plans.ts';
import type { Endpoint } from '../../src/core/http/pipeline/endpoint.ts';
import { documentedEndpoints } from '../reference.ts';
import { code, type Table } from './table.ts';

/** The table and the list of docs/api.md. */

const { plans } = loadCatalogue(PACKAGED_CATALOGUE);

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return value === null ? 'no limit' : Number(value).toLocaleString('en-US');
}

/** @param file `plans.json`, whose cells are named as in answers. */
export function plansTable(
  file: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Table {
  const names = Object.keys(file);
  const cells = Object.keys(Object.values(file)[0] ?? {});
  const rows = cells.map((cell) => [
    code(cell),
    ...names.map((name) => cellText(file[name]?.[cell])),
  ]);
  return { head: ['', ...names], rows };
}

/** Who may call an endpoint, and what it costs. */
function accessOf({ access, feature, cost }: Endpoint): string {
  if (access === 'admin') return 'With the admin token';
  const plan = feature && cheapestPlan(plans, (one) => planHas(one, feature));
  const isForAll = plan === undefined || plan === plans.list[0];
  const who = access === 'open' ? 'Without a key' : isForAll ? 'All plans' : `${plan.name} up`;
  return cost === 0 ? `${who}, at no cost` : who;
}

/** An item for each kind of access. A star marks endpoints that refuse unknown query parameters. */
export function endpointList(): string {
  const versioned = documentedEndpoints.filter(({ path }) => path.startsWith('/v1/'));
  return [...Map.groupBy(versioned, accessOf)]
    .map(([access, endpoints]) => {
      const names = endpoints.map(
        ({ method, path, rejectUnknown }) =>
          code(`${method} ${path}`) + (rejectUnknown === true ? '\\*' : ''),
      );
      return [`- ${access}:`, ...names.map((name) => `  - ${name}`)].join('\n');
    })
    .join('\n');
}
