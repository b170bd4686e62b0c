import { addCaracasDays, type CaracasDay } from '../../../domain/time.ts';
import { capitalised, nearDayText } from '../../frame/format.ts';
import { inBoth, type Language, type Texts } from '../../frame/language.ts';

const TOMORROW: Texts<string> = { es: 'Mañana', en: 'Tomorrow' };

function nextDayText(day: string, today: CaracasDay, language: Language): string {
  const isTomorrow = day === addCaracasDays(today, 1);
  if (isTomorrow) return `${TOMORROW[language]} ${Number(day.slice(-2))}`;
  return capitalised(nearDayText(day, today, language));
}

/** Why an amount is not converted. */
export type ConversionProblem =
  | 'no_amount'
  | 'no_date'
  | 'only_today'
  | 'unreadable'
  | 'unreadable_date'
  | 'out_of_range'
  | 'unknown_pair'
  | 'unknown_market'
  | 'no_rate'
  | 'no_past_rate'
  | 'no_next_rate'
  | 'other_currency'
  | 'one_way'
  | 'future'
  | 'before_history';

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
      p2p: 'USDT',
      index: 'Promedio',
      euro: 'Euro',
      other: 'Otro…',
    },
    /** Figures that can be converted with and are no market of their own. */
    computed: { p2p_median: 'USDT (P2P)', index: 'Promedio ponderado' },
    otherMarket: 'Otro mercado',
    /** In the list, in place of a market that is not known. */
    chooseMarket: 'Elija un mercado',
    day: 'Día de la tasa',
    days: { today: 'Hoy', other: 'Otra fecha' },
    /** On a button: `Mañana 24`, `Lunes 23`. */
    nextDay: (day: string, today: CaracasDay) => nextDayText(day, today, 'es'),
    nextUnknown: 'El BCV aún no ha publicado la próxima tasa',
    date: 'Tasa de otra fecha',
    /** The choice for a day on which banks are closed: neither rule is the legal one. */
    rule: 'Si los bancos no trabajaron ese día',
    rules: {
      value_date: 'Vigente',
      next_banking_day: 'Hábil siguiente',
    },
    /** On paper. */
    otherRule: (rule: string, rate: string) => `La otra opción: ${rule} (${rate})`,
    inForce: (valueDate: string) => `rige la del ${valueDate}`,
    nextAfter: (valueDate: string) => `la del día hábil siguiente, ${valueDate}`,
    /** Shown while the rates of a day are requested, and when the request fails. */
    loading: 'Buscando la tasa de ese día…',
    notLoaded: 'No se pudo cargar la tasa de ese día; seguimos intentando.',
    noDate: 'Elija una fecha',
    lastOf: (day: string) => `última lectura del ${day}`,
    /** The asked day, which is not that of the rate. */
    forDay: (day: string) => `para el ${day}`,
    onlyToday: 'Solo se conoce la de hoy',
    onlyTodayOf: (names: readonly string[]) => `${names.join(' y ')}: solo se conoce la de hoy`,
    /** Of a day before a change of the unit. */
    inItsUnit: 'en bolívares de ese día',
    submit: 'Convertir',
    swap: 'Intercambiar',
    copy: 'Copiar monto',
    copied: 'Copiado',
    share: 'Compartir',
    rateOfBcv: 'tasa BCV',
    readAs: (amount: string) => `Calculamos con ${amount}.`,
    meantDecimals: (amount: string) => `¿Quiso decir ${amount}, con decimales? Usar ese monto`,
    meantThousands: (amount: string) => `¿Quiso decir ${amount}, en miles? Usar ese monto`,
    /** An empty field asks for nothing. */
    problems: {
      no_amount: '',
      no_date: '',
      only_today: 'De USDT y del promedio solo tenemos la tasa de hoy. Elija otra tasa.',
      unreadable_date: 'No entendemos esa fecha.',
      future: 'Esa fecha aún no llega, y su tasa no se conoce todavía.',
      /** Before the day. */
      before_history: 'Aquí hay tasas desde el',
      unreadable: 'No entendemos ese monto. Escríbalo así: 1.012,35',
      out_of_range: 'El monto debe ser mayor que cero y de hasta un billón (1.000.000.000.000).',
      unknown_pair: 'Solo se convierte entre bolívares y dólares o euros.',
      no_past_rate: 'No tenemos tasa de ese mercado para ese día.',
      no_next_rate: 'Todavía no tenemos la tasa del día hábil siguiente.',
      unknown_market: 'No conocemos ese mercado.',
      no_rate: 'No tenemos tasa de ese mercado.',
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
      p2p: 'USDT',
      index: 'Average',
      euro: 'Euro',
      other: 'Other…',
    },
    computed: { p2p_median: 'USDT (P2P)', index: 'Weighted average' },
    otherMarket: 'Other market',
    chooseMarket: 'Choose a market',
    day: 'Day of the rate',
    days: { today: 'Today', other: 'Other date' },
    nextDay: (day, today) => nextDayText(day, today, 'en'),
    nextUnknown: 'The BCV has not published the next rate yet',
    date: 'Rate on another date',
    rule: 'If banks were closed that day',
    rules: {
      value_date: 'In effect',
      next_banking_day: 'Next business day',
    },
    otherRule: (rule, rate) => `The other choice: ${rule} (${rate})`,
    inForce: (valueDate) => `value date ${valueDate}`,
    nextAfter: (valueDate) => `next business day, ${valueDate}`,
    loading: 'Looking up the rate of that day…',
    notLoaded: 'The rate of that day could not be loaded; we keep trying.',
    noDate: 'Choose a date',
    lastOf: (day) => `last reading of ${day}`,
    forDay: (day) => `for ${day}`,
    onlyToday: "Only today's is known",
    onlyTodayOf: (names) => `${names.join(' and ')}: only today's is known`,
    inItsUnit: 'in the bolívares of that day',
    submit: 'Convert',
    swap: 'Swap',
    copy: 'Copy amount',
    copied: 'Copied',
    share: 'Share',
    rateOfBcv: 'BCV rate',
    readAs: (amount) => `We used ${amount}.`,
    meantDecimals: (amount) => `Did you mean ${amount}, with decimals? Use that amount`,
    meantThousands: (amount) => `Did you mean ${amount}, in thousands? Use that amount`,
    problems: {
      no_amount: '',
      no_date: '',
      only_today: "Of USDT and the average we only have today's rate. Choose another rate.",
      unreadable_date: 'We cannot read that date.',
      future: 'That date has not come yet, and its rate is not known.',
      before_history: 'Rates here begin on',
      unreadable: 'We cannot read that amount. Write it like this: 1,012.35',
      out_of_range: 'The amount must be greater than zero and at most 1,000,000,000,000.',
      unknown_pair: 'You can convert only between bolívares and dollars or euros.',
      no_past_rate: 'We have no rate of that market for that day.',
      no_next_rate: 'We do not have the rate of the next business day yet.',
      unknown_market: 'We do not know that market.',
      no_rate: 'We have no rate of that market.',
      other_currency:
        'That rate is of another currency. Choose another rate, or type the amount in bolívares.',
      one_way: 'Remittance rates convert only to bolívares.',
    },
  },
});
