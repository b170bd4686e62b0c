export type CashCurrency = 'usd' | 'bs';

/** The smallest bill of each currency, in cents. */
export type SmallestBills = Readonly<Record<CashCurrency, number>>;

export interface Movement {
  readonly currency: CashCurrency;
  /** Below zero for change. */
  readonly cents: number;
  readonly inCash: boolean;
}

export interface Receipt {
  readonly total: Readonly<Record<CashCurrency, number>>;
  readonly rate: string;
  readonly valueDate: string | null;
  readonly movements: readonly Movement[];
  readonly rounding: number;
}

export const CASH: SmallestBills;
export function toBolivares(usdCents: number, rate: string): number;
export function lineBolivares(usdCents: readonly number[], rate: string): number[];
export function typedCents(text: string): number | undefined;

export class Sale {
  constructor(settings: {
    readonly total: number;
    readonly quote: { readonly rate: string | null; readonly valueDate: string | null };
    readonly cash?: SmallestBills;
  });
  readonly balance: number;
  readonly due: { readonly bs: number; readonly bsCash: number } & {
    readonly usd: number;
    readonly usdCash: number;
  };
  pay(currency: CashCurrency, cents: number, way?: { readonly inCash?: boolean }): void;
  change(way?: { readonly usdMax?: number; readonly inCash?: boolean }): {
    readonly usd: number;
    readonly bs: number;
  };
  give(
    change: { readonly usd?: number; readonly bs?: number },
    way?: { readonly inCash?: boolean },
  ): void;
  receipt(): Receipt;
}
