export const CONVERTER_ES = {
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
  /** On a button, before the day of the month. */
  tomorrow: 'Mañana',
  nextUnknown: 'El BCV aún no ha publicado la próxima tasa',
  date: 'Tasa de otra fecha',
  /** The choice for a day on which banks are closed: neither rule is the legal one. */
  rule: 'Los bancos no trabajaron ese día',
  rules: {
    value_date: 'La que regía',
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
  notOfDay: (names: string) => `${names}: solo para hoy.`,
  /** Of a day before a change of the unit. */
  inItsUnit: 'en bolívares de ese día',
  submit: 'Convertir',
  swap: 'Intercambiar',
  copy: 'Copiar monto',
  /** Of a rate that is out of date, with its warning. */
  copyWarned: 'Copiar texto',
  sentWarned: 'Se comparte y se copia con el aviso:',
  copied: 'Copiado',
  /** After the age of the rate. */
  cutOff: 'sin conexión',
  share: 'Compartir',
  rateOfBcv: 'tasa BCV',
  /** Where the API has more decimals of the rate, or fewer of the result. */
  wholeRate: (rate: string) => `Tasa con todos sus decimales, como en la API: ${rate}.`,
  rounded: (sum: string) => `La API redondea a ${sum}.`,
  /** Beside an amount with two meanings: the other one. */
  meant: (amount: string) => `¿${amount}?`,
  meantOther: (amount: string) => `¿Quiso decir ${amount}?`,
  meantDecimals: (amount: string) => `¿Quiso decir ${amount}, con decimales?`,
  meantThousands: (amount: string) => `¿Quiso decir ${amount}, en miles?`,
  /** An empty field asks for nothing. What is before the first `:` or `. ` fits in a field of a phone. */
  problems: {
    no_amount: '',
    no_date: '',
    only_today: 'Del promedio solo tenemos la tasa de hoy. Elija otra tasa.',
    unreadable_date: 'Esa fecha no existe o no la entendemos. Elija otra.',
    future: 'Esa fecha aún no llega, y su tasa no se conoce todavía.',
    /** Before the day. */
    before_history: 'Aquí no hay tasas de antes del',
    unreadable: 'No entendemos ese monto. Escriba solo un número, así: 1.012,35',
    out_of_range:
      'Monto fuera de rango: debe ser mayor que cero y de hasta un billón (1.000.000.000.000).',
    unknown_pair: 'Par no disponible: solo se convierte entre bolívares y dólares o euros.',
    no_past_rate: 'No tenemos tasa de ese mercado para ese día.',
    no_next_rate: 'Todavía no tenemos la tasa del día hábil siguiente.',
    unknown_market: 'No conocemos ese mercado.',
    no_rate: 'No hay tasa de ese mercado.',
    other_currency: 'La tasa es de otra divisa. Elija otra tasa o escriba el monto en bolívares.',
    one_way: 'Solo hacia bolívares: una tasa de remesas no convierte al revés.',
  },
};

/** Why an amount is not converted. */
export type ConversionProblem = keyof typeof CONVERTER_ES.problems;
