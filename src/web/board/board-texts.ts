import { inBoth, type Language } from '../frame/language.ts';

export const BOARD_TEXTS = inBoth({
  es: {
    title: 'Tasas del bolívar: BCV, paralelo y P2P · vesfx',
    description:
      'Tasas oficiales del dólar y del euro, paralelo, P2P y brecha, con la hora de cada cifra. Conversor e historial.',
    heading: 'Tasas del bolívar',
    cutOff: (time: string) =>
      `Sin conexión con el servicio desde el ${time}. Estas son las últimas cifras recibidas; seguimos intentando conectar.`,
    empty: 'Todavía no hay cifras.',
    emptyMore:
      'El servicio aún no ha leído ninguna fuente. Las cifras aparecerán aquí apenas estén disponibles.',
    official: 'Tasa oficial',
    officialNames: { USD: 'Dólar BCV', EUR: 'Euro BCV' },
    perUnit: { USD: 'Bs. por dólar', EUR: 'Bs. por euro' },
    inForceSince: (day: string) => `Vigente desde el ${day}`,
    noneInForce: 'Ninguna vigente todavía.',
    /** Beside a rate that a missing publication would have replaced. */
    maybeNewer: 'puede haber una más nueva',
    maybeNewerAbout: 'Una publicación del BCV está atrasada',
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
      count === 1 ? '“Dólar Binance” de un mercado' : `“Dólar Binance” de ${count} mercados`,
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
    curve: 'Cierre de cada día',
    none: 'Sin cifra reciente',
    stale: 'desactualizada',
    /** Before a length of time. */
    lasting: 'desde hace',
    staleAbout: 'Más antigua de lo normal en esta fuente',
    since: (day: string) => `desde el ${day}`,
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
    cutOff: (time) =>
      `No connection to the service since ${time}. These are the last figures received; we are still trying to connect.`,
    empty: 'There are no figures yet.',
    emptyMore:
      'The service has not read any source yet. Figures will appear here as soon as they are available.',
    official: 'Official rate',
    officialNames: { USD: 'BCV dollar', EUR: 'BCV euro' },
    perUnit: { USD: 'Bs. per dollar', EUR: 'Bs. per euro' },
    inForceSince: (day) => `In effect since ${day}`,
    noneInForce: 'None in effect yet.',
    maybeNewer: 'there may be a newer one',
    maybeNewerAbout: 'A publication of the BCV is overdue',
    sourceBcv: 'Banco Central de Venezuela',
    sourceBcvShort: 'BCV',
    sourcePushed: 'pushed by the operator',
    sourceSimulated: 'simulated',
    sourceShifted: 'real figure of another date',
    sourcePushedShort: 'operator',
    notConfirmed: 'not confirmed',
    parallel: 'Parallel',
    p2pMedian: 'USDT (P2P)',
    p2pMarkets: (count) =>
      count === 1 ? '“Binance dollar” of one market' : `“Binance dollar” of ${count} markets`,
    p2pStale: (count) => `${count} out of date`,
    index: 'Weighted average',
    indexParts: { bcv: 'official', paralelo: 'parallel', p2p: 'P2P' },
    indexFlags: {
      bcv_stale: 'without the official rate, which is out of date',
      degraded: 'with few P2P markets',
      outliers_excluded: 'without outliers',
    },
    indexWithout: (parts: string) => `without ${parts}`,
    indexStale: (parts: string) => `with figures out of date: ${parts}`,
    indexInDoubt: (parts: string) => `with unconfirmed figures: ${parts}`,
    premium: 'Premium',
    premiumAbout: 'Parallel over official',
    points: 'pts',
    lastDay: '24 h',
    curve: 'Close of each day',
    none: 'No recent figure',
    stale: 'out of date',
    lasting: 'for',
    staleAbout: 'Older than usual for this source',
    since: (day) => `since ${day}`,
    banks: 'Banks',
    banksAbout: (day) =>
      `Bank rates for the dollar, ${day}. Source: Banco Central de Venezuela, first read`,
    bank: 'Bank',
    bankSimulated: 'simulated',
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
});

export type BoardTexts = (typeof BOARD_TEXTS)[Language];
