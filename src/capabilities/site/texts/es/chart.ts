const YEAR_DAYS = 365;

export const CHART_ES = {
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
    `Velas (${name}): apertura, máximo, mínimo y cierre de cada día. Vacía si la tasa subió, llena si bajó; una raya, si ese día hubo una sola lectura.`,
  noCandles: (days: number) =>
    `Velas: solo hasta ${days} días y con un mercado que no sea oficial.`,
  opens: 'apertura',
  highest: 'máximo',
  lowest: 'mínimo',
  closes: 'cierre',
  /** Beside the highest and the lowest figure in sight. */
  highestShort: 'máx.',
  lowestShort: 'mín.',
  /** After them, where they are within a day and no closes. */
  ofDays: ' del día',
  files: { csv: 'Descargar CSV', xlsx: 'Descargar para Excel (XLSX)' },
  /** A link to the table of the month. */
  month: 'Tasa oficial de cada día del mes',
  keys: 'Gráfica: use las flechas para recorrer los días, + y − para acercar y alejar. Los mismos datos están en la tabla.',
  zoomOut: 'Ver todo el período',
  zoomed: 'La tabla y los archivos traen todo el período.',
  failed: 'No se pudo cargar el historial. Seguimos intentando.',
  nothing: 'No hay datos en este período.',
  noMarket: 'Elija al menos un mercado para ver la gráfica.',
  /** A button with the names of markets. */
  showFirst: (names: string) => `Ver ${names}`,
  tooMany: (most: number) => `Hasta ${most} mercados a la vez: quite uno para elegir otro.`,
  /** On the line of a day on which the unit changed. */
  newUnit: 'bolívar nuevo',
  inTodaysUnit: 'Las cifras de antes están en bolívares de hoy.',
  table: 'Los mismos datos, en tabla',
  tableAbout:
    'Aquí la tasa oficial se repite cada día en que rige. En los archivos la columna «Fecha valor» dice de qué día es.',
  day: 'Día',
  /** In place of the last day, which has no close yet. */
  newest: 'Últimas cifras',
  off: 'Este servicio no muestra historial.',
};

export type ChartTexts = Readonly<typeof CHART_ES>;
