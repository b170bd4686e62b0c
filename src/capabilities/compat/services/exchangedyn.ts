import { withoutExponent } from '../../../core/domain/decimal.ts';
import { isoInstant } from '../../../core/domain/time.ts';
import { officialFigure, required, shown } from '../figures.ts';
import { addressesWith } from '../foreign-endpoint.ts';
import { refusalWith } from '../refusals.ts';

/** The address of api.exchangedyn.com for the official dollar (contract §12). */

const at = addressesWith(refusalWith('error'));

export const exchangedynAddresses = [
  at('/markets/quotes/usdves/bcv', {
    official: true,
    memo: true,
    handle(call) {
      const quotes = shown(call, officialFigure(call, 'USD'), ({ rate, updatedAt }) => ({
        // A text, which its clients read or cut.
        quote: withoutExponent(rate),
        last_retrieved: isoInstant(updatedAt),
      }));
      return { sources: { BCV: required(quotes) } };
    },
  }),
];
