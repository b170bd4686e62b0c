export const BOARD_ES = {
  title: 'Tasas del bolívar: BCV, paralelo y P2P · vesfx',
  description:
    'Tasas oficiales del dólar y del euro, paralelo, P2P y brecha, con la hora de cada cifra. Conversor e historial.',
  heading: 'Tasas del bolívar',
  cutOff: (time: string) => `Sin conexión · cifras de las ${time}`,
  cutOffSince: (time: string) => `Sin conexión · cifras del ${time}`,
  empty: 'Todavía no hay cifras.',
  emptyMore: 'Aparecerán aquí apenas haya alguna.',
  official: 'Tasa oficial',
  officialNames: { USD: 'Dólar BCV', EUR: 'Euro BCV' },
  perUnit: { USD: 'Bs. por dólar', EUR: 'Bs. por euro' },
  inForceSince: (day: string) => `Rige desde el ${day}`,
  noneInForce: 'Ninguna rige todavía.',
  /** The day of an official rate that no longer is in force. */
  ofDay: (day: string) => `Del ${day}`,
  /** The official rate is out of date; `isAll`: every figure is. */
  lateHeading: (isAll: boolean, days: number) => {
    const since = days === 1 ? 'es de ayer' : `es de hace ${days} días`;
    return isAll
      ? `No cobre con estas cifras: la oficial ${since}.`
      : `No cobre con la tasa oficial: ${since}.`;
  },
  /** `missed`: how many publications are known to be missing. */
  lateMore: (day: string, missed: number) => {
    const one = missed === 1 ? ', y falta una publicación del BCV' : '';
    const many = missed > 1 ? `, y faltan ${missed} publicaciones del BCV` : one;
    return `Es la del ${day}${many}. Compruebe la de hoy en bcv.org.ve.`;
  },
  seeStatus: 'Ver el estado',
  /** Beside an official rate of which nobody can know, without a connection, whether it still is the newest. */
  maybeNewer: 'puede haber una más nueva',
  maybeNewerAbout: 'Sin conexión no se sabe si el BCV publicó otra',
  sourceBcv: 'Banco Central de Venezuela',
  sourceBcvShort: 'BCV',
  sourcePushed: 'cargada por el operador',
  sourceSimulated: 'simulada',
  sourceShifted: 'cifra real de otra fecha',
  sourcePushedShort: 'operador',
  /** Beside a figure of the bank that is held. */
  notConfirmed: 'sin confirmar',
  parallel: 'Paralelo',
  p2pMedian: 'USDT (P2P)',
  p2pMarkets: (count: number) =>
    count === 1 ? '“Dólar Binance”, de un mercado' : `“Dólar Binance”: mediana de ${count}`,
  p2pStale: (count: string) => (count === '1' ? '1 desactualizada' : `${count} desactualizadas`),
  index: 'Promedio ponderado',
  indexParts: { bcv: 'oficial', paralelo: 'paralelo', p2p: 'P2P' },
  indexFlags: {
    bcv_stale: 'sin la tasa oficial, que está desactualizada',
    degraded: 'con pocos mercados P2P',
    outliers_excluded: 'sin valores atípicos',
  },
  indexWithout: (parts: string) => `sin ${parts}`,
  indexStale: (parts: string) => `con cifras desactualizadas: ${parts}`,
  indexInDoubt: (parts: string) => `con cifras sin confirmar: ${parts}`,
  premium: 'Brecha',
  premiumAbout: 'Paralelo sobre oficial',
  points: 'pts.',
  lastDay: '24 h',
  /** What a tap on a card does. */
  convert: 'Convertir con esta tasa',
  none: 'Sin cifra reciente',
  stale: 'desactualizada',
  /** Before a length of time. */
  lasting: 'desde hace',
  staleAbout: 'Su fuente suele dar una más reciente',
  since: (day: string) => `desde el ${day}`,
  currencies: 'Otras monedas del BCV',
  currenciesAbout: 'Tasas oficiales, en bolívares por unidad.',
  currency: 'Moneda',
  currencyNames: { CNY: 'Yuan', TRY: 'Lira turca', RUB: 'Rublo' },
  inForce: 'Rige',
  changed: 'Cambio',
  nextRate: 'Próxima',
  banks: 'Bancos',
  banksAbout: (day: string) =>
    `Tasas informativas del sistema bancario para el dólar, ${day}. Fuente: Banco Central de Venezuela, leída por primera vez`,
  bank: 'Banco',
  /** Beside a bank of the demonstration. */
  bankSimulated: 'simulado',
  bankBuys: 'Compra',
  bankSells: 'Venta',
  date: 'Fecha',
  noBanks: 'Todavía no hay tasas de los bancos.',
  api: {
    heading: 'Las mismas cifras en su programa',
    about: 'Tasas, conversiones e historial por HTTP, con la fecha valor y la edad de cada cifra.',
    docs: 'Ver la documentación',
  },
  unitChange: (day: string, factor: string) =>
    `Desde el ${day}, un bolívar nuevo son ${factor} de los anteriores.`,
};

