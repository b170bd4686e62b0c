import { inBoth, type Language } from '../../frame/language.ts';

const YEAR_DAYS = 365;

export const CHART_TEXTS = inBoth({
  es: {
    heading: 'Historial',
    about:
      'Cierre de cada día a las 20:00 de Caracas, en bolívares. La tasa oficial rige hasta la siguiente.',
    needsScript: 'La gráfica necesita JavaScript. Puede descargar los mismos datos en CSV o Excel.',
    markets: 'Mercados',
    more: 'Más',
    range: 'Período',
    /** On a button: `30 d`, `1 año`. */
    days: (count: number) => (count === YEAR_DAYS ? '1 año' : `${count} d`),
    premium: 'Brecha',
    premiumOf: (name: string) => `Brecha: ${name} sobre el BCV`,
    noPremium: 'Sin brecha: elija un mercado en dólares que no sea oficial.',
    drawing: 'Dibujo',
    lines: 'Líneas',
    candles: 'Velas',
    /** How to read one. */
    candlesAre: (name: string) =>
      `Velas (${name}): apertura, máximo, mínimo y cierre de cada día. Vacía si la tasa subió, llena si bajó.`,
    noCandles: (days: number) =>
      `Velas: solo hasta ${days} días y con un mercado que no sea oficial.`,
    opens: 'apertura',
    highest: 'máximo',
    lowest: 'mínimo',
    closes: 'cierre',
    /** Beside the highest and the lowest figure in sight. */
    highestShort: 'máx.',
    lowestShort: 'mín.',
    files: { csv: 'Descargar CSV', xlsx: 'Descargar para Excel (XLSX)' },
    keys: 'Gráfica: use las flechas para recorrer los días, + y − para acercar y alejar. Los mismos datos están en la tabla.',
    zoomOut: 'Ver todo el período',
    failed: 'No se pudo cargar el historial. Seguimos intentando.',
    nothing: 'No hay datos en este período.',
    noMarket: 'Elija al menos un mercado para ver la gráfica.',
    tooMany: (most: number) => `Hasta ${most} mercados a la vez: quite uno para elegir otro.`,
    /** On the line of a day on which the unit changed. */
    newUnit: 'bolívar nuevo',
    inTodaysUnit: 'Las cifras de antes están en bolívares de hoy.',
    table: 'Los mismos datos, en tabla',
    tableAbout:
      'Aquí la tasa oficial se repite cada día en que rige. En los archivos la columna «Fecha valor» dice de qué día es.',
    day: 'Día',
    /** After a day that has no close yet. */
    running: 'en curso',
    off: 'Este servicio no muestra historial.',
  },
  en: {
    heading: 'History',
    about:
      'Close of each day at 20:00 in Caracas, in bolívares. An official rate holds until the next one.',
    needsScript: 'The chart needs JavaScript. You can download the same data as CSV or Excel.',
    markets: 'Markets',
    more: 'More',
    range: 'Period',
    days: (count) => (count === YEAR_DAYS ? '1 year' : `${count} d`),
    premium: 'Premium',
    premiumOf: (name) => `Premium: ${name} over BCV`,
    noPremium: 'No premium: choose a market in dollars that is not official.',
    drawing: 'Drawing',
    lines: 'Lines',
    candles: 'Candles',
    candlesAre: (name) =>
      `Candles (${name}): open, high, low and close of each day. Hollow if the rate rose, filled if it fell.`,
    noCandles: (days) => `Candles: only up to ${days} days and with a market that is not official.`,
    opens: 'open',
    highest: 'high',
    lowest: 'low',
    closes: 'close',
    highestShort: 'high',
    lowestShort: 'low',
    files: { csv: 'Download CSV', xlsx: 'Download for Excel (XLSX)' },
    keys: 'Chart: use the arrow keys to move through the days, + and − to zoom. The table has the same data.',
    zoomOut: 'Show the whole period',
    failed: 'The history could not be loaded. We keep trying.',
    nothing: 'There is no data for this period.',
    noMarket: 'Choose at least one market to see the chart.',
    tooMany: (most) => `At most ${most} markets at once: remove one to choose another.`,
    newUnit: 'new bolívar',
    inTodaysUnit: 'Earlier figures are in the bolívares of today.',
    table: 'The same data as a table',
    tableAbout:
      'Here an official rate is repeated for each day on which it holds. In the files the column “Value date” says of which day it is.',
    day: 'Day',
    running: 'so far',
    off: 'This service shows no history.',
  },
});

export type ChartTexts = (typeof CHART_TEXTS)[Language];
