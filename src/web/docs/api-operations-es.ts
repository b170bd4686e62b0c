/** What the reference says of one operation, in Spanish. */
export interface OperationTexts {
  readonly summary: string;
  readonly description?: string;
  /** Of a body that is not JSON. */
  readonly body?: string;
  /** By the name of the example. */
  readonly examples?: Readonly<Record<string, string>>;
}

/** The operations in Spanish, by their id. Every operation has its texts here, which a test holds. */
export const SPANISH_OPERATIONS: Readonly<Record<string, OperationTexts>> = {
  listRates: {
    summary: 'Todas las tasas',
    description:
      'Las cotizaciones de todos los mercados de su plan. Con markup se aplica una regla de margen de su cuenta. Con date, las tasas de un día pasado en Caracas, de los mercados hasta cuyo historial llega su plan.',
    examples: {
      rates: 'Todos los mercados del plan',
      with_markup: 'Lo mismo con una regla de margen',
      past_day: 'Todos los mercados en un sábado, que no tiene tasa propia',
    },
  },
  getRate: {
    summary: 'Tasa de un mercado',
    description:
      'Con date, la tasa de un día pasado en Caracas: de un mercado oficial la vigente ese día, de los demás la última captura antes de que terminara el día. El historial, en cambio, cuenta en días UTC.',
    examples: {
      answer: 'Un mercado P2P, por su id',
      past_day: 'La tasa oficial de un sábado: la vigente, del viernes',
    },
  },
  getHistory: {
    summary: 'Historial de un mercado',
    description:
      'Con date, lo último capturado antes de que terminara ese día UTC. Sin él, una serie. Para la tasa de un día en Caracas, use date en las tasas y las conversiones.',
    examples: {
      series: 'Una serie: la última captura de cada día UTC',
      point: 'Un día, cuando se da date',
    },
  },
  getCandles: {
    summary: 'Velas de un mercado',
    description:
      'La primera, la más alta, la más baja y la última tasa de cada día, semana o mes en UTC. Un período sin capturas no aparece. Como máximo 1000 velas.',
    examples: { answer: 'Una semana terminada y la que corre' },
  },
  listChanges: {
    summary: 'Variación de las tasas',
    description:
      'Cada tasa de ahora frente a la última capturada hasta la misma hora de hace un día, una semana, un mes, un trimestre o un año.',
    examples: { answer: 'Una semana del mercado libre, y un mercado que entonces no estaba' },
  },
  listMarkets: {
    summary: 'Catálogo de mercados',
    examples: { answer: 'El comienzo del catálogo, y un mercado de un plan superior' },
  },
  convert: {
    summary: 'Convertir un monto',
    description:
      'De USD o EUR a VES, o al revés, con el mid de un mercado. Sin via ni market, con la tasa oficial. Con date, con la tasa de un día pasado en Caracas.',
    examples: {
      answer: '100 USD a la tasa oficial',
      past_day: '100 USD a la tasa del próximo día hábil',
    },
  },
  bulkConvert: {
    summary: 'Convertir hasta 50 montos con una tasa',
    examples: { answer: 'Dos montos a la tasa oficial' },
  },
  compareMarkets: {
    summary: 'Comparar mercados en los que se puede operar',
    description:
      'Ordena los mercados por lo que rendiría una conversión. No considera comisiones, liquidez ni límites.',
    examples: { answer: '100 USD, con cotizaciones de los últimos 15 minutos' },
  },
  getIndex: {
    summary: 'Índice ponderado de referencia',
    description:
      'La tasa oficial, la del mercado libre y las P2P en una cifra. No es una tasa oficial ni un precio al que se pueda operar.',
    examples: { answer: 'Un índice con pocas cotizaciones P2P' },
  },
  getSpread: {
    summary: 'Brecha entre la tasa oficial y otro mercado',
    examples: { answer: 'El mercado libre frente a la tasa oficial' },
  },
  listBankRates: {
    summary: 'La tabla de bancos del Banco Central',
    description:
      'Tasas de compra y venta de dólares de cada banco. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'Una fila del día y una más vieja' },
  },
  listBcvCurrencies: {
    summary: 'Las otras monedas del Banco Central',
    description:
      'La última publicación capturada, cuya fecha valor puede ser futura. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'Publicado un viernes para el martes: el lunes es feriado bancario' },
  },
  listOfficialRates: {
    summary: 'Tasas oficiales: vigente, anterior y próxima',
    description:
      'Cada una con su fecha valor y el instante desde el que rige. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'El dólar un sábado, cuando ya se conoce la tasa del martes' },
  },
  getCalendar: {
    summary: 'Días hábiles y fechas valor',
    description:
      'Qué días trabajan los bancos, y para qué fecha vale lo que se publica ese día. Como máximo 366 días.',
    examples: { answer: 'Un feriado bancario y el día siguiente' },
  },
  calculate: {
    summary: 'Calcular por cada mercado abierto',
    description:
      'Un monto en VES, o desde VES, por cada mercado del plan más económico. Desde USD también está la tasa oficial del euro, con `base` y sin resultado. 60 consultas por minuto desde una dirección; pueden leerlo páginas de cualquier origen.',
    examples: { answer: 'Cien dólares en cada mercado abierto' },
  },
  getAccount: {
    summary: 'Su plan, límites, consumo y claves',
    description:
      'No cuesta nada. Las claves se muestran sin su secreto: primero las vigentes, como máximo 100 por respuesta. Las que terminaron se muestran durante 30 días.',
    examples: { answer: 'Una cuenta del plan Profesional' },
  },
  getUsage: {
    summary: 'Qué consultaron sus claves, por día y endpoint',
    description:
      'Los días UTC de los últimos 90, sin los que no tuvieron consultas. Las que no cuestan nada no se cuentan. La cuenta puede ir unos segundos atrasada; las unidades exactas del mes están en `/v1/account`.',
    examples: { answer: 'Tres días, uno de ellos sin consultas' },
  },
  listKeys: {
    summary: 'Sus claves',
    description:
      'Las claves sin su secreto: primero las vivas, 100 a la vez como máximo. Las que terminaron se muestran por 30 días.',
    examples: { answer: 'Una clave completa y una para una página' },
  },
  createKey: {
    summary: 'Crear una clave',
    description:
      'La respuesta es el único lugar que muestra la clave. Ninguna clave crea otra que pueda más o dure más que ella. Las publicables se cuentan aparte de las demás. Una cuenta crea 200 claves al día (UTC) como máximo.',
    examples: { answer: 'Una clave para las páginas de una tienda' },
  },
  changeKey: {
    summary: 'Cambiar una clave',
    description:
      'Lo que el cuerpo no nombra queda igual. `null` quita un nombre o un vencimiento. El tipo de una clave nunca cambia.',
    examples: { answer: 'Un origen más' },
  },
  revokeKey: {
    summary: 'Revocar una clave',
    description: 'La clave se rechaza desde la respuesta, y en 5 s en todos los procesos.',
  },
  rotateKey: {
    summary: 'Rotar una clave',
    description:
      'La respuesta es el único lugar que muestra la clave nueva. La vieja deja de servir en el acto, o sigue sirviendo `grace_sec` segundos. No se da esa gracia mientras la cuenta ya tiene más claves vivas que su plan, una de ellas en su gracia. Una cuenta rota claves como máximo 10 veces por día (UTC).',
    examples: { answer: 'La clave vieja sirve una hora más' },
  },
  listMarkups: {
    summary: 'Sus reglas de margen',
    description:
      'Todas, también las que pasan del número de su plan, que no se aplican: cuentan primero las más antiguas.',
    examples: { answer: 'Una regla para todos los mercados' },
  },
  createMarkup: {
    summary: 'Crear una regla de margen',
    examples: { answer: 'La regla como quedó guardada' },
  },
  replaceMarkup: {
    summary: 'Reemplazar una regla de margen',
    examples: { answer: 'La regla como quedó guardada' },
  },
  deleteMarkup: {
    summary: 'Borrar una regla de margen',
  },
  pushRecords: {
    summary: 'Cargar registros',
    description:
      'Registros NDJSON: se guardan todos o ninguno. Necesita el token de administración, en Authorization: Bearer o X-Admin-Token.',
    body: 'Un registro JSON por línea.',
    examples: { answer: 'Un registro, guardado' },
  },
  getStatus: {
    summary: 'Cómo están las cifras y las fuentes',
    description:
      'Hasta dónde puede uno fiarse de las cifras publicadas, con las razones por su nombre. Luego, qué fuentes se leen, cuándo respondieron y cambiaron por última vez, por qué una no está como debe y cómo terminaron sus lecturas en los últimos 90 días. Mientras la base de datos no responde, las fuentes son las que se conocían por última vez.',
    examples: { answer: 'Una fuente que falla, y la que la suple' },
  },
};

