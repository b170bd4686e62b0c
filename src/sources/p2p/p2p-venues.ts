import type { UpstreamRequest } from '../../app/ports/sources.ts';
import type { Offer, Side } from '../../domain/representative-quote.ts';

/** Offers on a page, where a venue has pages. */
export const OFFERS_PER_PAGE = 20;
/** Pages read of each side: those with the best offers, as venues list them. */
export const MAX_OFFER_PAGES = 2;

/**
 * A P2P venue: how its list of advertisements is asked for, and where in the answer things stand
 * (paths as in `valueAt`). None of these addresses is documented by its venue.
 */
export interface Venue {
  readonly pages: 1 | typeof MAX_OFFER_PAGES;
  /** The venue's word for the makers who sell (`ask`) and for those who buy (`bid`). */
  readonly sides: Readonly<Record<Side, string>>;
  request(url: string, query: OfferQuery): UpstreamRequest;
  /** Path of the list. */
  list(side: Side): string;
  readonly fields: Readonly<Record<keyof Omit<Offer, 'completionPercent'>, string>> & {
    /** Absent where the list does not have it. */
    readonly completion?: string;
  };
  /** In what `completion` is given; percent may have its sign. */
  readonly completionIn: 'fraction' | 'percent';
  /** What each offer says of itself, by its path; an offer that says something else is not taken. */
  marks(side: Side): Readonly<Record<string, string>>;
}

export interface OfferQuery {
  /** The venue's word. */
  readonly side: string;
  /** From 1. */
  readonly page: number;
  readonly ticketVes: number;
}

const TOKEN = 'USDT';
const FIAT = 'VES';
const accept = ['application/json'];

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value);
  return asked.href;
}

const binance: Venue = {
  pages: 2,
  // From the taker's view: BUY lists the makers who sell.
  sides: { ask: 'BUY', bid: 'SELL' },
  request: (url, { side, page, ticketVes }) => ({
    url,
    accept,
    json: {
      asset: TOKEN,
      fiat: FIAT,
      tradeType: side,
      page,
      rows: OFFERS_PER_PAGE,
      transAmount: String(ticketVes),
      payTypes: [],
      countries: [],
      publisherType: null,
    },
  }),
  list: () => 'data',
  fields: {
    merchant: 'advertiser.userNo',
    price: 'adv.price',
    minVes: 'adv.minSingleTransAmount',
    maxVes: 'adv.maxSingleTransAmount',
    available: 'adv.surplusAmount',
    orders: 'advertiser.monthOrderCount',
    completion: 'advertiser.monthFinishRate',
  },
  completionIn: 'fraction',
  marks: (side) => ({
    'adv.asset': TOKEN,
    'adv.fiatUnit': FIAT,
    // The maker's view: the opposite of what was asked for.
    'adv.tradeType': side === 'ask' ? 'SELL' : 'BUY',
  }),
};

const bybit: Venue = {
  pages: 2,
  // From the maker's view.
  sides: { ask: '1', bid: '0' },
  request: (url, { side, page, ticketVes }) => ({
    url,
    accept,
    json: {
      userId: '',
      tokenId: TOKEN,
      currencyId: FIAT,
      payment: [],
      side,
      size: String(OFFERS_PER_PAGE),
      page: String(page),
      amount: String(ticketVes),
      authMaker: false,
      canTrade: false,
    },
  }),
  list: () => 'result.items',
  fields: {
    merchant: 'nickName',
    price: 'price',
    minVes: 'minAmount',
    maxVes: 'maxAmount',
    available: 'lastQuantity',
    orders: 'recentOrderNum',
    completion: 'recentExecuteRate',
  },
  completionIn: 'percent',
  marks: (side) => ({ tokenId: TOKEN, currencyId: FIAT, side: bybit.sides[side] }),
};

const okx: Venue = {
  // The whole book comes at once.
  pages: 1,
  sides: { ask: 'sell', bid: 'buy' },
  request: (url, { side }) => ({
    accept,
    url: withQuery(url, {
      quoteCurrency: FIAT,
      baseCurrency: TOKEN,
      side,
      paymentMethod: 'all',
      userType: 'all',
      showTrade: 'false',
      showFollow: 'false',
      showAlreadyTraded: 'false',
      isAbleFilter: 'false',
    }),
  }),
  list: (side) => `data.${okx.sides[side]}`,
  fields: {
    merchant: 'merchantId',
    price: 'price',
    minVes: 'quoteMinAmountPerOrder',
    maxVes: 'quoteMaxAmountPerOrder',
    available: 'availableAmount',
    orders: 'completedOrderQuantity',
    completion: 'completedRate',
  },
  completionIn: 'fraction',
  // Not every answer says in which currency it is.
  marks: (side) => ({ side: okx.sides[side] }),
};

