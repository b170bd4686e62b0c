/** The Spanish texts of one operation. */
interface OperationTexts {
  readonly summary: string;
  readonly description?: string;
  /** Description of a body that is not JSON. */
  readonly body?: string;
  /** By the name of the example. */
  readonly examples?: Readonly<Record<string, string>>;
}

/** The operations in Spanish, by their id. Every operation has its texts here, which a test holds. */
export const SPANISH_OPERATIONS: Readonly<Record<string, OperationTexts>> = {
  listRates: {
    summary: 'Todas las tasas',
    description:
      'Las cotizaciones de todos los mercados de su plan. Con `markup`, el servicio aplica un margen de su cuenta. Con `date`, recibe las tasas de un día en Caracas, de los mercados a cuyo historial llega su plan.',
    examples: {
      rates: 'Todos los mercados del plan',
      with_markup: 'Lo mismo con un margen',
      past_day: 'Todos los mercados un sábado, que no tiene tasa propia',
    },
  },
  getRate: {
    summary: 'Tasa de un mercado',
    description:
      'Con `date`, la tasa de un día en Caracas: de un mercado oficial, la que regía ese día; de los demás, la última captura antes de que terminara el día. El historial, en cambio, usa días UTC.',
    examples: {
      answer: 'Un mercado P2P, por su id',
      past_day: 'La tasa oficial un sábado: la del viernes, que sigue rigiendo',
    },
  },
  getHistory: {
    summary: 'Historial de un mercado',
    description:
      'Con `date`, la última captura antes de que terminara ese día UTC. Sin `date`, una serie. Para la tasa de un día en Caracas, use `date` en las tasas y las conversiones.',
    examples: {
      series: 'Una serie: la última captura de cada día UTC',
      point: 'Un solo día',
    },
  },
  getCandles: {
    summary: 'Velas de un mercado',
    description:
      'La primera, la más alta, la más baja y la última tasa de cada día, semana o mes en UTC. Los períodos sin capturas no aparecen. Como máximo 1.000 velas.',
    examples: { answer: 'Una semana terminada y la actual' },
  },
  listChanges: {
    summary: 'Variación de las tasas',
    description:
      'Compara cada tasa actual con la última capturada hasta la misma hora de hace un día, una semana, un mes, un trimestre o un año.',
    examples: { answer: 'Una semana del paralelo, y un mercado que entonces no existía' },
  },
  getCoverage: {
    summary: 'Cobertura del historial',
    description:
      'Qué días están guardados: de cada mercado, los que tiene su historial, hasta donde llega su plan, y los que le faltan: días UTC con capturas o, en los mercados oficiales, fechas valor.',
    examples: { answer: 'Un viernes sin publicación, y dos días sin capturas' },
  },
  listCorrections: {
    summary: 'Correcciones',
    description:
      'Las cifras que se publicaron y ya no son ciertas, primero las más recientes: tasas oficiales que se reemplazaron o se retiraron, y cotizaciones que se restablecieron. Como máximo 1.000.',
    examples: { answer: 'Una publicación que el BCV corrigió, y una cotización que volvió' },
  },
  listMarkets: {
    summary: 'Catálogo de mercados',
    description:
      'Los ids, nombres y alias de todos los mercados, también de los que su plan no incluye.',
    examples: { answer: 'El comienzo del catálogo, y un mercado de un plan superior' },
  },
  convert: {
    summary: 'Convertir un monto',
    description:
      'Convierte de USD o EUR a VES, o al revés, con el `mid` de un mercado. Sin `via` ni `market`, con la tasa oficial. Con `date`, con la tasa de un día en Caracas.',
    examples: {
      answer: '100 USD a la tasa oficial',
      past_day: '100 USD a la tasa del próximo día hábil',
    },
  },
  bulkConvert: {
    summary: 'Convertir hasta 50 montos con una tasa',
    description:
      'Como una conversión, con la misma tasa para todos los montos. Cada resultado se redondea a 2 decimales, y el total es la suma de los resultados redondeados.',
    examples: { answer: 'Dos montos a la tasa oficial' },
  },
  compareMarkets: {
    summary: 'Comparar mercados en los que se puede operar',
    description:
      'Ordena los mercados según lo que rendiría una conversión. No considera comisiones, liquidez ni límites.',
    examples: { answer: '100 USD, con cotizaciones de los últimos 15 minutos' },
  },
  getIndex: {
    summary: 'Índice ponderado de referencia',
    description:
      'Las tasas oficial, paralela y P2P en una sola cifra. No es una tasa oficial ni un precio al que se pueda operar.',
    examples: { answer: 'Un índice con pocas cotizaciones P2P' },
  },
  getSpread: {
    summary: 'Brecha entre la tasa oficial y otro mercado',
    description:
      'Cuánto más o menos que el dólar oficial vale el dólar en otro mercado. No es la diferencia entre compra y venta.',
    examples: { answer: 'El paralelo frente a la tasa oficial' },
  },
  listBankRates: {
    summary: 'La tabla de bancos del Banco Central',
    description:
      'Tasas a las que cada banco compra y vende dólares. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'Una fila del día y una más antigua' },
  },
  listBcvCurrencies: {
    summary: 'Las otras monedas del Banco Central',
    description:
      'La última publicación capturada; su fecha valor puede ser futura. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'Publicado un viernes para el martes: el lunes es feriado bancario' },
  },
  listOfficialRates: {
    summary: 'Tasas oficiales: la que rige, la anterior y la próxima',
    description:
      'Cada una con su fecha valor y el momento desde el que rige. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'El dólar un viernes por la noche, con la tasa del martes ya publicada' },
  },
  getOfficialHistory: {
    summary: 'Tasas oficiales por día',
    description:
      'Las tasas de una moneda por fecha valor, o la tasa que rige cada día, sin huecos los fines de semana. Como máximo 3.700 días. Fuente: Banco Central de Venezuela.',
    examples: { answer: 'Un viernes, y el sábado en que su tasa sigue rigiendo' },
  },
  getCalendar: {
    summary: 'Días hábiles y fechas valor',
    description:
      'Qué días trabajan los bancos, y la fecha valor de la tasa que se publica ese día. Como máximo 366 días.',
    examples: { answer: 'Un feriado bancario y el día siguiente' },
  },
  calculate: {
    summary: 'Calcular sin clave',
    description:
      'Convierte un monto a VES, o desde VES, con cada mercado del plan más económico; sin `from` y `to`, de USD a VES. Desde USD, las filas incluyen también la tasa oficial del euro, con `base` y sin resultado. Como máximo 60 consultas por minuto desde una dirección IP; se puede usar desde páginas de cualquier origen.',
    examples: { answer: 'Cien dólares en cada mercado del plan' },
  },
  getBoard: {
    summary: 'Las cifras de la página pública',
    description:
      'Todas las cifras de la página pública de una vez: tasas con su antigüedad, tasas oficiales, mediana P2P, índice, brecha, tabla de bancos, cambios y tendencias. Como máximo 300 consultas por minuto desde una dirección IP; se puede usar desde páginas de cualquier origen.',
    examples: { answer: 'La tasa oficial y la paralela de un viernes por la noche' },
  },
  getAccount: {
    summary: 'Su plan, límites, consumo y claves',
    description:
      'Las claves aparecen sin su secreto: primero las activas, como máximo 100 por respuesta. Las que ya no son válidas se muestran durante 30 días.',
    examples: { answer: 'Una cuenta del plan Profesional' },
  },
  getUsage: {
    summary: 'Consultas de sus claves, por día y endpoint',
    description:
      'Los días con consultas de los últimos 90 días UTC. Las consultas que no cuestan nada no se cuentan. El conteo puede tardar unos segundos; las unidades exactas del mes están en `/v1/account`.',
    examples: { answer: 'Tres días, uno de ellos sin consultas' },
  },
  listKeys: {
    summary: 'Sus claves',
    description:
      'Las claves aparecen sin su secreto: primero las activas, como máximo 100 por respuesta. Las que ya no son válidas se muestran durante 30 días.',
    examples: { answer: 'Una clave completa y una para una página' },
  },
  createKey: {
    summary: 'Crear una clave',
    description:
      'La respuesta es el único lugar que muestra la clave. Una clave no puede crear otra con más permisos ni con un vencimiento posterior al suyo. Las publicables se cuentan aparte de las demás. Una cuenta puede crear como máximo 200 claves por día (UTC).',
    examples: { answer: 'Una clave para las páginas de una tienda' },
  },
  changeKey: {
    summary: 'Cambiar una clave',
    description:
      'Los campos que el cuerpo no nombra quedan igual. `null` quita un nombre o un vencimiento. El tipo de una clave nunca cambia.',
    examples: { answer: 'Un origen más' },
  },
  revokeKey: {
    summary: 'Revocar una clave',
    description:
      'El proceso que responde rechaza la clave de inmediato; todos los procesos lo hacen en 5 s como máximo.',
  },
  rotateKey: {
    summary: 'Rotar una clave',
    description:
      'La respuesta es el único lugar que muestra la clave nueva. La anterior deja de servir de inmediato, o después de `grace_sec` segundos. Mientras un plazo anterior deje a la cuenta con más claves activas de las que permite su plan, el servicio no concede otro. Tampoco rota de nuevo una clave que está en su plazo, salvo que el plan tenga espacio para una clave más. Una cuenta puede rotar claves como máximo 10 veces por día (UTC).',
    examples: { answer: 'La clave anterior sirve una hora más' },
  },
  listMarkups: {
    summary: 'Sus márgenes',
    description:
      'Todos sus márgenes. Los que pasan del número que permite su plan no se aplican; cuentan primero los más antiguos.',
    examples: { answer: 'Un margen para todos los mercados' },
  },
  createMarkup: {
    summary: 'Crear un margen',
    description:
      'Un margen suma un porcentaje o un monto fijo a las tasas. Aplíquelo con `markup` en las tasas.',
    examples: { answer: 'El margen como quedó guardado' },
  },
  replaceMarkup: {
    summary: 'Reemplazar un margen',
    description:
      'El cuerpo es el margen entero: los campos que no nombra toman su valor por defecto.',
    examples: { answer: 'El margen como quedó guardado' },
  },
  deleteMarkup: {
    summary: 'Borrar un margen',
    description: 'Las consultas que la usan reciben después el error `markup_not_found`.',
  },
  pushRecords: {
    summary: 'Cargar registros',
    description:
      'Registros NDJSON: el servicio los guarda todos o ninguno. Necesita el token de administración, en Authorization: Bearer o X-Admin-Token.',
    body: 'Un registro JSON por línea.',
    examples: { answer: 'Un registro, guardado' },
  },
  getStatus: {
    summary: 'Estado de las cifras y de las fuentes',
    description:
      'Dice hasta dónde puede confiar en las cifras publicadas, con razones que tienen nombre. De cada fuente dice si se lee, cuándo respondió y cambió por última vez, qué problema tiene y cómo terminaron sus lecturas en los últimos 90 días. Mientras la base de datos no responde, muestra el último estado conocido de las fuentes.',
    examples: { answer: 'Una fuente con fallas y la que la reemplaza' },
  },
};