/**
 * The parameters, by name. Where one means something else in an operation, its key is
 * `operationId.name`. A test holds that a key stands for one meaning alone.
 */
export const SPANISH_PARAMETERS: Readonly<Record<string, string>> = {
  date: 'Un día en Caracas: responde con las tasas de ese día.',
  'getHistory.date': 'El día del punto, un día UTC.',
  rule: 'Con date, para los mercados oficiales en un día sin bancos: value_date (si falta) toma la tasa vigente, next_banking_day la del próximo día hábil bancario.',
  markup: 'Etiqueta de una regla de margen guardada.',
  market: 'Id o alias de un mercado.',
  details: 'true añade la fuente, cuántas coinciden y qué está retenido. No con date.',
  from: 'USD, EUR o VES, en mayúsculas o minúsculas.',
  'getHistory.from': 'Primer día del rango, un día UTC.',
  'getCandles.from': 'Primer día del rango, un día UTC.',
  'getCalendar.from': 'Primer día, en Caracas; hoy si falta.',
  'getUsage.from': 'Primer día, incluido; si falta, el primero que se guarda. Un día UTC.',
  to: 'USD, EUR o VES, en mayúsculas o minúsculas.',
  'getHistory.to': 'Último día del rango, un día UTC.',
  'getCandles.to': 'Último día del rango, un día UTC.',
  'getCalendar.to': 'Último día, incluido; 30 días después del primero si falta.',
  'getUsage.to': 'Último día, incluido; hoy si falta. Un día UTC.',
  granularity: 'daily si falta.',
  group:
    'Solo el último punto de cada semana ISO o mes calendario, con la fecha de su primer día; solo en series diarias.',
  interval: 'Días UTC, semanas ISO desde el lunes o meses calendario; day si falta.',
  period: 'Con cuánto tiempo atrás comparar; 1d si falta.',
  markets: 'Ids o alias de mercados separados por comas; todos los del plan si falta.',
  amount: 'Un número como los de JSON, mayor que 0 y hasta 1e12.',
  via: 'Id o alias de un mercado.',
  direction: 'send si falta; se repite en la respuesta y no cambia nada más.',
  max_staleness: 'Deja fuera las cotizaciones con más segundos de edad; 0 no deja fuera ninguna.',
  against: 'Id o alias de un mercado.',
  base: 'Solo USD.',
  keys_after: '`keys_next` de la respuesta anterior, para la página siguiente de claves.',
  after: '`next` de la respuesta anterior, para la página siguiente.',
  id: 'Id de una clave suya.',
  'rotateKey.id': 'Id de la clave vieja.',
  tag: 'Etiqueta de una regla de margen guardada.',
  trust: 'true acepta registros que el juicio retendría.',
};
