import { crossOf, FIRST_SOBERANO_DAY } from '../bcv.ts';
import { isAway, isRatioOver } from '../calculations/ratio.ts';
import type { Doubt, PublicationObservation, PublishedRates, Thresholds } from '../judgement.ts';
import { type CaracasDay, daysBetween } from '../time.ts';
import { archiveDoubt, pageDoubts } from './page-judgement.ts';
import type { PublicationContext } from './publication-context.ts';

/** The doubts about a publication; empty when there is none. */
export function publicationDoubts(
  publication: PublicationObservation,
  context: PublicationContext,
  thresholds: Thresholds,
): readonly Doubt[] {
  const doesStoredFit = fitsBefore(context.stored, publication, context, thresholds);
  // A real jump that is already stored does not limit later readings of its date.
  const compared = doesStoredFit ? context : { ...context, before: {} };
  const lost = currencyDoubt(publication, context);
  const { page, neighbours, repetition } = context;
  const onPage =
    page === undefined ? [] : pageDoubts(publication, page, context.before, thresholds);
  const figures = [
    moveDoubt(publication, compared, thresholds),
    crossDoubt(publication, compared, thresholds),
    neighbours && archiveDoubt(publication, neighbours, thresholds),
    repetition,
    ...onPage,
    lost,
  ].filter((doubt) => doubt !== undefined);
  const doesFit =
    lost === undefined &&
    onPage.length === 0 &&
    fitsBefore(publication.rates, publication, context, thresholds);
  const isRightStored = doesStoredFit && !doesFit;
  return [
    ...dateDoubts(publication, context),
    ...(isRightStored ? figures.map(lasting) : figures),
    figureDoubt(publication, context, thresholds),
  ].filter((doubt) => doubt !== undefined);
}

/**
 * Whether figures fit those before the value date. If the stored ones do and those of a page do not,
 * the page is wrong. Accepted in the last hour, it would be in force for a day, because the right
 * page that follows is a duplicate.
 */
function fitsBefore(
  figures: PublishedRates,
  { rates }: PublicationObservation,
  { before }: PublicationContext,
  { publicationRatio, crossPercent }: Thresholds,
): boolean {
  const isNear = Object.keys(rates).every((name) => {
    const [here, known] = [figures[name], before[name]];
    return here !== undefined && known !== undefined && !isRatioOver(here, known, publicationRatio);
  });
  const [cross, known] = [crossOf(figures), crossOf(before)];
  if (!isNear || cross === undefined || known === undefined) return isNear;
  return !isAway(cross, known, crossPercent.EUR);
}

function lasting(doubt: Doubt): Doubt {
  const message = `${doubt.message}; the figures stored for its value date fit`;
  return { ...doubt, message, isLasting: true };
}

/** A rate that is in force or was before never changes by repetition; one still to come may. */
function figureDoubt(
  { valueDate, rates }: PublicationObservation,
  { stored, today }: PublicationContext,
  { crossPercent }: Thresholds,
): Doubt | undefined {
  const changed = Object.keys(rates).filter(
    (name) => stored[name] !== undefined && stored[name] !== rates[name],
  );
  const [name] = changed;
  if (name === undefined) return undefined;
  const currencies = changed.filter(
    (other) => !changed.includes('USD') || leftDollar(other, rates, stored, crossPercent.EUR),
  );
  const message = `${name} ${rates[name]} differs from ${stored[name]}, which is stored for ${valueDate}`;
  return valueDate > today
    ? { reason: 'figure_changed', message, currencies }
    : { reason: 'other_figure', message: `${message}: that date is in force or past`, currencies };
}

function dateDoubts(
  { valueDate, rates }: PublicationObservation,
  { readOn, nextValueDate, closing, page, stored }: PublicationContext,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (valueDate > nextValueDate) {
    const message = `the value date ${valueDate} is after ${nextValueDate}, the first business day after the reading of ${readOn}`;
    doubts.push({ reason: 'date_ahead', message });
  }
  if (closing !== undefined) {
    const how = closing === 'computed' ? ", computed beyond the regulator's list" : '';
    const message = `banks are closed on the value date ${valueDate}${how}`;
    doubts.push({ reason: 'date_closed', message });
  }
  const isNews = Object.keys(rates).some((name) => stored[name] === undefined);
  if (isNews && page?.inForce !== undefined && valueDate < page.inForce) {
    const message = `the value date ${valueDate} is before ${page.inForce}, which is in force`;
    doubts.push({ reason: 'date_back', message });
  }
  return doubts;
}

