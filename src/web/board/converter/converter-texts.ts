import { inBoth } from '../../frame/language.ts';

/** Why an amount is not converted. */
export type ConversionProblem =
  | 'no_amount'
  | 'unreadable'
  | 'out_of_range'
  | 'unknown_pair'
  | 'unknown_market'
  | 'no_past_rate'
  | 'no_next_rate'
  | 'other_currency'
  | 'one_way';

export const CONVERTER_TEXTS = inBoth({
  es: {
    heading: 'Convertir',
    /** The name of a field for those who hear the page. */
    amountIn: (currency: string) => `Monto en ${currency}`,
    currencies: { USD: 'Dólares', EUR: 'Euros', VES: 'Bolívares' },
    via: 'Tasa',
    /** On the buttons. */
    segments: {
      official: 'BCV',
      parallel: 'Paralelo',
      p2p: 'P2P',
      index: 'Índice',
      euro: 'Euro',
      other: 'Otro…',
    },
    /** Figures that can be converted with and are no market of their own. */
    computed: { p2p_median: 'Mediana P2P', index: 'Índice' },
    otherMarket: 'Otro mercado',
    date: 'Tasa de otro día',
    /** The choice for a day on which banks are closed: neither rule is the legal one. */
    rule: 'Si los bancos no trabajaron',
    rules: {
      value_date: 'la vigente, del día hábil anterior',
      next_banking_day: 'la del día hábil siguiente',
    },
    inForceOn: (day: string, valueDate: string) =>
      `vigente el ${day}, con fecha valor ${valueDate}`,
    nextAfter: (day: string, valueDate: string) =>
      `del día hábil siguiente al ${day}, con fecha valor ${valueDate}`,
    /** Shown while the rates of a day are requested, and when the request fails. */
    loading: 'Buscando la tasa de ese día…',
    notLoaded: 'No se pudo cargar la tasa de ese día; seguimos intentando.',
    lastOf: (day: string) => `última lectura al cierre del ${day}`,
    /** Of a day before a change of the unit. */
    inItsUnit: 'en bolívares de ese día',
    submit: 'Convertir',
    swap: 'Intercambiar',
    copy: 'Copiar',
    copied: 'Copiado',
    share: 'Enlace',
    readAs: (amount: string) => `Calculamos con ${amount}.`,
    meantDecimals: (amount: string) => `¿Quiso decir ${amount}, con decimales? Usar ese monto`,
    meantThousands: (amount: string) => `¿Quiso decir ${amount}, en miles? Usar ese monto`,
    problems: {
      no_amount: 'Escriba un monto.',
      unreadable: 'No entendemos ese monto. Escríbalo así: 1.012,35',
      out_of_range: 'El monto debe ser mayor que cero y de hasta un billón (1.000.000.000.000).',
      unknown_pair: 'Solo se convierte entre bolívares y dólares o euros.',
      no_past_rate: 'No tenemos tasa de ese mercado para ese día.',
      no_next_rate: 'Todavía no tenemos la tasa del día hábil siguiente.',
      unknown_market: 'No tenemos tasa de ese mercado.',
      other_currency:
        'Esa tasa es de otra divisa. Elija otra tasa o escriba el monto en bolívares.',
      one_way: 'Con las remesas solo se convierte a bolívares.',
    },
  },
  en: {
    heading: 'Convert',
    amountIn: (currency) => `Amount in ${currency}`,
    currencies: { USD: 'Dollars', EUR: 'Euros', VES: 'Bolívares' },
    via: 'Rate',
    segments: {
      official: 'BCV',
      parallel: 'Parallel',
      p2p: 'P2P',
      index: 'Index',
      euro: 'Euro',
      other: 'Other…',
    },
    computed: { p2p_median: 'P2P median', index: 'Index' },
    otherMarket: 'Other market',
    date: 'Rate of another day',
    rule: 'If banks were closed',
    rules: {
      value_date: 'the rate of the previous business day',
      next_banking_day: 'the rate of the next business day',
    },
    inForceOn: (day, valueDate) => `in force on ${day}, value date ${valueDate}`,
    nextAfter: (day, valueDate) => `of the next business day after ${day}, value date ${valueDate}`,
    loading: 'Looking up the rate of that day…',
    notLoaded: 'The rate of that day could not be loaded; we keep trying.',
    lastOf: (day) => `last reading at the close of ${day}`,
    inItsUnit: 'in the bolívares of that day',
    submit: 'Convert',
    swap: 'Swap',
    copy: 'Copy',
    copied: 'Copied',
    share: 'Link',
    readAs: (amount) => `We used ${amount}.`,
    meantDecimals: (amount) => `Did you mean ${amount}, with decimals? Use that amount`,
    meantThousands: (amount) => `Did you mean ${amount}, in thousands? Use that amount`,
    problems: {
      no_amount: 'Type an amount.',
      unreadable: 'We cannot read that amount. Write it like this: 1,012.35',
      out_of_range: 'The amount must be greater than zero and at most 1,000,000,000,000.',
      unknown_pair: 'You can convert only between bolívares and dollars or euros.',
      no_past_rate: 'We have no rate of that market for that day.',
      no_next_rate: 'We do not have the rate of the next business day yet.',
      unknown_market: 'We have no rate of that market.',
      other_currency:
        'That rate is of another currency. Choose another rate, or type the amount in bolívares.',
      one_way: 'Remittance rates convert only to bolívares.',
    },
  },
});
