import type { Texts } from '../frame/language.ts';

export interface BoardTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly newest: (time: string) => string;
  readonly caracas: string;
  readonly cutOff: (time: string) => string;
  readonly empty: string;
  readonly emptyMore: string;
  readonly official: string;
  readonly officialNames: Readonly<Record<'USD' | 'EUR', string>>;
  readonly perUnit: Readonly<Record<'USD' | 'EUR', string>>;
  readonly inForceSince: (day: string) => string;
  readonly noneInForce: string;
  /** Beside a rate that a missing publication would have replaced. */
  readonly maybeNewer: string;
  readonly changeFromBefore: string;
  readonly nextFrom: (day: string) => string;
  readonly next: string;
  readonly noNext: string;
  /** While a publication is overdue. */
  readonly nextOverdue: string;
  readonly sourceBcv: string;
  readonly sourceBcvShort: string;
  readonly sourcePushed: string;
  readonly sourceSimulated: string;
  readonly sourcePushedShort: string;
  readonly newerHeld: string;
  readonly parallel: string;
  readonly p2pMedian: string;
  readonly p2pMarkets: (count: number) => string;
  readonly p2pStale: (count: string) => string;
  readonly index: string;
  readonly indexAbout: string;
  readonly indexFlags: Readonly<
    Record<'bcv_stale' | 'degraded' | 'missing_sources' | 'outliers_excluded', string>
  >;
  readonly premium: string;
  readonly premiumAbout: string;
  readonly points: string;
  readonly lastDay: string;
  readonly curve: string;
  readonly none: string;
  readonly stale: string;
  readonly staleAbout: string;
  readonly markets: string;
  readonly columns: Readonly<
    Record<'market' | 'rate' | 'buy' | 'sell' | 'premium' | 'age', string>
  >;
  readonly since: (day: string) => string;
  readonly kinds: string;
  readonly allKinds: string;
  readonly kindNames: Readonly<Record<string, string>>;
  readonly allPer: string;
  readonly banks: string;
  readonly banksAbout: (day: string) => string;
  readonly bank: string;
  readonly bankBuys: string;
  readonly bankSells: string;
  readonly date: string;
  readonly noBanks: string;
  readonly api: Readonly<Record<'heading' | 'about' | 'docs', string>>;
}

