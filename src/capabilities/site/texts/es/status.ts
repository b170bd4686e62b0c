export const STATUS_ES = {
  title: 'Estado del servicio · vesfx',
  description: '¿Las tasas están al día? Qué fuentes fallan y qué pasó en los últimos 90 días.',
  heading: 'Estado del servicio',
  lead: 'Vea si puede confiar en las tasas ahora mismo y cómo están sus fuentes.',
  noFigures: 'Todavía no hay tasas que mostrar.',
  /** There were some, and all are too old. */
  noFiguresLeft: 'Ya no hay tasas que mostrar: las que había son demasiado antiguas.',
  /** No source that is read brings new figures, and some are too old already. */
  notUpdated: 'Las tasas no se están actualizando.',
  /** The rates were fresh when the database last answered. */
  databaseDown: 'La base de datos no responde: puede faltar lo más reciente.',
  /** While the rates are fresh and only sources have trouble. */
  onlySources: (count: number): string =>
    count === 1
      ? 'Las tasas están al día, pero una fuente tiene problemas.'
      : 'Las tasas están al día, pero hay fuentes con problemas.',
  since: 'Desde',
  lastFailure: 'Última lectura fallida',
  noFailureInDays: (days: number) => `ninguna en ${days} días`,
  nextPublication: 'Próxima publicación del BCV',
  /** `day` is `publicationToday`, or a text of `publicationOn`. */
  publicationBy: (day: string, time: string, valueDate: string) =>
    `a más tardar ${day} a las ${time}, con fecha valor del ${valueDate}`,
  publicationOn: (day: string) => `el ${day}`,
  publicationToday: 'hoy',
  problems: 'Qué falla y qué se está haciendo',
  /** The service's action about a reason while sources are read. */
  doing: {
    no_figures: 'Las tasas aparecerán aquí apenas haya alguna.',
    official_stale: 'Seguimos leyendo la página del BCV.',
    all_quotes_stale: 'Seguimos leyendo las fuentes.',
    official_missing: 'Seguimos leyendo la página del BCV hasta que aparezca la tasa.',
    publications_missed: 'Seguimos leyendo la página del BCV.',
    quotes_stale: 'Seguimos leyendo las fuentes.',
    quotes_missing: 'Seguimos leyendo las fuentes. Cada tasa aparecerá apenas esté disponible.',
    all_sources_failing: 'Seguimos intentando con cada fuente.',
    sources_failing: 'Seguimos intentando.',
    sources_frozen:
      'Seguimos leyendo la fuente. El operador debe revisar si alguien la sigue actualizando.',
    collecting_stopped: 'El operador debe volver a iniciar la lectura de las fuentes.',
    database_unavailable:
      'Seguimos intentando conectar. Mientras tanto esta página muestra lo último que supimos.',
    database_not_writable: 'El operador debe hacer que se pueda escribir en la base de datos.',
  },
  /** What readers see until then, where there is a figure to show. */
  meanwhile: {
    official_stale: 'Mientras tanto mostramos la última tasa publicada, con su fecha.',
    publications_missed: 'Mientras tanto mostramos la última tasa publicada, con su fecha.',
    all_quotes_stale: 'Mientras tanto cada tasa muestra su edad: revísela antes de usar la tasa.',
    quotes_stale: 'Mientras tanto mostramos la última tasa válida, con su edad.',
    all_sources_failing:
      'Mientras tanto mostramos la última tasa válida de cada mercado que la tiene, con su edad.',
    sources_failing: 'Mientras tanto mostramos la última tasa válida, con su edad.',
    database_not_writable: 'Mientras tanto mostramos las últimas cifras, con su edad.',
  },
  /** The official rate comes from the operator alone. */
  officialPushed: 'El operador carga la tasa oficial, y debe cargar la que falta.',
  /** The same while other sources bring the rates of all failing ones, or of some of them. */
  fallbacksInUse: (names: string) =>
    `Seguimos intentando. Mientras tanto las tasas llegan de ${names}.`,
  someFallbacksInUse: (names: string) =>
    `Seguimos intentando. Mientras tanto algunas tasas llegan de ${names}; de las demás mostramos la última válida, con su edad.`,
  /** The same where the others have no figure. */
  fallbacksForSome: (names: string) =>
    `Seguimos intentando. Mientras tanto algunas tasas llegan de ${names}.`,
  /** The same while no process reads sources. */
  doingWithoutReading:
    'Este servicio no está leyendo fuentes. El operador debe iniciar la lectura o cargar las tasas.',
  doubtfulHeading: 'Tasas del BCV sin confirmar',
  doubtfulAbout:
    'El BCV las muestra. Las retenidas no se publican hasta que se confirmen; una publicada aparece mientras un testigo muestre otra cifra para su fecha.',
  heldHeading: (count: number) =>
    count === 1 ? 'Una cifra retenida' : `${count} cifras retenidas`,
  heldAbout:
    'Una cifra dudosa no se publica: espera hasta que se repita, otra fuente coincida o el operador la apruebe.',
  /** Text for similar records; `age` is the age of the newest. */
  heldTimes: (count: number, age: string) => `${count} veces, la última ${age}`,
  /** The board says of such a market that no later reading is held. */
  laterAccepted: 'las lecturas siguientes se aceptaron',
  heldMore: (count: number) => (count === 1 ? 'Y una más.' : `Y ${count} más.`),
  heldSubjects: {
    'bcv.official': 'Tasa oficial del BCV',
    'bcv.banks': 'Tabla de bancos del BCV',
  } as Readonly<Record<string, string>>,
  simulated: 'simulada',
  notCollecting: 'Este servicio no está leyendo fuentes por su cuenta.',
  checked: 'Comprobado',
  justNow: 'ahora mismo',
  taken: 'Última cifra recibida',
  inDoubt: 'Sin confirmar',
  frozenRates: 'Sin cambios desde hace demasiado',
  unknown:
    'La base de datos no responde y todavía no se sabe nada de las fuentes. Seguimos intentando conectar.',
  read: 'Fuentes',
  notRead: 'De reserva o apagadas',
  notReadAbout: 'No se leen ahora. No es una falla.',
  asJson: 'los mismos datos, para programas',
  states: {
    ok: 'Funciona',
    failing: 'Falla',
    frozen: 'No cambia',
    late: 'Atrasada',
    incomplete: 'Incompleta',
    waiting: 'Sin leer',
    off: 'Apagada',
    standby: 'De reserva',
  },
  stopped: 'Detenida',
  paused: 'En pausa',
  /** Text for pushed figures before the first. */
  unused: 'Sin uso',
  names: {
    'bcv-official': 'Tasa oficial del BCV',
    'bcv-banks': 'Tabla de bancos del BCV',
    'bcv-archive': 'Archivo histórico del BCV',
    operator: 'Cifras cargadas por el operador',
  } as Readonly<Record<string, string>>,
  /** Title of a source that publishes nothing. */
  witness: 'Testigo de la tasa oficial',
  andMore: (count: number) => `y ${count} más`,
  lastSuccess: 'Última lectura correcta',
  lastPush: 'Última carga',
  lastChange: 'Último cambio',
  nextRun: 'Próxima lectura',
  nextTry: 'Próximo intento',
  pauseEnds: 'Fin de la pausa',
  missed: 'Publicaciones atrasadas',
  none: 'ninguna',
  missing: 'Fechas valor sin tasa (30 días)',
  never: 'nunca',
  within: (duration: string) => `en ${duration}`,
  days: (days: number) => `Últimos ${days} días`,
  daysAgo: (days: number) => `hace ${days} días`,
  today: 'hoy',
  marks: {
    good: 'sin fallas o casi',
    some: 'con algunas fallas',
    bad: 'solo fallas',
    none: 'sin datos',
  },
  /** Instead of `marks.good`, for the day that stands alone. */
  noFailures: 'sin fallas',
  fewFailures: 'casi sin fallas',
  marksCount: ({ good, some, bad, none }: Record<'good' | 'some' | 'bad' | 'none', number>) =>
    `días sin fallas o casi: ${good}; con algunas fallas: ${some}; solo fallas: ${bad}; sin datos: ${none}`,
  dayCounts: (successes: number, failures: number) =>
    `${successes} ${successes === 1 ? 'correcta' : 'correctas'}, ${failures} ${failures === 1 ? 'fallida' : 'fallidas'}`,
  why: {
    ok: 'Su última lectura fue correcta.',
    okFor: (other: string) => `Por ahora reemplaza a ${other}. Su última lectura fue correcta.`,
    pushed: 'El operador carga las cifras, y se publican.',
    failing: (failures: number, reason: string) =>
      failures > 1
        ? `Sus últimas ${failures} lecturas fallaron: ${reason}.`
        : `Su última lectura falló: ${reason}.`,
    frozen:
      'Desde hace demasiado tiempo repite las mismas cifras con una hora nueva: quizá ya nadie las actualiza.',
    incomplete: (markets: string) => `Ya no trae todos sus mercados. Faltan: ${markets}.`,
    wentBack: 'Su página volvió a mostrar una publicación anterior.',
    late: (missed: number) =>
      missed === 1
        ? 'Una publicación del BCV está atrasada.'
        : `${missed} publicaciones del BCV están atrasadas.`,
    neverRead: 'Todavía no se ha leído.',
    neverPushed: 'Todavía no se ha publicado ninguna cifra cargada.',
    stopped: 'Ya debió leerse, pero ningún proceso la está leyendo.',
    paused: 'Se omitió su última lectura: el sitio está en pausa porque falló otra lectura.',
    off: 'El operador no la usa.',
    /** While another source brings the same markets. */
    offFor: (other: string) => `El operador no la usa: en su lugar usa ${other}.`,
    misnamed: 'Su entrada del catálogo tiene un error, que el operador debe corregir.',
    standby: (other: string) => `Solo se lee cuando falla ${other}.`,
    byCommand: 'Solo se lee cuando el operador lo pide.',
    held: (count: number) =>
      count === 1
        ? 'Una cifra dudosa está retenida y no se publica.'
        : `${count} cifras dudosas están retenidas y no se publican.`,
  },
  failures: {
    unreachable: 'no se pudo conectar',
    tls: 'no se pudo comprobar su certificado',
    timeout: 'no respondió a tiempo',
    status: 'respondió con un error',
    redirect: 'redirigió a otra dirección',
    content_type: 'respondió con un tipo de contenido inesperado',
    too_large: 'su respuesta era demasiado grande',
    forbidden_address: 'su dirección no es pública',
    paused: 'en pausa tras varias fallas',
    content: 'su respuesta no tenía la forma de siempre',
    refused: 'no se pudieron aceptar sus cifras',
  },
};

export type StatusTexts = Readonly<typeof STATUS_ES>;