function moveDoubt(
  { rates, sides = [], valueDate }: PublicationObservation,
  { last, before, beforeOn, isOfArchive, page }: PublicationContext,
  thresholds: Thresholds,
): Doubt | undefined {
  const { publicationRatio, archiveRatio, crossPercent, insistedRatio = Infinity } = thresholds;
  const limits: PublishedRates = crossPercent;
  let found: Doubt | undefined;
  for (const [name, rate] of Object.entries(rates)) {
    if (rate === undefined) continue;
    // A figure that would be replaced is no step on the way to a larger one.
    for (const figures of [last, before]) {
      const known = figures[name];
      if (known === undefined || !isRatioOver(rate, known, publicationRatio)) continue;
      // An archive is the bank's own record, whose next value dates may well show other figures.
      if (isOfArchive && !leftDollar(name, rates, figures, limits[name])) continue;
      const message = `${name} ${rate} is over a ratio of ${publicationRatio} to the last one, ${known}`;
      const periods = rate > known ? periodsSince(beforeOn[name], valueDate, thresholds) : 0;
      // A figure in another unit or currency is on all value dates of an archive.
      const most = isOfArchive ? archiveRatio && archiveRatio * 2 ** periods : undefined;
      if (most === undefined || !isRatioOver(rate, known, most)) {
        found ??= { reason: 'moved', message };
        continue;
      }
      const more = `${message}, and over ${most}, the most that other value dates confirm`;
      const currencies = Object.keys(rates);
      return { reason: 'moved', message: more, isLasting: true, currencies };
    }
    const side = sides.find((one) => isRatioOver(one, rate, publicationRatio));
    if (side === undefined) continue;
    const message = `a side of ${name}, ${side}, is over a ratio of ${publicationRatio} to mid, ${rate}`;
    found ??= { reason: 'side_apart', message };
  }
  if (found?.reason !== 'moved') return found;
  const known = { ...before, ...last };
  const moved = Object.entries(rates).flatMap(([name, rate = 0]) =>
    isRatioOver(rate, known[name] ?? rate, publicationRatio) ? [name] : [],
  );
  // No repetition makes a page believable with a figure that moved so far.
  const isTooFar =
    page !== undefined &&
    moved.some((name) => isRatioOver(rates[name] ?? 0, known[name] ?? 0, insistedRatio));
  const tooFar = `, and a figure moved by over ${insistedRatio}`;
  return {
    ...found,
    currencies: moved.filter((name) => leftDollar(name, rates, known, crossPercent.EUR)),
    ...(isTooFar && { isLasting: true, message: `${found.message}${tooFar}` }),
  };
}

/** Whether a currency did not move as the dollar did, as far as both are known. */
function leftDollar(
  name: string,
  rates: PublishedRates,
  known: PublishedRates,
  percent: number | undefined,
): boolean {
  const [cross, before] = [crossOf(rates, name), crossOf(known, name)];
  if (cross === undefined || before === undefined || percent === undefined) return true;
  return isAway(cross, before, percent);
}

/** The periods in which the dollar would have risen as on 20 August 2018: 24 times in a day. */
const DEVALUATION_PERIODS = 3;

/** The whole periods, in each of which the dollar may double, from the last rate to a value date. */
function periodsSince(
  from: CaracasDay | undefined,
  to: CaracasDay,
  { archiveDoublesInDays }: Thresholds,
): number {
  if (from === undefined || archiveDoublesInDays === undefined) return 0;
  const periods = Math.floor(Math.max(0, daysBetween({ from, to })) / archiveDoublesInDays);
  const isDevaluation = from < FIRST_SOBERANO_DAY && to >= FIRST_SOBERANO_DAY;
  return periods + (isDevaluation ? DEVALUATION_PERIODS : 0);
}

/** Currencies move little beside each other. A large move shows that two were swapped, or one is wrong. */
function crossDoubt(
  { valueDate }: PublicationObservation,
  { crosses, isOfArchive, page }: PublicationContext,
  thresholds: Thresholds,
): Doubt | undefined {
  const { crossPercent, archiveCrossPercent } = thresholds;
  const limits: PublishedRates = crossPercent;
  const moves = crosses.flatMap(({ name, value, known }) =>
    known.flatMap(({ value: before, on, days }) => {
      const limit = limits[name];
      if (limit === undefined || !isAway(value, before, limit)) return [];
      const periods = periodsSince(on, valueDate, thresholds);
      // No two value dates of an archive in a row moved that far, so only a gap explains it there.
      const inArchive = periods === 0 ? limit : (periods + 1) * (archiveCrossPercent ?? 0);
      const most = isOfArchive ? archiveCrossPercent && inArchive : page && limit * days;
      const isLasting = most !== undefined && isAway(value, before, most);
      const message = `${name} over USD, ${value}, is more than ${limit}% away from its last value, ${before}`;
      return [{ name, message, isLasting }];
    }),
  );
  const worst = moves.find(({ isLasting }) => isLasting) ?? moves[0];
  if (worst === undefined) return undefined;
  const { message, isLasting } = worst;
  const currencies = [...new Set(moves.map(({ name }) => name))];
  return { reason: 'cross_moved', message, currencies, ...(isLasting && { isLasting }) };
}

function currencyDoubt(
  { rates, isWhole }: PublicationObservation,
  { lastCurrencies }: PublicationContext,
): Doubt | undefined {
  const lost = isWhole ? lastCurrencies.filter((name) => rates[name] === undefined) : [];
  if (lost.length === 0) return undefined;
  const message = `${lost.join(', ')} of the last publication is missing`;
  return { reason: 'currency_lost', message, currencies: lost };
}

/** The doubt about a publication that its page shows again, after another one replaced it. */
export function returnDoubt(
  { valueDate, rates }: PublicationObservation,
  replacement: PublishedRates,
): Doubt {
  const name = Object.keys(rates).find((one) => rates[one] !== replacement[one]) ?? '';
  const message = `${name} ${rates[name]} of ${valueDate} was replaced by ${replacement[name]}, which its page repeated, and is shown again`;
  return { reason: 'page_returned', message };
}