export const BOARD_TEXTS: Texts<BoardTexts> = {
  es: {
    title: 'Tasas del bolívar: BCV, paralelo y P2P · vesfx',
    description:
      'Tasas oficiales del dólar y del euro, paralelo, P2P y brecha, con la hora de cada cifra. Conversor e historial.',
    heading: 'Tasas del bolívar',
    newest: (time) => `Cifra más reciente: ${time}`,
    caracas: 'hora de Caracas',
    cutOff: (time) =>
      `Sin conexión con el servicio desde el ${time}. Estas son las últimas cifras recibidas; seguimos intentando conectar.`,
    empty: 'Todavía no hay cifras.',
    emptyMore:
      'El servicio aún no ha leído ninguna fuente. Las cifras aparecerán aquí apenas estén disponibles.',
    official: 'Tasa oficial',
    officialNames: { USD: 'Dólar BCV', EUR: 'Euro BCV' },
    perUnit: { USD: 'Bs. por dólar', EUR: 'Bs. por euro' },
    inForceSince: (day) => `Vigente desde el ${day}`,
    noneInForce: 'Ninguna vigente todavía.',
    maybeNewer: 'puede haber una más nueva',
    changeFromBefore: 'frente a la anterior',
    nextFrom: (day) => `Próxima, desde el ${day}`,
    next: 'Próxima',
    noNext: 'Aún no se ha publicado',
    nextOverdue: 'Aún no la hemos recibido',
    sourceBcv: 'Banco Central de Venezuela',
    sourceBcvShort: 'BCV',
    sourcePushed: 'cargada por el operador',
    sourceSimulated: 'simulada',
    sourcePushedShort: 'operador',
    newerHeld: 'Última lectura retenida',
    parallel: 'Paralelo',
    p2pMedian: 'Mediana P2P',
    p2pMarkets: (count) => (count === 1 ? 'de un mercado' : `de ${count} mercados`),
    p2pStale: (count) => (count === '1' ? '1 desactualizada' : `${count} desactualizadas`),
    index: 'Índice',
    indexAbout: 'Oficial, paralelo y P2P',
    indexFlags: {
      bcv_stale: 'sin la tasa oficial, que está desactualizada',
      degraded: 'con pocos mercados P2P',
      missing_sources: 'faltan componentes',
      outliers_excluded: 'sin valores atípicos',
    },
    premium: 'Brecha',
    premiumAbout: 'Paralelo sobre oficial',
    points: 'pts.',
    lastDay: '24 h',
    curve: 'Cierre de cada día',
    none: 'Sin datos',
    stale: 'desactualizada',
    staleAbout: 'Más antigua de lo normal en esta fuente',
    markets: 'Mercados',
    columns: {
      market: 'Mercado',
      rate: 'Tasa',
      buy: 'Usted compra a',
      sell: 'Usted vende a',
      premium: 'Brecha',
      age: 'Edad',
    },
    since: (day) => `desde el ${day}`,
    kinds: 'Mostrar',
    allKinds: 'Todos',
    kindNames: {
      reference: 'BCV',
      parallel: 'Paralelo',
      p2p: 'P2P',
      remittance: 'Remesas',
      exchange_house: 'Casas de cambio',
      cash: 'Efectivo',
    },
    allPer: 'Bolívares por unidad de la divisa. La brecha se calcula sobre el dólar BCV.',
    banks: 'Bancos',
    banksAbout: (day) =>
      `Tasas informativas del sistema bancario para el dólar, ${day}. Fuente: Banco Central de Venezuela, leída`,
    bank: 'Banco',
    bankBuys: 'Compra',
    bankSells: 'Venta',
    date: 'Fecha',
    noBanks: 'Todavía no hay tasas de los bancos.',
    api: {
      heading: 'Las mismas cifras en su programa',
      about:
        'Tasas, conversiones e historial por HTTP, con la fecha valor y la edad de cada cifra.',
      docs: 'Ver la documentación',
    },
  },
  en: {
    title: 'Bolívar exchange rates: BCV, parallel and P2P · vesfx',
    description:
      'Official dollar and euro rates, parallel, P2P and premium, each figure with its time. Converter and history.',
    heading: 'Bolívar exchange rates',
    newest: (time) => `Newest figure: ${time}`,
    caracas: 'Caracas time',
    cutOff: (time) =>
      `No connection to the service since ${time}. These are the last figures received; we are still trying to connect.`,
    empty: 'There are no figures yet.',
    emptyMore:
      'The service has not read any source yet. Figures will appear here as soon as they are available.',
    official: 'Official rate',
    officialNames: { USD: 'BCV dollar', EUR: 'BCV euro' },
    perUnit: { USD: 'Bs. per dollar', EUR: 'Bs. per euro' },
    inForceSince: (day) => `In force since ${day}`,
    noneInForce: 'None in force yet.',
    maybeNewer: 'there may be a newer one',
    changeFromBefore: 'vs. previous',
    nextFrom: (day) => `Next, from ${day}`,
    next: 'Next',
    noNext: 'Not published yet',
    nextOverdue: 'Not received yet',
    sourceBcv: 'Banco Central de Venezuela',
    sourceBcvShort: 'BCV',
    sourcePushed: 'loaded by the operator',
    sourceSimulated: 'simulated',
    sourcePushedShort: 'operator',
    newerHeld: 'Latest reading held',
    parallel: 'Parallel',
    p2pMedian: 'P2P median',
    p2pMarkets: (count) => (count === 1 ? 'of one market' : `of ${count} markets`),
    p2pStale: (count) => `${count} out of date`,
    index: 'Index',
    indexAbout: 'Official, parallel and P2P',
    indexFlags: {
      bcv_stale: 'without the official rate, which is out of date',
      degraded: 'with few P2P markets',
      missing_sources: 'components are missing',
      outliers_excluded: 'without outliers',
    },
    premium: 'Premium',
    premiumAbout: 'Parallel over official',
    points: 'pts',
    lastDay: '24 h',
    curve: 'Close of each day',
    none: 'No data',
    stale: 'out of date',
    staleAbout: 'Older than usual for this source',
    markets: 'Markets',
    columns: {
      market: 'Market',
      rate: 'Rate',
      buy: 'You buy at',
      sell: 'You sell at',
      premium: 'Premium',
      age: 'Age',
    },
    since: (day) => `since ${day}`,
    kinds: 'Show',
    allKinds: 'All',
    kindNames: {
      reference: 'BCV',
      parallel: 'Parallel',
      p2p: 'P2P',
      remittance: 'Remittances',
      exchange_house: 'Exchange houses',
      cash: 'Cash',
    },
    allPer: 'Bolívares per unit of the currency. The premium is over the BCV dollar.',
    banks: 'Banks',
    banksAbout: (day) =>
      `Bank rates for the dollar, ${day}. Source: Banco Central de Venezuela, read`,
    bank: 'Bank',
    bankBuys: 'Buys (Compra)',
    bankSells: 'Sells (Venta)',
    date: 'Date',
    noBanks: 'There are no bank rates yet.',
    api: {
      heading: 'The same figures in your program',
      about:
        'Rates, conversions and history over HTTP, with the value date and the age of each figure.',
      docs: 'Read the documentation',
    },
  },
};
