import type { QuoteFigures } from '../judgement.ts';
import { type Redenominations, shownUnits } from '../redenomination.ts';
import { type CaracasDay, caracasDayOf, DAY_MS, type Instant } from '../time.ts';
import type { DayFigures, DoubtfulState, KnownOfQuotes } from './in-doubt.ts';
import type { MarketMemory, QuotesState, UnitRules } from './quote-memory.ts';

/** The state with its figures in the unit of an instant, if the bolívar has lost zeros since. */
export function stateInUnit(state: QuotesState, at: Instant, rules: UnitRules): QuotesState {
  const days = { from: caracasDayOf(state.at), to: caracasDayOf(at) };
  if (days.to <= days.from || rules.after(days).length === 0) return state;
  const inUnit = (figure: number) => rules.rebased(figure, days);
  const memories = [...state.markets].map(
    ([id, memory]) => [id, memoryInUnit(memory, inUnit)] as const,
  );
  return { ...state, markets: new Map(memories) };
}

type InUnit = (figure: number) => number;

/** What is remembered of a market with its figures in another unit. */
export function memoryInUnit(memory: MarketMemory, inUnit: InUnit): MarketMemory {
  const { published, shown, replaced, past, held, supported } = memory;
  return {
    ...memory,
    ...figuresInUnit(memory, inUnit),
    published: published && sides(published, inUnit),
    shown: shown && { ...shown, mid: inUnit(shown.mid) },
    replaced: replaced && inUnit(replaced),
    past: past.map((one) => ({ ...one, mid: inUnit(one.mid) })),
    held: held.map((one) => sides(one, inUnit)),
    supported: supported && { ...supported, mid: inUnit(supported.mid) },
  };
}

/** What quotes are compared with, in the unit of a day. A day that began in another unit is left out. */
export function knownInUnit(
  memories: readonly (DoubtfulState & Pick<MarketMemory, 'step'> & { readonly at: Instant })[],
  days: readonly DayFigures[],
  { on, redenominations }: { readonly on: CaracasDay; readonly redenominations: Redenominations },
): KnownOfQuotes {
  const inUnitOf = (at: Instant) => (figure: number) =>
    redenominations.rebased(figure, shownUnits(caracasDayOf(at), { on }));
  const known = days.flatMap((day) => {
    const [first, last] = [inUnitOf(day.start), inUnitOf(day.start + DAY_MS - 1)];
    if (first(1) !== last(1)) return [];
    return { ...day, low: last(day.low), high: last(day.high), close: last(day.close) };
  });
  const states = memories.map((one) => ({ ...one, ...figuresInUnit(one, inUnitOf(one.at)) }));
  return { states, days: known };
}

/** The figures that put a quote in doubt. */
function figuresInUnit(
  { step, insisted }: Pick<MarketMemory, 'step' | 'insisted'>,
  inUnit: InUnit,
): Pick<MarketMemory, 'step' | 'insisted'> {
  const others = Object.entries(step?.others ?? {}).map(([id, mid]) => [id, inUnit(mid)]);
  const ends = step && { from: inUnit(step.from), to: inUnit(step.to) };
  return {
    step: step && { ...step, ...ends, others: Object.fromEntries(others) },
    insisted: insisted.map((one) => ({ ...one, mid: inUnit(one.mid) })),
  };
}

function sides<Quote extends QuoteFigures>(quote: Quote, inUnit: InUnit): Quote {
  const side = (value: number | undefined) => value && inUnit(value);
  return { ...quote, mid: inUnit(quote.mid), ask: side(quote.ask), bid: side(quote.bid) };
}
