/**
 * Figures shared by several examples, of one Friday night in Caracas. The official rates are those of the
 * demonstration on that night, as in the README and the guides.
 */

const fetchedAt = '2026-11-21T03:00:00.000Z';
const parallelAt = '2026-11-21T02:45:00.000Z';
const officialAt = '2026-11-20T04:00:00.000Z';

const reference = {
  market: 'reference',
  type: 'reference',
  base: 'USD',
  mid: 771.0714,
  updated_at: officialAt,
  effective_date: '2026-11-20',
  stale_after_sec: 475200,
};

const parallel = {
  market: 'parallel',
  type: 'parallel',
  base: 'USD',
  mid: 867.15,
  updated_at: parallelAt,
  stale_after_sec: 7200,
};

const firstP2p = {
  market: 'binance',
  type: 'p2p',
  base: 'USD',
  mid: 882.34,
  ask: 883.23,
  bid: 881.46,
  updated_at: '2026-11-21T02:58:00.000Z',
  stale_after_sec: 900,
};

export const FIGURES = {
  fetchedAt,
  parallelAt,
  officialAt,
  /** When the central bank published the rate of Tuesday the 24th. */
  publishedAt: '2026-11-20T21:10:00.000Z',
  reference,
  eurReference: { ...reference, market: 'eur_reference', base: 'EUR', mid: 889.45399204 },
  parallel,
  firstP2p,
  secondP2p: { ...firstP2p, market: 'bingx', mid: 880.79, ask: 881.04, bid: 880.54 },
  /** The official rate in conversions. */
  quotedByReference: {
    rate: reference.mid,
    market: reference.market,
    type: reference.type,
    updated_at: officialAt,
  },
  index: {
    value: 845.5339,
    version: 'v1',
    as_of: fetchedAt,
    weights: { bcv: 0.3, paralelo: 0.2, p2p: 0.5 },
    components: { bcv: 771.0714, paralelo: 867.15, p2p: 881.565 },
    p2p_median: 881.565,
    p2p_count: 2,
    flags: { degraded: true },
    methodology_url: 'https://rates.example/methodology',
  },
  /** Saturday the 21st with the rate in force, which is Friday's. */
  onSaturday: {
    date: '2026-11-21',
    rule: 'value_date',
    business_day: false,
    value_date: '2026-11-20',
    captured_at: officialAt,
    carried_days: 1,
  },
};
