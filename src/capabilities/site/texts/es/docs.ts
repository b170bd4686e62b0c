/** The words of the reference around what the document says. */
export const DOCS_ES = {
  title: 'Documentación · vesfx',
  description:
    'Guías y referencia de vesfx: cada endpoint con sus parámetros, respuestas y errores.',
  heading: 'Documentación',
  groups: {
    start: 'Empezar',
    guides: 'Guías',
    recipes: 'Recetas',
    switching: 'Cambiarse',
    account: 'Cuenta',
    operator: 'Operador',
    reference: 'Referencia',
  },
  neighbours: 'Otras páginas',
  prev: 'Anterior',
  next: 'Siguiente',
  errorsAndLimits: 'Errores y límites',
  errorsAndLimitsAbout: 'Todos los códigos de error y los límites de cada plan.',
  lead: {
    title: 'Las tasas del bolívar, en una consulta HTTP',
    about: 'Oficiales, paralelo y P2P, cada cifra con su fecha valor, su edad y su fuente.',
    first: 'Primera consulta',
    tryIt: 'Probar en la consola',
    noKey: 'Sin clave ni instalación:',
    calculator: 'la calculadora',
    staticCopy: 'una copia estática',
    or: 'y, si hay,',
    withKey:
      'Para lo demás, la clave que da quien opera el servicio; la consola de una demostración muestra varias.',
  },
  needs: '¿Qué necesita?',
  allGuides: 'Todas las guías',
  allEndpoints: 'Todos los endpoints',
  showList: 'Ver la lista',
  reference: 'Referencia de la API',
  markdown: 'Esta página en Markdown',
  contents: 'Contenido',
  toContents: 'Volver al contenido',
  start: 'Cómo se consulta',
  addressesTitle: 'Direcciones',
  addresses: 'Las direcciones de la referencia empiezan por',
  programs: 'La misma referencia para programas',
  plans: 'Planes',
  plansAbout:
    'Las unidades y los límites son de la cuenta; sus claves los comparten. Algunos mercados requieren además un plan superior.',
  marketPlans: 'El plan de cada mercado',
  plan: 'Plan',
  noLimit: 'sin límite',
  yes: 'sí',
  no: 'no',
  noAddresses: 'Este servicio no tiene estas direcciones.',
  errors: 'Errores',
  errorsAbout:
    'Todo error de la API tiene la misma forma; solo en las direcciones de otros servicios tiene la de ellos, y un navegador que abre una dirección que no existe recibe una página. `field` y `details` solo aparecen cuando aplican. El mensaje está en español si `Accept-Language` lo prefiere, si no en inglés, y puede cambiar: su programa debe decidir según `code`.',
  rules: 'Qué regla rompió un valor',
  rulesAbout:
    'Todo 400 sobre un valor dice en `details.rule` qué regla rompió. Pueden aparecer otras palabras.',
  rule: 'Palabra',
  errorsOf: 'Errores de',
  headers: 'Encabezados de las respuestas',
  header: 'Encabezado',
  example: 'Ejemplo',
  code: 'Código',
  status: 'Estado',
  meaning: 'Significado',
  parameters: 'Parámetros',
  parametersOf: 'Parámetros de',
  name: 'Nombre',
  places: { path: 'dirección', header: 'encabezado' },
  type: 'Tipo',
  field: 'Campo',
  required: 'obligatorio',
  sometimes: 'a veces',
  otherAnswers: 'Otras respuestas',
  /** In the place of the reader's key. */
  key: 'su clave',
  body: 'Cuerpo',
  bodyFields: 'Campos del cuerpo',
  answer: 'Respuesta',
  answerFields: 'Campos de la respuesta',
  operator: 'operador',
  withoutKey: 'sin clave',
  everyPlan: 'todos los planes',
  fromPlan: 'desde',
  free: 'sin costo',
  scope: 'permiso',
  oneUnit: '1 unidad',
  tryIt: 'Probar en la consola',
  types: {
    or: 'o',
    listOf: 'lista de',
    /** By their names in JSON Schema, and `date-time` and `date`. */
    names: {
      string: 'texto',
      number: 'número',
      integer: 'entero',
      boolean: 'booleano',
      object: 'objeto',
      any: 'cualquiera',
      'date-time': 'fecha y hora',
      date: 'fecha',
    } as Readonly<Record<string, string>>,
    /** Of items of a list. */
    plurals: {
      texto: 'textos',
      número: 'números',
      objeto: 'objetos',
      fecha: 'fechas',
    } as Readonly<Record<string, string>>,
  },
};

