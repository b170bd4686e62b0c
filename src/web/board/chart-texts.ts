import type { Texts } from '../frame/language.ts';

export interface ChartTexts {
  readonly heading: string;
  readonly about: string;
  readonly needsScript: string;
  readonly markets: string;
  readonly more: string;
  readonly range: string;
  /** On a button: `30 d`, `1 a`. */
  readonly days: (count: number) => string;
  readonly premium: string;
  readonly premiumOf: (name: string) => string;
  readonly candles: string;
  /** How to read one. */
  readonly candlesAre: (name: string) => string;
  readonly noCandles: (days: number) => string;
  readonly opens: string;
  readonly highest: string;
  readonly lowest: string;
  readonly closes: string;
  readonly csv: string;
  readonly keys: string;
  readonly zoomOut: string;
  readonly loading: string;
  readonly failed: string;
  readonly nothing: string;
  readonly noMarket: string;
  readonly tooMany: (most: number) => string;
  readonly table: string;
  readonly day: string;
  readonly off: string;
}

const YEAR_DAYS = 365;

export const CHART_TEXTS: Texts<ChartTexts> = {
  es: {
    heading: 'Historial',
    about: 'Cierre de cada día, en bolívares. La tasa oficial rige hasta la siguiente.',
    needsScript: 'La gráfica necesita JavaScript; los mismos datos están en los archivos.',
    markets: 'Mercados',
    more: 'Más',
    range: 'Período',
    days: (count) => (count === YEAR_DAYS ? '1 a' : `${count} d`),
    premium: 'Brecha',
    premiumOf: (name) => `Brecha: ${name} sobre el BCV`,
    candles: 'Velas',
    candlesAre: (name) =>
      `Velas de ${name}: de la primera a la última tasa del día, con la más alta y la más baja. Vacía si subió, llena si bajó.`,
    noCandles: (days) =>
      `Las velas se dibujan hasta ${days} días, del primer mercado elegido que no sea oficial.`,
    opens: 'apertura',
    highest: 'máximo',
    lowest: 'mínimo',
    closes: 'cierre',
    csv: 'Descargar CSV',
    keys: 'Gráfica: flechas para recorrer los días, + y − para acercar y alejar. Los mismos datos están en la tabla.',
    zoomOut: 'Quitar zoom',
    loading: 'Cargando el historial…',
    failed: 'No se pudo cargar el historial. Se intentará de nuevo al cambiar la selección.',
    nothing: 'No hay datos en este período.',
    noMarket: 'Elija al menos un mercado para ver la gráfica.',
    tooMany: (most) => `Hasta ${most} mercados a la vez: quite uno para elegir otro.`,
    table: 'Los mismos datos, en tabla',
    day: 'Día',
    off: 'Este servicio no muestra historial.',
  },
  en: {
    heading: 'History',
    about: 'Close of each day, in bolívares. An official rate holds until the next one.',
    needsScript: 'The chart needs JavaScript; the files have the same data.',
    markets: 'Markets',
    more: 'More',
    range: 'Period',
    days: (count) => (count === YEAR_DAYS ? '1 y' : `${count} d`),
    premium: 'Premium',
    premiumOf: (name) => `Premium: ${name} over BCV`,
    candles: 'Candles',
    candlesAre: (name) =>
      `Candles of ${name}: from the first to the last rate of the day, with the highest and the lowest. Hollow when it rose, filled when it fell.`,
    noCandles: (days) =>
      `Candles are drawn for up to ${days} days, of the first chosen market that is not official.`,
    opens: 'open',
    highest: 'high',
    lowest: 'low',
    closes: 'close',
    csv: 'Download CSV',
    keys: 'Chart: arrow keys go through the days, + and − zoom. The table has the same data.',
    zoomOut: 'Reset zoom',
    loading: 'Loading the history…',
    failed: 'The history could not be loaded. It is tried again when the selection changes.',
    nothing: 'There are no data in this period.',
    noMarket: 'Choose at least one market to see the chart.',
    tooMany: (most) => `At most ${most} markets at once: remove one to choose another.`,
    table: 'The same data as a table',
    day: 'Day',
    off: 'This service shows no history.',
  },
};
