import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { DATE_RULES, type DateRule } from '../../../../core/domain/history/past-dates.ts';
import { hasValueDates, OFFICIAL_USD } from '../../../../core/domain/markets.ts';
import { type CaracasDay, caracasDayOf, parseCaracasDay } from '../../../../core/domain/time.ts';
import type { BoardReader } from '../age.ts';
import { nextBankingDay } from '../banking-days.ts';
import type { BoardData, LiveBoard } from '../board-data.ts';
import type { BoardFigures, BoardPast, ConvertibleRate } from '../board-figures.ts';
import {
  type Conversion,
  type ConversionRequest,
  conversionAddress,
  conversionRequest,
  convertibleRates,
  convertTyped,
  faultyInput,
  INDEX,
  OTHER_DAY,
  RATE_CHOICES,
  requestAddress,
  ruleOf,
} from './converter.ts';
import {
  dayProblem,
  firstHistoryDay,
  isToCome,
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
  /** The market with whose current rate to convert, each time that it is another object. */
  readonly converted: { readonly market: string } | undefined;
}

/** The day of the rate: `other` also before a date is chosen. */
export type ChosenDay = 'today' | 'next' | 'other';

interface Draft {
  readonly request: ConversionRequest;
  /** The field in which the reader typed last. The other one follows it. */
  readonly typed: 'amount' | 'other';
  /** The rate that was chosen before a day that has only official ones. */
  readonly replaced?: string | undefined;
  /** How often the reader changed anything. */
  readonly changes: number;
}

type Rates = readonly ConvertibleRate[];

/** The rates of a past day: undefined before they are asked, `failed` when nobody answered. */
type Past = Rates | 'loading' | 'failed' | undefined;

/** Browsers refuse more than some hundred changes of the address in half a minute. */
// limit: Until the address shows a conversion | 0.4 s
const ADDRESS_WAIT_MS = 400;
const READ_TIMEOUT_MS = 20_000;
/** Statuses for a day without rates. They are no failure. */
const REFUSED = [400, 403, 404, 422];

/** What the reader asks of the converter, and what it answers. */
export function useConverter(parts: ConverterParts) {
  const { data, figures, reader, live, converted } = parts;
  const { language } = reader;
  const today = caracasDayOf(reader.now);
  const [draft, setDraft] = useState<Draft>(() => draftOf(data.request));
  const { request, changes } = draft;
  const pastBy = usePasts({ ...parts, draft, today });
  const past = pastBy(request.rule);
  const rates = ratesOf(request, { figures, today, past: ratesIn(past) });
  const ofDay = dayProblem(request, { figures, today });
  const whyNoRate = request.via === data.unknownMarket ? 'unknown_market' : ofDay;
  const conversion: Conversion | undefined =
    rates && convertTyped(request, rates, language, whyNoRate);
  const done = conversion?.done;
  const via = done?.rate.market ?? (request.via || OFFICIAL_USD);
  const base = rates?.find(({ market }) => market === via)?.base ?? 'USD';
  const from = done?.from ?? (request.from === 'VES' ? 'VES' : base);
  const to = done?.to ?? (from === 'VES' ? base : 'VES');
  const problem = conversion?.done === undefined ? conversion?.problem : undefined;

  const nextDay = nextValueDate(figures);
  const day: ChosenDay =
    request.date === '' ? 'today' : request.date === nextDay ? 'next' : OTHER_DAY;
  const known = useMemo(() => convertibleRates(figures), [figures]);
  const isOfDay = (id: string) =>
    day === 'today' || (day === 'next' ? hasValueDates(id) : id !== INDEX);
  /** The rates with a button of their own, and whether each is known of the day. */
  const buttons = RATE_CHOICES.filter(([, id]) => known.some(({ market }) => market === id)).map(
    ([name, id]) => ({ name, id, isOfDay: isOfDay(id) }),
  );

  const change = (next: Partial<ConversionRequest>, more: Partial<Draft> = {}) =>
    setDraft((before) => ({
      ...before,
      ...more,
      request: { ...before.request, to: '', ...next },
      changes: before.changes + 1,
    }));

  const choose = (market: string, date = request.date) =>
    change(
      { via: market, date, from: request.from === 'VES' ? 'VES' : '' },
      { replaced: undefined },
    );

  // The page may be one that was kept, or the reader typed before its script was loaded.
  useLayoutEffect(() => {
    if (live === undefined) return;
    const { search, early: changed } = live.opened;
    const asked =
      search === data.query ? data.request : conversionRequest(new URLSearchParams(search));
    if (asked !== data.request) setDraft(draftOf(asked));
    const { amount, other, date, via: market } = changed;
    if ((amount ?? other ?? date ?? market) === undefined) return;
    const isLower = amount === undefined && other !== undefined;
    const early = amount ?? other;
    change(
      {
        ...(early !== undefined && { amount: early, typedIn: language }),
        ...(isLower && { from: from === 'VES' ? '' : 'VES' }),
        ...(date !== undefined && { date: date || OTHER_DAY }),
        ...(market !== undefined && { via: market }),
      },
      { typed: isLower ? 'other' : 'amount' },
    );
  }, [live]);

  useEffect(() => {
    if (converted !== undefined) choose(converted.market, '');
  }, [converted]);

  const address = done ? conversionAddress(done, reader) : requestAddress(request, reader);
  // The reader can share the page's address, and open it again: it names the conversion, or the fault.
  useEffect(() => {
    if (live === undefined || changes === 0) return;
    const timer = setTimeout(() => live.showAddress(address), ADDRESS_WAIT_MS);
    return () => clearTimeout(timer);
  }, [live, changes, address]);

  const typed = { value: typedText(request, language), currency: from };
  const result = { value: done ? resultText(done.result, language) : '', currency: to };
  const [upper, lower] = draft.typed === 'amount' ? [typed, result] : [result, typed];
  // What is no date cannot stand in its field.
  const isDate = day === OTHER_DAY && ofDay !== 'no_date' && ofDay !== 'unreadable_date';
  const rateBy = (rule: DateRule) => ratesIn(pastBy(rule))?.find(({ market }) => market === via);
  return {
    ...{
      request,
      conversion,
      rates,
      buttons,
      done,
      via,
      problem,
      day,
      nextDay,
      today,
      upper,
      lower,
    },
    faulty: problem && faultyInput(problem),
    typed: draft.typed,
    isWaiting: conversion === undefined && past !== 'failed',
    hasFailed: conversion === undefined && past === 'failed',
    /** Whether neither rule is the legal one: the day is one without banks. */
    isRuleAsked:
      hasValueDates(via) && DATE_RULES.some((rule) => rateBy(rule)?.as_of?.business_day === false),
    rateBy,
    date: isDate ? request.date : '',
    firstDay: firstHistoryDay(figures, today),
    /** Only official rates are known before their day. */
    lastDay: hasValueDates(via) ? (nextDay ?? today) : today,
    type(field: 'amount' | 'other', amount: string) {
      const typedHere = { amount, typedIn: language };
      // A currency that is typed beside an amount counts as long as it stands there.
      if (field === draft.typed) return change(typedHere);
      change({ ...typedHere, via, from: from === 'VES' ? '' : 'VES' }, { typed: field });
    },
    /** What is typed below comes up with its currency; what is typed above is converted back. */
    swap() {
      if (draft.typed === 'other') return change({ via }, { typed: 'amount' });
      const amount = done && { amount: done.amount, typedIn: undefined };
      change({ ...amount, via, from: from === 'VES' ? '' : 'VES' });
    },
    /** Takes the other meaning of the amount that was typed. */
    mean(event: Event) {
      event.preventDefault();
      if (done?.other === undefined) return;
      change({ amount: done.other, from: done.from, via, typedIn: undefined });
    },
    choose,
    chooseRule: (rule: DateRule) => change({ rule }),
    chooseDay(chosen: ChosenDay) {
      const kept = day === OTHER_DAY ? request.date : OTHER_DAY;
      const date = { today: '', next: nextDay ?? '', other: kept }[chosen];
      const market = draft.replaced ?? request.via;
      const replaced = chosen === 'next' && market && !hasValueDates(market) ? market : undefined;
      change({ date, via: replaced ? OFFICIAL_USD : market }, { replaced });
    },
    chooseDate: (date: string) => change({ date: date || OTHER_DAY }),
  };
}

