import type { Texts } from '../frame/language.ts';

/** The words of the reference around what the document says. */
export interface DocsTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly guides: string;
  readonly reference: string;
  readonly markdown: string;
  readonly contents: string;
  readonly start: string;
  readonly addresses: string;
  readonly programs: string;
  readonly plans: string;
  readonly plansAbout: string;
  readonly plan: string;
  readonly planRows: {
    readonly units: string;
    readonly requests: string;
    readonly history: string;
    readonly officialHistory: string;
    readonly formats: string;
    readonly keys: string;
    readonly markups: string;
    readonly markets: string;
    readonly spread: string;
    readonly bulk: string;
    readonly batches: string;
    readonly route: string;
  };
  readonly noLimit: string;
  readonly yes: string;
  readonly no: string;
  readonly errors: string;
  readonly errorsAbout: string;
  readonly errorsOf: string;
  readonly headers: string;
  readonly header: string;
  readonly example: string;
  readonly code: string;
  readonly status: string;
  readonly meaning: string;
  readonly parameters: string;
  readonly parametersOf: string;
  readonly name: string;
  readonly place: string;
  readonly places: Readonly<Record<'path' | 'query' | 'header', string>>;
  readonly needed: string;
  readonly type: string;
  readonly field: string;
  readonly always: string;
  readonly request: string;
  readonly body: string;
  readonly bodyFields: string;
  readonly answer: string;
  readonly answerFields: string;
  readonly operator: string;
  readonly withoutKey: string;
  readonly everyPlan: string;
  readonly fromPlan: string;
  readonly free: string;
  readonly oneUnit: string;
  readonly tryIt: string;
  readonly types: TypeTexts;
}

/** How types are said. */
export interface TypeTexts {
  readonly or: string;
  readonly listOf: string;
  readonly none: string;
  /** By their names in JSON Schema, and `date-time` and `date`. */
  readonly names: Readonly<Record<string, string>>;
}

export const DOCS_TEXTS: Texts<DocsTexts> = {
  es: {
    title: 'Referencia de la API · vesfx',
    description:
      'Guías y referencia de vesfx: cada endpoint con sus parámetros, respuestas y errores.',
    heading: 'Documentación',
    guides: 'Guías',
    reference: 'Referencia de la API',
    markdown: 'Esta página en Markdown',
    contents: 'Contenido',
    start: 'Antes de empezar',
    addresses: 'Las direcciones de abajo empiezan por',
    programs: 'La misma referencia, para programas',
    plans: 'Planes',
    plansAbout:
      'Las unidades y los límites son de la cuenta; sus claves los comparten. Algunos mercados requieren además un plan superior: vea el catálogo de mercados.',
    plan: 'Plan',
    planRows: {
      units: 'Unidades por mes UTC',
      requests: 'Consultas por minuto',
      history: 'Días de historial',
      officialHistory: 'Días de tasas oficiales por fecha',
      formats: 'Formatos',
      keys: 'Claves vigentes',
      markups: 'Reglas de margen',
      markets: 'Catálogo de mercados',
      spread: 'Brecha',
      bulk: 'Conversión por lote',
      batches: 'Lotes por hora',
      route: 'Comparación de mercados',
    },
    noLimit: 'sin límite',
    yes: 'sí',
    no: 'no',
    errors: 'Errores',
    errorsAbout:
      'Todo error tiene la misma forma. `field` y `details` solo aparecen cuando aplican. El mensaje está en inglés y puede cambiar: su programa debe decidir según `code`.',
    errorsOf: 'Errores de',
    headers: 'Cabeceras de las respuestas',
    header: 'Cabecera',
    example: 'Ejemplo',
    code: 'Código',
    status: 'Estado',
    meaning: 'Significado',
    parameters: 'Parámetros',
    parametersOf: 'Parámetros de',
    name: 'Nombre',
    place: 'Lugar',
    places: { path: 'dirección', query: 'parámetro', header: 'cabecera' },
    needed: 'Obligatorio',
    type: 'Tipo',
    field: 'Campo',
    always: 'Siempre',
    request: 'Consulta',
    body: 'Cuerpo',
    bodyFields: 'Campos del cuerpo',
    answer: 'Respuesta',
    answerFields: 'Campos de la respuesta',
    operator: 'operador',
    withoutKey: 'sin clave',
    everyPlan: 'todos los planes',
    fromPlan: 'desde',
    free: 'sin costo',
    oneUnit: '1 unidad',
    tryIt: 'Probar en la consola',
    types: {
      or: 'o',
      listOf: 'lista de',
      none: 'null',
      names: {
        string: 'texto',
        number: 'número',
        integer: 'entero',
        boolean: 'booleano',
        object: 'objeto',
        any: 'cualquiera',
        'date-time': 'fecha y hora',
        date: 'fecha',
      },
    },
  },
  en: {
    title: 'API reference · vesfx',
    description:
      'vesfx guides and reference: every endpoint with its parameters, answers and errors.',
    heading: 'Documentation',
    guides: 'Guides',
    reference: 'API reference',
    markdown: 'This page as Markdown',
    contents: 'Contents',
    start: 'Before you start',
    addresses: 'The addresses below start with',
    programs: 'The same reference for programs',
    plans: 'Plans',
    plansAbout:
      'Units and limits belong to the account; its keys share them. Some markets also need a higher plan: see the market catalogue.',
    plan: 'Plan',
    planRows: {
      units: 'Units per UTC month',
      requests: 'Requests per minute',
      history: 'Days of history',
      officialHistory: 'Days of official rates by date',
      formats: 'Formats',
      keys: 'Live keys',
      markups: 'Markup rules',
      markets: 'Market catalogue',
      spread: 'Spread',
      bulk: 'Bulk conversion',
      batches: 'Batches per hour',
      route: 'Market comparison',
    },
    noLimit: 'no limit',
    yes: 'yes',
    no: 'no',
    errors: 'Errors',
    errorsAbout:
      'Every error has the same form. `field` and `details` appear only when they apply. The message is in English and may change: your program must decide by `code`.',
    errorsOf: 'Errors of',
    headers: 'Response headers',
    header: 'Header',
    example: 'Example',
    code: 'Code',
    status: 'Status',
    meaning: 'Meaning',
    parameters: 'Parameters',
    parametersOf: 'Parameters of',
    name: 'Name',
    place: 'In',
    places: { path: 'path', query: 'query', header: 'header' },
    needed: 'Required',
    type: 'Type',
    field: 'Field',
    always: 'Always',
    request: 'Request',
    body: 'Body',
    bodyFields: 'Fields of the body',
    answer: 'Answer',
    answerFields: 'Fields of the answer',
    operator: 'operator',
    withoutKey: 'without a key',
    everyPlan: 'every plan',
    fromPlan: 'from',
    free: 'free of charge',
    oneUnit: '1 unit',
    tryIt: 'Try it in the console',
    types: {
      or: 'or',
      listOf: 'list of',
      none: 'null',
      names: { 'date-time': 'timestamp' },
    },
  },
};