export type BoardTexts = Readonly<typeof BOARD_ES>;

export const HERO_ES = {
  today: (day: string) => `Hoy, ${day}`,
  tomorrow: (day: string) => `Mañana, ${day}`,
  holiday: 'feriado bancario',
  sinceToday: 'rige desde hoy',
  /** Of a day whose rate was not received. */
  withoutToday: 'sin la tasa de hoy',
  lateOf: (day: string, days: number) => `Del ${day}: ${days === 1 ? 'ayer' : `hace ${days} días`}`,
  /** A rate of an earlier day that is still in force. */
  ruling: (day: string) => `rige la del ${day}`,
  /** Without a connection, on a day whose rate is not known. */
  lastKnown: (day: string) => `la última conocida es la del ${day}`,
  next: 'Próxima tasa',
  noNext: 'El BCV aún no la publica',
  nextBy: (time: string) => `Se espera antes de las ${time}`,
  /** While a publication is overdue. */
  nextOverdue: 'Aún no la hemos recibido',
  /** While the service does not answer. */
  nextUnknown: 'No se sabe sin conexión',
  before: (day: string) => `frente al ${day}`,
  /** A link to the table of every day. */
  month: 'Ver el mes',
  lastDays: (days: number) => `Últimos ${days} días`,
  curve: (days: number, from: string, to: string) =>
    `Tasa oficial de los últimos ${days} días: de ${from} a ${to} hoy`,
  /** `day` is the first one of which nothing is known. */
  curveLate: (day: string, from: string, to: string) =>
    `Tasa oficial: de ${from} a ${to}; sin datos desde el ${day}`,
  curveNext: (rate: string, day: string) => `, y ${rate} desde el ${day}`,
  now: 'hoy',
};

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

export const MARKET_ES = {
  heading: 'Mercados',
  columns: {
    market: 'Mercado',
    rate: 'Tasa',
    buy: 'Usted compra a',
    sell: 'Usted vende a',
    premium: 'Brecha',
    age: 'Actualizada',
  },
  kinds: 'Mostrar',
  kindNames: {
    all: 'Todos',
    reference: 'BCV',
    parallel: 'Paralelo',
    p2p: 'P2P',
    remittance: 'Remesas',
    exchange_house: 'Casas de cambio',
    cash: 'Efectivo',
  } as Readonly<Record<string, string>>,
  allPer: 'Bolívares por unidad de la divisa. La brecha se calcula sobre el dólar BCV.',
  openRows: 'Toque una fila para ver de dónde sale su cifra. Horas de Caracas.',
  origin: 'Origen',
  /** On the button that opens a row. */
  originOf: (name: string) => `De dónde sale la cifra: ${name}`,
  missing: 'sin cifra reciente',
  missingAbout: 'Su última cifra es demasiado antigua, o su fuente no la trae',
  inDoubt: 'sin confirmar',
  inDoubtAbout: 'Ninguna otra fuente la confirma, o una muestra otra cifra',
  frozen: 'sin cambios',
  frozenAbout: (moment: string) =>
    `La misma cifra desde el ${moment}: puede que su fuente se haya detenido`,
  newerHeld: 'Última lectura retenida',
  wholeRate: 'Todos sus decimales',
  source: 'Fuente',
  observed: 'Leída',
  confirmed: 'Confirmaciones',
  /** `percent`: by how much they may differ at most. */
  sources: (count: number, percent: number) =>
    count === 1
      ? 'La trae una sola fuente'
      : `${count} fuentes independientes coinciden (diferencia máxima: ${percent} %)`,
  later: 'Lecturas posteriores',
  held: (time: string, why: string | undefined) =>
    `La lectura del ${time} está retenida${because(why)}`,
  notHeld: 'Ninguna retenida',
  sides: 'Compra y venta',
  history: 'Ver su historial',
};

/** The workbook and the CSV of the history. */
export const BOARD_FILE_ES = {
  /** Excel reserves the name `History`. */
  sheet: 'Tasas',
  columns: {
    market: 'Mercado',
    base: 'Divisa',
    date: 'Fecha',
    rate: 'Tasa (Bs.)',
    open: 'Apertura',
    high: 'Máximo',
    low: 'Mínimo',
    gap_percent: 'Brecha (%)',
    updated_at: 'Actualizada (UTC)',
    captured_at: 'Capturada (UTC)',
    value_date: 'Fecha valor',
    next_banking_day: 'Próximo día hábil',
    next_banking_day_rate: 'Tasa del próximo día hábil (Bs.)',
  },
};
