import type { BoardRate, OfficialRateWithChange } from '../../../client/types.ts';
import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import { OFFICIAL_RATES, OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { caracasDayOf, type Instant } from '../../../core/domain/time.ts';
import type { BoardFigures } from './board-figures.ts';

type OfficialByCurrency = Record<string, NonNullable<BoardFigures['official']['USD']>>;

/**
 * The figures with the official rates in force at `now`: a next rate takes effect at 00:00 in
 * Caracas of its value date (contract §1), whether the service answers or not. The premiums follow;
 * the index stays that of its own time until the service answers.
 */
export function ratesInForce(figures: BoardFigures, now: Instant): BoardFigures {
  // With a new unit the service divides all other figures too. Until it answers, all stay in the old one.
  if (figures.unit_changes?.some(({ on }) => on <= caracasDayOf(now))) return figures;
  const received: OfficialByCurrency = figures.official;
  const begun = Object.entries(received).flatMap(([currency, { next }]) =>
    next !== undefined && Date.parse(next.effective_at) <= now ? [{ currency, next }] : [],
  );
  if (begun.length === 0) return figures;
  const official = { ...received };
  let { rates, gap } = figures;
  for (const { currency, next } of begun) {
    const { change: _, ...previous } = received[currency]?.in_force ?? {};
    official[currency] = { in_force: next, ...('rate' in previous && { previous }) };
    const names: Readonly<Record<string, string>> = OFFICIAL_RATES;
    rates = rates.map((rate) => (rate.market === names[currency] ? withRate(rate, next) : rate));
    if (currency !== 'USD') continue;
    const premium = (compared: number) => premiumOf({ reference: next.rate, compared });
    rates = rates.map((rate) =>
      rate.gap_percent === undefined
        ? rate
        : { ...rate, gap_percent: premium(rate.mid).percentage },
    );
    gap = gap && {
      ...gap,
      reference: { market: OFFICIAL_USD, value: next.rate },
      spread: premium(gap.compared.value),
    };
  }
  const version = `${figures.version}-${begun.map(({ currency }) => currency).join('-')}`;
  return { ...figures, version, official, rates, ...(gap !== undefined && { gap }) };
}

function withRate(
  { ask: _, bid: __, details: ___, ...row }: BoardRate,
  { rate: mid, value_date, effective_at }: OfficialRateWithChange,
): BoardRate {
  return { ...row, mid, effective_date: value_date, updated_at: effective_at };
}