/** What a part of the form gets. */
export interface ChoiceParts {
  readonly parts: ConverterParts;
  readonly state: ReturnType<typeof useConverter>;
}

function draftOf(request: ConversionRequest): Draft {
  return { request, typed: 'amount', changes: 0 };
}

const ratesIn = (past: Past): Rates | undefined => (typeof past === 'object' ? past : undefined);

interface PastsParts extends ConverterParts {
  readonly draft: Draft;
  readonly today: CaracasDay;
}

/** The rates of past days, which the page asks for and keeps. @returns those of the request by a rule. */
function usePasts({ data, figures, live, answers, draft, today }: PastsParts) {
  const { request, changes } = draft;
  // From another day on the bolívares of a past day may be old ones.
  const nameOf = (rule: DateRule, { date } = request, day = today) => `${day} ${date} ${rule}`;
  const [known, setKnown] = useState<Readonly<Record<string, Past>>>(() => {
    const day = caracasDayOf(data.now);
    const rule = ruleOf(data.request);
    return {
      [nameOf(rule, data.request, day)]: data.past?.rates,
      [nameOf(OTHER_RULE[rule], data.request, day)]: data.otherRule?.rates,
    };
  });
  const { date } = request;
  const rule = ruleOf(request);
  const shown = ratesIn(known[nameOf(rule)]);
  const isClosed = shown?.some(({ as_of: asOf }) => asOf?.business_day === false);
  // The rate of a later day is known once it is published.
  const following = parseCaracasDay(date);
  const nextDay = following && nextBankingDay(following, data.days);
  const isKnown = nextDay !== undefined && nextDay <= (nextValueDate(figures) ?? today);
  const both = rule === 'next_banking_day' || (isClosed && isKnown);
  const isPast =
    date !== '' && !isToCome(date, today) && dayProblem(request, { figures, today }) === undefined;
  const wanted = isPast ? [rule, ...(both ? [OTHER_RULE[rule]] : [])] : [];
  // What failed is asked again with the next change, and when the service answers again.
  useEffect(() => {
    if (live === undefined) return;
    for (const one of wanted) {
      const name = nameOf(one);
      const keep = (past: Past) => setKnown((before) => ({ ...before, [name]: past }));
      if (typeof known[name] === 'object' || known[name] === 'loading') continue;
      keep('loading');
      ratesOn(date, one).then(keep, () => keep('failed'));
    }
  }, [live, wanted.join(), date, today, changes, answers, figures.version]);
  return (one: DateRule) => known[nameOf(ruleOf({ ...request, rule: one }))];
}

/** The rates of a past day; empty when the board has none. */
async function ratesOn(date: string, rule: DateRule): Promise<Rates> {
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const query = new URLSearchParams({ date, rule });
  const response = await fetch(`/board/rates.json?${query}`, { signal });
  if (REFUSED.includes(response.status)) return [];
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  // The service writes the body from a value of this type.
  return ((await response.json()) as BoardPast).rates;
}
