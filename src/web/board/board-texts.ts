import type { Texts } from '../frame/language.ts';
import type { ConversionProblem } from './converter.ts';

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
  readonly currencies: Readonly<Record<'USD' | 'EUR', string>>;
  readonly perUnit: Readonly<Record<'USD' | 'EUR', string>>;
  readonly inForceFor: (day: string) => string;
  readonly noneInForce: string;
  readonly changeFromBefore: string;
  readonly changeInDay: string;
  readonly next: string;
  readonly nextFrom: (day: string) => string;
  readonly noNext: string;
  readonly source: string;
  readonly sourceBcv: string;
  readonly sourceBcvShort: string;
  readonly sourcePushed: string;
  readonly sourcePushedShort: string;
  readonly market: string;
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
  readonly none: string;
  readonly stale: string;
  readonly staleAbout: string;
  readonly markets: string;
  readonly columns: Readonly<
    Record<'market' | 'rate' | 'buy' | 'sell' | 'premium' | 'age', string>
  >;
  readonly allPer: string;
  readonly banks: string;
  readonly banksAbout: (day: string) => string;
  readonly bank: string;
  readonly date: string;
  readonly noBanks: string;
}

export const BOARD_TEXTS: Texts<BoardTexts> = {
  es: {
    title: 'Tasas del bolívar: BCV, paralelo y P2P · vesfx',
    description:
      'La tasa oficial del dólar y del euro, el paralelo, el P2P y la brecha, con la hora de cada cifra; con conversor e historial.',
    heading: 'Tasas del bolívar',
    newest: (time) => `Cifra más reciente: ${time}`,
    caracas: 'hora de Caracas',
    cutOff: (time) =>
      `Sin respuesta del servicio desde las ${time}. Se muestran las últimas cifras; se sigue intentando.`,
    empty: 'Todavía no hay cifras.',
    emptyMore:
      'El servicio no ha leído ninguna fuente ni recibido registros. Las cifras aparecen aquí en cuanto los haya.',
    official: 'Tasa oficial',
    currencies: { USD: 'Dólar', EUR: 'Euro' },
    perUnit: { USD: 'Bs. por dólar', EUR: 'Bs. por euro' },
    inForceFor: (day) => `Fecha valor: ${day}`,
    noneInForce: 'Ninguna vigente todavía.',
    changeFromBefore: 'sobre la anterior',
    changeInDay: 'en 24 horas',
    next: 'Próxima',
    nextFrom: (day) => `Rige desde el ${day}, a las 00:00`,
    noNext: 'La próxima aún no se ha publicado.',
    source: 'Fuente',
    sourceBcv: 'Banco Central de Venezuela',
    sourceBcvShort: 'BCV',
    sourcePushed: 'cargada por el operador',
    sourcePushedShort: 'operador',
    market: 'Mercado',
    parallel: 'Paralelo',
    p2pMedian: 'Mediana P2P',
    p2pMarkets: (count) => (count === 1 ? 'de un mercado' : `de ${count} mercados`),
    p2pStale: (count) => `${count} con retraso`,
    index: 'Índice',
    indexAbout: 'Oficial, paralelo y P2P, ponderados',
    indexFlags: {
      bcv_stale: 'sin la tasa oficial, que es antigua',
      degraded: 'con pocos mercados P2P',
      missing_sources: 'faltan componentes',
      outliers_excluded: 'sin valores atípicos',
    },
    premium: 'Brecha',
    premiumAbout: 'Paralelo sobre oficial',
    none: 'Sin datos',
    stale: 'con retraso',
    staleAbout: 'Más antigua de lo normal en esta fuente',
    markets: 'Todos los mercados',
    columns: {
      market: 'Mercado',
      rate: 'Tasa',
      buy: 'Compra',
      sell: 'Venta',
      premium: 'Brecha',
      age: 'Edad',
    },
    allPer: 'Bolívares por unidad de la divisa. Brecha sobre la tasa oficial del dólar.',
    banks: 'Bancos',
    banksAbout: (day) =>
      `Tasas informativas del sistema bancario para el dólar, ${day}. Fuente: Banco Central de Venezuela.`,
    bank: 'Banco',
    date: 'Fecha',
    noBanks: 'Todavía no hay tabla de bancos.',
  },
  en: {
    title: 'Rates of the bolivar: BCV, parallel and P2P · vesfx',
    description:
      'The official rate of the dollar and the euro, the parallel one, P2P and the premium, each figure with its time; with a converter and history.',
    heading: 'Rates of the bolivar',
    newest: (time) => `Newest figure: ${time}`,
    caracas: 'Caracas time',
    cutOff: (time) =>
      `The service has not answered since ${time}. These are the last figures; trying again.`,
    empty: 'There are no figures yet.',
    emptyMore:
      'The service has not read any source nor been given records. Figures appear here as soon as there are some.',
    official: 'Official rate',
    currencies: { USD: 'Dollar', EUR: 'Euro' },
    perUnit: { USD: 'Bs. per dollar', EUR: 'Bs. per euro' },
    inForceFor: (day) => `Value date: ${day}`,
    noneInForce: 'None in force yet.',
    changeFromBefore: 'on the one before',
    changeInDay: 'in 24 hours',
    next: 'Next',
    nextFrom: (day) => `In force from ${day}, 00:00`,
    noNext: 'The next one is not published yet.',
    source: 'Source',
    sourceBcv: 'Banco Central de Venezuela',
    sourceBcvShort: 'BCV',
    sourcePushed: 'loaded by the operator',
    sourcePushedShort: 'operator',
    market: 'Market',
    parallel: 'Parallel',
    p2pMedian: 'P2P median',
    p2pMarkets: (count) => (count === 1 ? 'of one market' : `of ${count} markets`),
    p2pStale: (count) => `${count} stale`,
    index: 'Index',
    indexAbout: 'Official, parallel and P2P, weighted',
    indexFlags: {
      bcv_stale: 'without the official rate, which is old',
      degraded: 'with few P2P markets',
      missing_sources: 'components are missing',
      outliers_excluded: 'without outliers',
    },
    premium: 'Premium',
    premiumAbout: 'Parallel over official',
    none: 'No data',
    stale: 'stale',
    staleAbout: 'Older than usual for this source',
    markets: 'All markets',
    columns: {
      market: 'Market',
      rate: 'Rate',
      buy: 'Buy',
      sell: 'Sell',
      premium: 'Premium',
      age: 'Age',
    },
    allPer: 'Bolivars for one unit of the currency. Premium over the official rate of the dollar.',
    banks: 'Banks',
    banksAbout: (day) =>
      `Rates of the banks for the dollar, ${day}. Source: Banco Central de Venezuela.`,
    bank: 'Bank',
    date: 'Date',
    noBanks: 'There is no table of banks yet.',
  },
};