export type DocsTexts = Readonly<typeof DOCS_ES>;
/** How types are said. */
export type TypeTexts = DocsTexts['types'];

/** The summary for language models. */
export const SUMMARY_ES = {
  summary:
    'Tasas de cambio del bolívar venezolano (VES) por HTTP: tasa BCV, dólar paralelo, P2P, remesas y efectivo; conversiones, historial, índice y días hábiles. Cada consulta lleva una clave en el encabezado X-API-Key.',
  guides: 'Guías',
  reference: 'Referencia',
  referenceTitle: 'Referencia de la API',
  referenceAbout: 'cada endpoint con sus parámetros, un ejemplo, sus errores y su costo',
  openApiAbout: 'lo mismo como documento OpenAPI 3.1',
  allAbout: 'todo esto en un solo archivo',
  pages: 'Opcional',
  methodology: 'Metodología: cómo se calcula cada cifra',
  status: 'Estado de las fuentes, en JSON',
};

/** The table of the markets. */
export const MARKET_TABLE_ES = {
  label: 'Mercados',
  name: 'Nombre',
  aliases: 'Alias',
  type: 'Tipo',
  base: 'Moneda',
  fresh: 'Desactualizada tras',
  none: 'ninguno',
  allPlans: 'todos',
};

export const SEARCH_ES = {
  label: 'Buscar en la documentación',
  hint: 'Buscar',
  keyHint: 'Buscar (tecla /)',
  results: 'Resultados',
  wholePage: 'Página',
  searching: 'Buscando…',
  none: 'No se encontró nada. Pruebe con otra palabra o mire la lista de páginas.',
  failed: 'No se pudo cargar el buscador. Intente de nuevo.',
};

export const SAMPLE_ES = {
  answer: 'Respuesta con datos de muestra',
  text: 'Texto',
  /** Closes a section for which the service has not all figures. */
  demonstration:
    'Las cifras de esta sección son las de la demostración, del viernes 20 de noviembre de 2026: este servicio no tiene las suyas.',
  /** @param friday The day of the service's own figures, if it has some. */
  figures: (friday: string | undefined) =>
    friday === undefined
      ? 'Las cifras de los ejemplos son las de la demostración, del viernes 20 de noviembre de 2026.'
      : `Las cifras de los ejemplos son las que este servicio tiene del viernes ${friday} y de los días cercanos. La sección que tiene las de la demostración lo dice.`,
};

export const METHODOLOGY_ES = {
  description: 'Cómo hace vesfx el índice y todas las demás cifras.',
  markets: [
    'Mercado',
    'Nombre',
    'Tipo',
    'Moneda',
    'Umbral (segundos)',
    'Desactualizada tras',
    'Visible hasta',
  ],
  rules: ['Código', 'Registro', 'Se retiene cuando', 'Se libera con'],
  judgement: ['Nombre', 'Valor', 'Razón'],
  range: (low: string, high: string) => `${low} a ${high}`,
  rows: (count: number) => `ver las ${count} filas`,
};

export const START_ES = {
  invoice: {
    title: 'La tasa de una factura',
    about: 'Qué tasa BCV rige un día, también en feriados y fines de semana.',
  },
  sheet: {
    title: 'Google Sheets y Excel',
    about: 'Una función para las celdas, o una fórmula sin script.',
  },
  shop: {
    title: 'Una tienda',
    about: 'WooCommerce, Odoo o su propia página, con precios en bolívares.',
  },
  curve: {
    title: 'Historial',
    about: 'Series, velas y descargas, hasta donde llega su plan.',
  },
  change: {
    title: 'Cambiarse de otro servicio',
    about: 'dolarapi, pydolarve, CriptoYa, Frankfurter: cambie solo la dirección.',
  },
  code: {
    title: 'Referencia de la API',
    about: 'Cada endpoint con sus parámetros, sus respuestas y sus errores.',
  },
};

