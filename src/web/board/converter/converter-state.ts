import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { DateRule } from '../../../domain/history/past-dates.ts';
import { hasValueDates, OFFICIAL_USD } from '../../../domain/markets.ts';
import { type CaracasDay, caracasDayOf, parseCaracasDay } from '../../../domain/time.ts';
import type { BoardReader } from '../age.ts';
import type { BoardData, LiveBoard } from '../board-data.ts';
import type { BoardFigures, ConvertibleRate } from '../board-figures.ts';
import {
  type Conversion,
  type ConversionRequest,
  conversionAddress,
  conversionRequest,
  convertTyped,
  faultyInput,
  ruleOf,
} from './converter.ts';
import {
  dayProblem,
  isClosedDay,
  isToCome,
  nextBankingDay,
  nextValueDate,
  OTHER_RULE,
  ratesOf,
} from './converter-days.ts';
import { resultText, typedText } from './converter-words.ts';

export interface ConverterParts {
  readonly data: BoardData;
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  readonly live: LiveBoard | undefined;
  /** How often the service answered. */
  readonly answers: number;
}

/** The day of the rate: `other` also before a date is chosen. */
export type ChosenDay = 'today' | 'next' | 'other';

interface Draft {
  readonly request: ConversionRequest;
  /** The field in which the reader typed last. The other one follows it. */
  readonly typed: 'amount' | 'other';
  readonly wantsOtherDay: boolean;
  /** How often the reader changed anything. */
  readonly changes: number;
}

/** The rates of a past day: undefined before they are asked, `failed` when nobody answered. */
type Past = readonly ConvertibleRate[] | 'loading' | 'failed' | undefined;

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_WAIT_MS = 400;

/** What the reader asks of the converter, and what it answers. */
export function useConverter({ data, figures, reader, live, answers }: ConverterParts) {
  const { language, languageChosen } = reader;
  const today = caracasDayOf(reader.now);
  const [draft, setDraft] = useState<Draft>(() => draftOf(data.request));
  const { request, typed, changes } = draft;
  const pasts = usePasts(data, { draft, figures, today, live, answers });
  const past = pasts.of(request.rule);
  const isPast = request.date !== '' && !isToCome(request.date, today);
  const rates =
    isPast && typeof past !== 'object'
      ? undefined
      : ratesOf(request, {
          ...{ figures, today },
          past: typeof past === 'object' ? { date: request.date, rates: past } : undefined,
        });
  const conversion: Conversion | undefined =
    rates && convertTyped(request, rates, language, dayProblem(request, { figures, today }));
  const done = conversion?.done;
  const via = done?.rate.market ?? (request.via || OFFICIAL_USD);
  const base = rates?.find(({ market }) => market === via)?.base ?? 'USD';
  const from = done?.from ?? (request.from === 'VES' ? 'VES' : base);
  const to = done?.to ?? (from === 'VES' ? base : 'VES');
  const problem = conversion?.done === undefined ? conversion?.problem : undefined;

  const change = (next: Partial<ConversionRequest>, more: Partial<Draft> = {}) =>
    setDraft((before) => ({
      ...before,
      ...more,
      request: { ...before.request, to: '', typedIn: language, ...next },
      changes: before.changes + 1,
    }));

  // The page may be one that was kept, or the reader typed before its script was loaded.
  useLayoutEffect(() => {
    if (live === undefined) return;
    const { search, early } = live.opened;
    const asked =
      search === data.query ? data.request : conversionRequest(new URLSearchParams(search));
    if (asked !== data.request) setDraft(draftOf(asked));
    const { amount, other, date, via: market } = early;
    if ((amount ?? other ?? date ?? market) === undefined) return;
    const isLower = amount === undefined && other !== undefined;
    change(
      {
        amount: amount ?? other ?? typedText(asked, language),
        ...(isLower && { from: from === 'VES' ? '' : 'VES' }),
        ...(date !== undefined && { date }),
        ...(market !== undefined && { via: market }),
      },
      { typed: isLower ? 'other' : 'amount', wantsOtherDay: date !== undefined },
    );
  }, [live]);

  const address = done && conversionAddress(done, languageChosen ? language : undefined);
  // The reader can share the page's address: it names the conversion.
  useEffect(() => {
    if (live === undefined || changes === 0 || address === undefined) return;
    return live.later(() => live.showAddress(address), ADDRESS_WAIT_MS);
  }, [live, changes, address]);

  const text = {
    typed: typedText(request, language),
    result: done ? resultText(done.result, language) : '',
  };
  const isUpper = typed === 'amount';
  const nextDay = nextValueDate(figures);
  const day: ChosenDay =
    draft.wantsOtherDay && request.date !== nextDay
      ? 'other'
      : request.date === ''
        ? 'today'
        : request.date === nextDay
          ? 'next'
          : 'other';
  return {
    ...{ request, conversion, done, via, problem, day, nextDay, today },
    faulty: problem && (problem === 'no_amount' ? undefined : faultyInput(problem)),
    typed,
    isWaiting: conversion === undefined && past !== 'failed',
    hasFailed: conversion === undefined && past === 'failed',
    /** Rates of the day by each rule, on a day without banks. */
    rules: {
      isAsked: isPast && hasValueDates(via) && isClosedDay(request.date, data.days),
      rateBy: (rule: DateRule) => {
        const found = pasts.of(rule);
        return typeof found === 'object' ? found.find(({ market }) => market === via) : undefined;
      },
    },
    upper: { value: isUpper ? text.typed : text.result, currency: isUpper ? from : to },
    lower: { value: isUpper ? text.result : text.typed, currency: isUpper ? to : from },
    type(field: 'amount' | 'other', amount: string) {
      const currency = (field === 'amount') === isUpper ? from : to;
      change({ amount, from: currency === 'VES' ? 'VES' : '' }, { typed: field });
    },
    swap() {
      const amount = isUpper ? text.typed : text.result;
      const upperFrom = isUpper ? from : to;
      change({ amount, from: upperFrom === 'VES' ? '' : 'VES' }, { typed: 'amount' });
    },
    choose: (market: string) => change({ via: market, from: from === 'VES' ? 'VES' : '' }),
    chooseRule: (rule: DateRule) => change({ rule }),
    chooseDay(chosen: ChosenDay) {
      const isOther = chosen === 'other';
      const date =
        chosen === 'next' ? (nextDay ?? '') : isOther && day === 'other' ? request.date : '';
      // Only official rates are known before their day.
      const market = chosen === 'next' && !hasValueDates(via) ? { via: OFFICIAL_USD } : {};
      change({ date, ...market }, { wantsOtherDay: isOther });
    },
    chooseDate: (date: string) => change({ date }, { wantsOtherDay: date !== '' }),
  };
}

