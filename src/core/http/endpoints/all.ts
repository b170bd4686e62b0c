import type { Endpoint } from '../pipeline/endpoint.ts';
import { account } from './account/account.ts';
import { changeKey } from './account/key-change.ts';
import { createKey, listKeys, revokeKey, rotateKey } from './account/keys.ts';
import { createMarkup, deleteMarkup, listMarkups, replaceMarkup } from './account/markups.ts';
import { getUsage } from './account/usage.ts';
import { adminRecords } from './admin.ts';
import { bulkConvert } from './bulk-convert.ts';
import { calculator } from './calculator.ts';
import { listBankRates, listBcvCurrencies } from './central-bank/bcv.ts';
import { calendar } from './central-bank/calendar.ts';
import { listOfficialRates } from './central-bank/official.ts';
import { officialHistory } from './central-bank/official-history.ts';
import { convert } from './convert.ts';
import { listMarkets } from './markets.ts';
import { candles } from './rates/candles.ts';
import { listChanges } from './rates/changes.ts';
import { corrections } from './rates/corrections.ts';
import { coverage } from './rates/coverage.ts';
import { history } from './rates/history.ts';
import { rateByMarket, rates } from './rates/rates.ts';
import { getIndex } from './reference-index.ts';
import { route } from './route.ts';
import { spread } from './spread.ts';
import { status } from './status.ts';

/** Every endpoint: those of the interface in its order, then the others. */
export function allEndpoints({
  admin,
  calculator: hasCalculator = true,
}: {
  readonly admin: boolean;
  /** Whether callers without a key have a calculator. */
  readonly calculator?: boolean;
}): readonly Endpoint[] {
  return [
    rates,
    rateByMarket,
    history,
    candles,
    listChanges,
    coverage,
    corrections,
    listMarkets,
    convert,
    bulkConvert,
    route,
    getIndex,
    spread,
    listBankRates,
    listBcvCurrencies,
    listOfficialRates,
    officialHistory,
    calendar,
    ...(hasCalculator ? [calculator] : []),
    account,
    getUsage,
    listKeys,
    createKey,
    changeKey,
    revokeKey,
    rotateKey,
    listMarkups,
    createMarkup,
    replaceMarkup,
    deleteMarkup,
    ...(admin ? [adminRecords] : []),
    status,
  ];
}