/** The guides in the order of the pages, each with a line about its content. */
export const GUIDE_ES = {
  'first-request': 'Con curl, JavaScript, Python y PHP.',
  'invoice-rate': 'Qué tasa BCV rige, desde cuándo, la de un día pasado, y cómo guardarla.',
  markets: 'Ids, nombres y alias, y qué plan incluye cada uno.',
  history: 'Series, días UTC, hojas de cálculo y hasta dónde llega cada plan.',
  errors: 'Qué significa cada uno y cuándo conviene reintentar.',
  limits: 'Unidades, planes y cómo gastar menos unidades.',
  markups: 'Su propio margen sobre las tasas.',
  'public-keys': 'Claves que pueden quedar a la vista: Google Sheets y páginas web.',
  'board-data': 'Las cifras del tablero, sin clave, para cualquier página.',
  stream: 'Cada cambio de una tasa al instante, por una conexión que queda abierta.',
  webhooks: 'Mensajes firmados a su programa cuando una tasa se publica o cambia.',
  assistants: 'Tasas para Claude, VS Code, Cursor y otros asistentes que hablan MCP.',
  'google-sheets': 'Una función para las celdas, o una fórmula sin script.',
  'month-end':
    'Revalorización (revaluation) de partidas en divisas: BUSCARV (VLOOKUP), diferencia y redondeo.',
  excel: 'El historial de un mercado en una tabla de Excel.',
  pandas: 'El historial y la tasa de cada factura en una tabla de Python.',
  odoo: 'Un módulo que llena las tasas de cambio de cada compañía.',
  woocommerce:
    'Un plugin: precios, pedidos y reembolsos con su tasa, y la tasa en una entrada de WordPress.',
  till: 'Un punto de venta que cobra bien sin conexión, con su vuelto.',
  'php-invoice': 'Cada factura en SQLite con su tasa, fecha valor, regla y evidencia.',
  'js-shop': 'Precios, y reembolsos con su tasa.',
  website: 'Un elemento de HTML que muestra la tasa con su edad.',
  client: 'El cliente con tipos para JavaScript y TypeScript.',
  examples: 'Un cliente de un solo archivo para Python y otro para PHP.',
  'switch-from-dolarapi': 'Las mismas direcciones con otra base, y qué cambia.',
  'switch-from-pydolarve': 'Las páginas y los monitores de pydolarve, cuyo dominio ya no existe.',
  'switch-from-criptoya': 'USDT en bolívares en cada plataforma.',
  'switch-from-frankfurter': 'Las tasas del BCV en su formato, también para ERPNext.',
  'switch-from-er-api':
    '`rates.VES` y `conversion_rates.VES`, con una de sus claves en la dirección.',
  'switch-from-dolarvzla': 'La tasa oficial, la anterior y su cambio; el USDT en Binance.',
  'switch-from-rafnixg': 'El dólar oficial de hoy, de un día y de un rango.',
  'switch-from-yadio': 'El dólar paralelo y sus conversiones.',
  'switch-from-bcvapi': '`tasa` y `fecha` del dólar y del euro oficiales.',
  'switch-from-bcvtoday': 'Todas las monedas del BCV, con su historial.',
  'switch-from-exchangedyn': 'El dólar oficial en su formato.',
  'switch-from-dolartoday': 'El dólar paralelo en el formato de un servicio que ya no existe.',
  'switch-from-fawazahmed0': 'Las tasas oficiales en el formato de su CDN.',
  'switch-from-hosted': 'La misma interfaz con otra dirección base.',
  'self-hosting': 'Instalar el servicio y operarlo.',
};

/** The element `<vesfx-rate>` on its page. */
export const EMBED_ES = {
  now: 'Así se ve, con las tasas de este servicio:',
  line: 'En una frase (line):',
  sign: 'En la pantalla del local (sign):',
  product: 'Martillo de carpintero, 12,50 USD a',
  states: 'Ejemplos: las cifras de ahora, que esta página toma por viejas o por dudosas.',
  /** Of a rate that is not there: without an answer the element has no name of its market. */
  label: 'Dólar BCV',
  needsScript: 'El elemento necesita JavaScript.',
};