const bitget: Venue = {
  pages: 2,
  sides: { ask: '1', bid: '2' },
  request: (url, { side, page }) => ({
    url,
    accept,
    // Any other key is refused with error 40002.
    json: {
      side: Number(side),
      pageNo: page,
      pageSize: OFFERS_PER_PAGE,
      coinCode: TOKEN,
      fiatCode: FIAT,
      languageType: 0,
    },
  }),
  list: () => 'data.dataList',
  fields: {
    merchant: 'nickName',
    price: 'price',
    minVes: 'minAmount',
    maxVes: 'maxAmount',
    available: 'lastAmount',
    // Spelt so by the venue.
    orders: 'thirtyTunoverNum',
    completion: 'thirtyCompletionRate',
  },
  completionIn: 'fraction',
  marks: () => ({ coinCode: TOKEN, fiatCode: FIAT }),
};

/** The venue's id of USDT, the same for every caller. */
const MEXC_USDT = '128f589271cb4951b03e71e6323eb7be';

const mexc: Venue = {
  pages: 2,
  sides: { ask: 'SELL', bid: 'BUY' },
  request: (url, { side, page, ticketVes }) => ({
    accept,
    url: withQuery(url, {
      coinId: MEXC_USDT,
      currency: FIAT,
      tradeType: side,
      page: String(page),
      pageSize: String(OFFERS_PER_PAGE),
      amount: String(ticketVes),
      payMethod: '',
      countryCode: '',
      adsType: '1',
      allowTrade: 'false',
      blockTrade: 'false',
      follow: 'false',
      haveTrade: 'false',
    }),
  }),
  list: () => 'data',
  fields: {
    merchant: 'merchant.nickName',
    price: 'price',
    minVes: 'minTradeLimit',
    maxVes: 'maxTradeLimit',
    available: 'availableQuantity',
    orders: 'merchantStatistics.doneLastMonthCount',
    completion: 'merchantStatistics.completeRate',
  },
  completionIn: 'fraction',
  marks: () => ({ coinName: TOKEN, currency: FIAT }),
};

const kucoin: Venue = {
  pages: 2,
  sides: { ask: 'SELL', bid: 'BUY' },
  request: (url, { side, page }) => ({
    accept,
    url: withQuery(url, {
      currency: TOKEN,
      legal: FIAT,
      side,
      page: String(page),
      pageSize: String(OFFERS_PER_PAGE),
      status: 'PUTUP',
      lang: 'en_US',
    }),
  }),
  list: () => 'items',
  fields: {
    merchant: 'nickName',
    // `premium` is another figure.
    price: 'floatPrice',
    minVes: 'limitMinQuote',
    maxVes: 'limitMaxQuote',
    available: 'currencyBalanceQuantity',
    orders: 'dealOrderNum',
    completion: 'dealOrderRate',
  },
  completionIn: 'percent',
  marks: () => ({ legal: FIAT }),
};

const bingx: Venue = {
  // No way to ask for a second page is known.
  pages: 1,
  // From the taker's view.
  sides: { ask: '1', bid: '2' },
  request: (url, { side, ticketVes }) => ({
    accept,
    url: withQuery(url, {
      type: side,
      fiat: FIAT,
      asset: TOKEN,
      amount: String(ticketVes),
      payMethodId: '',
      hidePaymentInfo: '',
    }),
  }),
  list: () => 'data.dataList',
  fields: {
    merchant: 'nickName',
    price: 'price',
    minVes: 'minAmount',
    maxVes: 'maxAmount',
    available: 'availableAmount',
    orders: 'tradeNum30',
  },
  completionIn: 'fraction',
  marks: () => ({ asset: TOKEN, fiat: FIAT }),
};

export const VENUE_NAMES = [
  'binance',
  'bybit',
  'okx',
  'bitget',
  'mexc',
  'kucoin',
  'bingx',
] as const;
export type VenueName = (typeof VENUE_NAMES)[number];

export const VENUES: Readonly<Record<VenueName, Venue>> = {
  binance,
  bybit,
  okx,
  bitget,
  mexc,
  kucoin,
  bingx,
};