/**
 * The parameters, by name. Where one means something else in an operation, its key is
 * `operationId.name`. A test holds that a key stands for one meaning alone.
 */
export const SPANISH_PARAMETERS: Readonly<Record<string, string>> = {
  date: 'Un día en Caracas, `AAAA-MM-DD`: la respuesta tiene las tasas de ese día. Las oficiales, hasta la fecha valor más reciente, que puede ser un día por venir; las demás, hasta hoy. Por defecto, las tasas actuales.',
  'getHistory.date':
    'Un día UTC: la respuesta es la última captura antes de que terminara, no una serie.',
  rule: 'Con `date`, para los mercados oficiales en un día sin bancos: `value_date` (valor por defecto) toma la tasa que rige ese día; `next_banking_day`, la del próximo día hábil bancario.',
  markup: 'Etiqueta de un margen guardado.',
  market: 'Id o alias de un mercado.',
  'convert.market': 'Lo mismo que `via`, que tiene prioridad.',
  details:
    '`true` agrega cuándo la tasa queda desactualizada, su fuente, cuántas fuentes coinciden y la lectura retenida, si hay una. No con `date`.',
  from: 'Moneda del monto: USD, EUR o VES, en mayúsculas o minúsculas.',
  'compareMarkets.from': 'Moneda del monto: USD o VES, en mayúsculas o minúsculas.',
  'getHistory.from': 'Primer día UTC del rango; por defecto, tan atrás como llega su plan.',
  'getCandles.from': 'Primer día UTC del rango; por defecto, tan atrás como llega su plan.',
  'getOfficialHistory.from':
    'Primer día del rango, en Caracas; por defecto, 30 días antes del último.',
  'getOfficialHistory.to':
    'Último día del rango, en Caracas; por defecto, hoy. Un día posterior a la fecha valor más reciente cuenta como ella.',
  'getOfficialHistory.currency':
    'Código de una moneda del Banco Central, tres letras en mayúsculas o minúsculas; por defecto, USD.',
  'getOfficialHistory.days':
    '`value` (valor por defecto): una fila por cada fecha valor. `all`: una fila por cada día, con la tasa que rige ese día y la de la regla `next_banking_day`.',
  'getCalendar.from': 'Primer día del rango, en Caracas; por defecto, hoy.',
  'getUsage.from': 'Primer día UTC del rango; por defecto, el primero guardado.',
  to: 'Moneda del resultado: USD, EUR o VES, en mayúsculas o minúsculas.',
  'compareMarkets.to': 'Moneda del resultado: USD o VES, en mayúsculas o minúsculas.',
  'getHistory.to': 'Último día UTC del rango; por defecto, hoy.',
  'getCandles.to': 'Último día UTC del rango; por defecto, hoy.',
  'getCalendar.to': 'Último día del rango, en Caracas; por defecto, 30 días después del primero.',
  'getUsage.to': 'Último día UTC del rango; por defecto, hoy.',
  granularity:
    '`daily` (valor por defecto): la última captura de cada día UTC. `raw`: todas las capturas, hasta las 5.000 más recientes.',
  group:
    'Solo el último punto de cada semana ISO o mes calendario, con la fecha de su primer día; solo en series diarias.',
  interval: 'Días UTC, semanas ISO desde el lunes o meses calendario; por defecto, `day`.',
  adjusted:
    '`true` da todas las tasas en la unidad más reciente de la moneda; por defecto, cada una está en la unidad de su día.',
  period: 'Cuánto tiempo atrás comparar; por defecto, `1d`.',
  markets: 'Ids o alias de mercados, separados por comas; por defecto, todos los del plan.',
  since: 'Primer día, en Caracas; por defecto, 30 días antes de hoy.',
  amount: 'El monto que se convierte: mayor que 0 y hasta un billón (10^12), con punto decimal.',
  via: 'Id o alias del mercado cuya tasa se usa; por defecto, la tasa oficial de la moneda.',
  direction: 'Por defecto, `send`; la respuesta lo repite y no cambia nada más.',
  max_staleness:
    'Deja fuera las cotizaciones con más segundos de edad; 0, el valor por defecto, no deja fuera ninguna.',
  against: 'Id o alias del mercado que se compara; por defecto, `parallel`.',
  base: 'La moneda base: solo USD, que es el valor por defecto.',
  keys_after: '`keys_next` de la respuesta anterior, para la página siguiente de claves.',
  after: '`next` de la respuesta anterior, para la página siguiente.',
  id: 'Id de una clave suya.',
  'rotateKey.id': 'Id de la clave anterior.',
  tag: 'Etiqueta de un margen guardado.',
  trust: '`true` acepta los registros que los controles retendrían.',
};
