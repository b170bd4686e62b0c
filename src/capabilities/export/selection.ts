import type { Market } from '../../core/domain/markets.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';

/** What an export has (contract §22). */
export interface ExportSelection {
  /** In the order of the catalogue. */
  readonly markets: readonly Market[];
  /** Whether it has what the central bank publishes: its rates, and its table of banks. */
  readonly publications: boolean;
  /** Every stored capture, instead of the last one of each day. */
  readonly captures: boolean;
  /** The instants of quotes, whole UTC days: `[start, end)`. */
  readonly times: { readonly start: Instant; readonly end: Instant };
  /** The value dates of official rates and the days of bank tables, both ends included. */
  readonly days: { readonly from: CaracasDay; readonly to: CaracasDay };
}

/** Whose figures official rates are, as every copy of them has to say. */
export const CENTRAL_BANK = 'Banco Central de Venezuela';
