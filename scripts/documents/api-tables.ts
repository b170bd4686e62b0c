import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import { VALUE_RULES } from '../../src/core/domain/errors/value-rules.ts';
import { cheapestPlan } from '../../src/core/domain/plans.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import type { Endpoint } from '../../src/core/http/routing/endpoint.ts';
import { code, codes, type Table } from './table.ts';

/** The tables of docs/api.md. */

const { plans } = loadCatalogue(PACKAGED_CATALOGUE);

export function errorTable(): Table {
  const rows = Object.entries(ERRORS).map(([name, { status, message }]) => [
    `${status}`,
    code(name),
    message.en,
  ]);
  return { head: ['Status', 'Code', 'Sentence'], rows };
}

export function ruleTable(): Table {
  const rows = Object.entries(VALUE_RULES).map(([rule, { en }]) => [code(rule), en]);
  return { head: ['Rule', 'Meaning'], rows };
}

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
  if (access === 'admin') return 'the admin token';
  const plan = feature && cheapestPlan(plans, ({ features }) => features.includes(feature));
  const isForAll = plan === undefined || plan === plans.list[0];
  const who = access === 'open' ? 'no key' : isForAll ? 'all' : `${plan.name} up`;
  return cost === 0 ? `${who}, costs nothing` : who;
}

function parametersOf({ path, query, body, textBody, encoding }: Endpoint): string {
  const own = Object.keys(query.shape).filter((name) => !path.includes(`:${name}`));
  const inQuery = [...own, ...(encoding === undefined ? [] : ['format', 'locale'])];
  const inBody = body === undefined || !('shape' in body) ? [] : Object.keys(body.shape as object);
  return [
    codes(inQuery),
    inBody.length > 0 && `body ${codes(inBody)}`,
    textBody === true && 'body in NDJSON',
  ]
    .filter(Boolean)
    .join('; ');
}

export function endpointTable(): Table {
  const rows = allEndpoints({ admin: true }).map((endpoint) => [
    code(`${endpoint.method} ${endpoint.path}`),
    parametersOf(endpoint),
    endpoint.rejectUnknown === true ? '400' : 'ignored',
    accessOf(endpoint),
  ]);
  return { head: ['Endpoint', 'Parameters', 'Unknown query parameters', 'Plans'], rows };
}
