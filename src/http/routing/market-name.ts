import { ApiError } from '../../domain/errors.ts';
import type { Markets } from '../../domain/markets.ts';
import { nearMarkets } from '../../domain/near-names.ts';

/** `details` of the error for an unknown market: up to three similar ids (decisions §1). */
export function nearMarketDetails(
  markets: Markets,
  name: string,
): { readonly did_you_mean: readonly string[] } {
  return { did_you_mean: nearMarkets(markets, name) };
}

/** The 404 for a name of no market; `field` is the parameter that held it. */
export function unknownMarket(markets: Markets, name: string, field: string | undefined): ApiError {
  return new ApiError('resource_not_found', {
    field,
    details: nearMarketDetails(markets, name),
    message: 'There is no market of that name.',
  });
}