export interface ConverterTexts {
  readonly heading: string;
  readonly amount: string;
  readonly amountHint: string;
  readonly from: string;
  readonly currencies: Readonly<Record<'USD' | 'EUR' | 'VES', string>>;
  readonly via: string;
  readonly date: string;
  readonly dateHint: string;
  readonly inForceOn: (day: string, valueDate: string) => string;
  readonly lastOf: (day: string) => string;
  readonly submit: string;
  readonly swap: string;
  readonly copy: string;
  readonly copied: string;
  readonly share: string;
  readonly rate: string;
  readonly readAs: (amount: string) => string;
  readonly meant: (amount: string) => string;
  readonly problems: Readonly<Record<ConversionProblem, string>>;
}

export const CONVERTER_TEXTS: Texts<ConverterTexts> = {
  es: {
    heading: 'Conversor',
    amount: 'Monto',
    amountHint: 'Por ejemplo 1.012,35 o 1,012.35',
    from: 'De',
    currencies: { USD: 'Dólares (USD)', EUR: 'Euros (EUR)', VES: 'Bolívares (VES)' },
    via: 'Mercado',
    date: 'Día (opcional)',
    dateHint: 'Para la tasa de un día pasado, en Caracas',
    inForceOn: (day, valueDate) => `vigente el ${day}, con fecha valor ${valueDate}`,
    lastOf: (day) => `última captura hasta el final del ${day}`,
    submit: 'Convertir',
    swap: 'Invertir',
    copy: 'Copiar resultado',
    copied: 'Copiado',
    share: 'Enlace a esta conversión',
    rate: 'Tasa',
    readAs: (amount) => `Se lee como ${amount}.`,
    meant: (amount) => `¿Quiso decir ${amount}?`,
    problems: {
      no_amount: 'Escriba un monto.',
      unreadable: 'Ese monto no se entiende. Escríbalo como 1.012,35 o 1,012.35.',
      out_of_range:
        'El monto debe ser mayor que cero y de un billón (1.000.000.000.000) a lo sumo.',
      unknown_pair: 'Se convierte entre bolívares y dólares o euros.',
      no_past_rate: 'En este tablero no hay tasa de ese mercado para ese día.',
      unknown_market: 'Ese mercado no tiene tasa en este tablero.',
      other_currency: 'Ese mercado cotiza otra divisa. Elija otro mercado u otra moneda.',
      one_way: 'Las remesas solo convierten a bolívares.',
    },
  },
  en: {
    heading: 'Converter',
    amount: 'Amount',
    amountHint: 'For example 1,012.35 or 1.012,35',
    from: 'From',
    currencies: { USD: 'Dollars (USD)', EUR: 'Euros (EUR)', VES: 'Bolivars (VES)' },
    via: 'Market',
    date: 'Day (optional)',
    dateHint: 'For the rate of a past day, in Caracas',
    inForceOn: (day, valueDate) => `in force on ${day}, value date ${valueDate}`,
    lastOf: (day) => `last capture up to the end of ${day}`,
    submit: 'Convert',
    swap: 'Swap',
    copy: 'Copy the result',
    copied: 'Copied',
    share: 'Link to this conversion',
    rate: 'Rate',
    readAs: (amount) => `Read as ${amount}.`,
    meant: (amount) => `Did you mean ${amount}?`,
    problems: {
      no_amount: 'Type an amount.',
      unreadable: 'That amount cannot be read. Write it as 1,012.35 or 1.012,35.',
      out_of_range: 'The amount must be greater than zero and at most 1,000,000,000,000.',
      unknown_pair: 'Conversions are between bolivars and dollars or euros.',
      no_past_rate: 'This board has no rate of that market for that day.',
      unknown_market: 'That market has no rate on this board.',
      other_currency: 'That market quotes another currency. Choose another market or currency.',
      one_way: 'Remittances convert to bolivars only.',
    },
  },
};