/** What a part of the form gets. */
export interface ChoiceParts {
  readonly parts: ConverterParts;
  readonly state: ReturnType<typeof useConverter>;
}

function draftOf(request: ConversionRequest): Draft {
  return { request, typed: 'amount', wantsOtherDay: request.date !== '', changes: 0 };
}

/** The rates of past days, which the page asks for and keeps. */
function usePasts(
  { past, otherRule, request: first, now, days }: BoardData,
  {
    draft: { request, changes },
    figures,
    today,
    live,
    answers,
  }: {
    readonly draft: Draft;
    readonly figures: BoardFigures;
    readonly today: CaracasDay;
    readonly live: LiveBoard | undefined;
    readonly answers: number;
  },
) {
  // From another day on the bolívares of a past day may be old ones.
  const nameOf = (rule: DateRule, of = request, day: string = today) => `${day} ${of.date} ${rule}`;
  const [known, setKnown] = useState<Readonly<Record<string, Past>>>(() => {
    const day = caracasDayOf(now);
    const rule = ruleOf(first);
    return {
      [nameOf(rule, first, day)]: past?.rates,
      [nameOf(OTHER_RULE[rule], first, day)]: otherRule?.rates,
    };
  });
  const { date } = request;
  const rule = ruleOf(request);
  const shown = known[nameOf(rule)];
  const isClosed =
    typeof shown === 'object' && shown.some(({ as_of: asOf }) => asOf?.business_day === false);
  const isPast = date !== '' && !isToCome(date, today);
  // The rate of a later day is known once it is published.
  const following = parseCaracasDay(date);
  const nextDay = following && nextBankingDay(following, days);
  const isKnown = nextDay !== undefined && nextDay <= (nextValueDate(figures) ?? today);
  const both = isClosed && (isKnown || rule === 'next_banking_day');
  const wanted = isPast ? [rule, ...(both ? [OTHER_RULE[rule]] : [])] : [];
  // What failed is asked again with the next change, and when the service answers again.
  useEffect(() => {
    if (live === undefined) return;
    for (const one of wanted) {
      const name = nameOf(one);
      if (typeof known[name] === 'object' || known[name] === 'loading') continue;
      setKnown((before) => ({ ...before, [name]: 'loading' }));
      const query = new URLSearchParams({ date, rule: one }).toString();
      void live
        .ratesOn(query)
        .then((rates) => setKnown((before) => ({ ...before, [name]: rates ?? 'failed' })));
    }
  }, [live, wanted.join(), date, today, changes, answers, figures.version]);
  return { of: (one: DateRule) => known[nameOf(hasValueRule(request) ? one : 'value_date')] };
}

const hasValueRule = ({ via }: ConversionRequest) => via === '' || hasValueDates(via);
