import { requireFeature, requireFormat, requireMarket } from '../../app/access/access.ts';
import type { Market } from '../../domain/markets.ts';
import type { Services } from './endpoint.ts';
import type { Parameters } from './parameters.ts';
import type { RequestContext } from './request-context.ts';
import { unknownMarket } from './unknown-names.ts';

/** The market that a request names, if any, and the parameter that names it. */
export interface NamedMarket {
  readonly market: Market | undefined;
  readonly marketField: string | undefined;
}

const NO_MARKET: NamedMarket = { market: undefined, marketField: undefined };

/**
 * Runs the checks between parameters and limits, in the order of decisions §4.
 * @returns the market that the request names.
 * @throws ApiError of the first that fails.
 */
export function checkRequest(
  { endpoint, caller, now }: RequestContext,
  { input, format }: Parameters,
  body: unknown,
  services: Services,
): NamedMarket {
  const { plans, markets } = services;
  const choice = endpoint.market?.(input, body);
  const market = choice && markets.find(choice.name);
  endpoint.check?.({ input, body, caller, now, services }, market);
  if (caller !== undefined) {
    // Spreadsheets use publishable keys and read only CSV: every plan allows it (decisions §11).
    const isCsvForSpreadsheet = format === 'csv' && caller.key.grant.kind === 'publishable';
    if (!isCsvForSpreadsheet) requireFormat(plans, caller.plan, format);
    const feature = endpoint.featureOf?.(input);
    if (feature !== undefined) requireFeature(plans, caller.plan, feature);
  }
  const named = endpoint.markets?.(input);
  if (choice === undefined && named === undefined) return NO_MARKET;
  const choices = [...(choice === undefined ? [] : [choice]), ...(named ?? [])];
  const found = choices.map(({ name, field }) => {
    const one = markets.find(name);
    if (one === undefined) throw unknownMarket(markets, name, field);
    return one;
  });
  if (caller !== undefined) for (const one of found) requireMarket(plans, caller.plan, one);
  return { market, marketField: choice?.field };
}