export interface ChartTexts {
  readonly heading: string;
  readonly about: string;
  readonly needsScript: string;
  readonly markets: string;
  readonly range: string;
  readonly days: (count: string) => string;
  readonly premium: string;
  readonly premiumOf: (name: string) => string;
  readonly csv: string;
  readonly keys: string;
  readonly zoomOut: string;
  readonly loading: string;
  readonly failed: string;
  readonly nothing: string;
  readonly table: string;
  readonly day: string;
  readonly off: string;
}

export const CHART_TEXTS: Texts<ChartTexts> = {
  es: {
    heading: 'Historial',
    about: 'La última tasa de cada día (UTC), en bolívares.',
    needsScript: 'La gráfica necesita JavaScript; los mismos datos están en el CSV.',
    markets: 'Mercados',
    range: 'Período',
    days: (count) => `${count} días`,
    premium: 'Brecha del paralelo',
    premiumOf: (name) => `Brecha, ${name} (%)`,
    csv: 'Descargar CSV',
    keys: 'Gráfica: flechas para recorrer los días, + y − para acercar y alejar. Los mismos datos están en la tabla.',
    zoomOut: 'Ver todo',
    loading: 'Leyendo el historial…',
    failed: 'El historial no se pudo leer. Se intentará de nuevo al cambiar la selección.',
    nothing: 'No hay datos en este período.',
    table: 'Los mismos datos, en tabla',
    day: 'Día',
    off: 'Quien opera este servicio no muestra historial.',
  },
  en: {
    heading: 'History',
    about: 'The last rate of each day (UTC), in bolivars.',
    needsScript: 'The chart needs JavaScript; the CSV has the same data.',
    markets: 'Markets',
    range: 'Period',
    days: (count) => `${count} days`,
    premium: 'Premium of the parallel rate',
    premiumOf: (name) => `Premium, ${name} (%)`,
    csv: 'Download CSV',
    keys: 'Chart: arrow keys go through the days, + and − zoom. The table has the same data.',
    zoomOut: 'Show all',
    loading: 'Reading the history…',
    failed: 'The history could not be read. It is tried again when the selection changes.',
    nothing: 'There are no data in this period.',
    table: 'The same data as a table',
    day: 'Day',
    off: 'Whoever runs this service shows no history.',
  },
};
