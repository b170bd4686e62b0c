import type { Texts } from '../frame/language.ts';

/** How a source is, in the words of the API. */
export type SourceCondition =
  | 'ok'
  | 'failing'
  | 'frozen'
  | 'late'
  | 'incomplete'
  | 'waiting'
  | 'off'
  | 'standby';

/** Why a reading failed, in the words of the API. */
export type SourceFailureWord =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'content_type'
  | 'too_large'
  | 'forbidden_address'
  | 'paused'
  | 'content'
  | 'refused';

/** What a day of readings was like. */
export type DayMark = 'good' | 'some' | 'bad' | 'none';

interface StatusTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  readonly allGood: string;
  readonly someBad: (count: number) => string;
  readonly notCollecting: string;
  readonly checked: string;
  readonly justNow: string;
  readonly taken: string;
  readonly databaseDown: (age: string) => string;
  readonly unknown: string;
  readonly read: string;
  readonly notRead: string;
  readonly notReadAbout: string;
  readonly asJson: string;
  readonly states: Readonly<Record<SourceCondition, string>>;
  readonly stopped: string;
  readonly names: Readonly<Record<string, string>>;
  readonly andMore: (count: number) => string;
  readonly lastSuccess: string;
  readonly lastPush: string;
  readonly lastChange: string;
  readonly nextRun: string;
  readonly nextTry: string;
  readonly missed: string;
  readonly none: string;
  readonly missing: string;
  readonly never: string;
  readonly within: (duration: string) => string;
  readonly days: string;
  readonly daysAgo: string;
  readonly today: string;
  readonly marks: Readonly<Record<DayMark, string>>;
  readonly marksCount: (counts: Readonly<Record<DayMark, number>>) => string;
  readonly dayCounts: (successes: number, failures: number) => string;
  readonly why: {
    readonly ok: string;
    readonly pushed: string;
    readonly failing: (failures: number, reason: string) => string;
    readonly frozen: string;
    readonly late: (missed: number) => string;
    readonly incomplete: (markets: string) => string;
    readonly wentBack: string;
    readonly neverRead: string;
    readonly neverPushed: string;
    readonly stopped: string;
    readonly paused: string;
    readonly off: string;
    readonly misnamed: string;
    readonly standby: (other: string) => string;
    readonly byCommand: string;
    readonly held: (count: number) => string;
  };
  readonly failures: Readonly<Record<SourceFailureWord, string>>;
}

export const STATUS_TEXTS: Texts<StatusTexts> = {
  es: {
    title: 'Estado de las fuentes · vesfx',
    description: 'Qué fuentes de tasas funcionan, cuáles fallan y qué pasó en los últimos 30 días.',
    heading: 'Estado de las fuentes',
    lead: 'De dónde salen las tasas y si esas fuentes funcionan. Cuando una falla, se sigue mostrando su última cifra buena, con su edad.',
    allGood: 'Todas las fuentes que se leen funcionan.',
    someBad: (count) =>
      count === 1 ? 'Hay una fuente con problemas.' : `Hay ${count} fuentes con problemas.`,
    notCollecting: 'Este servicio no está leyendo fuentes por su cuenta.',
    checked: 'Comprobado',
    justNow: 'ahora mismo',
    taken: 'Última cifra recibida',
    databaseDown: (age) => `La base de datos no responde. Esto es lo último que se supo, ${age}.`,
    unknown: 'La base de datos no responde y todavía no se sabe nada de las fuentes.',
    read: 'Fuentes que se leen',
    notRead: 'De reserva y apagadas',
    notReadAbout: 'No se leen ahora; no es una falla.',
    asJson: 'Lo mismo, para programas',
    states: {
      ok: 'Funciona',
      failing: 'Falla',
      frozen: 'No se mueve',
      late: 'Atrasada',
      incomplete: 'Incompleta',
      waiting: 'Sin leer',
      off: 'Apagada',
      standby: 'De reserva',
    },
    stopped: 'Detenida',
    names: {
      'bcv-official': 'Tasa BCV',
      'bcv-banks': 'Tabla de bancos del BCV',
      'bcv-archive': 'Archivo histórico del BCV',
      operator: 'Cifras cargadas por el operador',
    },
    andMore: (count) => `y ${count} más`,
    lastSuccess: 'Última lectura buena',
    lastPush: 'Última carga',
    lastChange: 'Último cambio',
    nextRun: 'Próxima lectura',
    nextTry: 'Próximo intento',
    missed: 'Publicaciones que faltan',
    none: 'ninguna',
    missing: 'Fechas valor sin tasa en 30 días',
    never: 'nunca',
    within: (duration) => `en ${duration}`,
    days: 'Últimos 30 días',
    daysAgo: 'hace 30 días',
    today: 'hoy',
    marks: {
      good: 'sin fallas',
      some: 'con algunas fallas',
      bad: 'solo fallas',
      none: 'sin lecturas',
    },
    marksCount: ({ good, some, bad, none }) =>
      `días sin fallas: ${good}; con algunas fallas: ${some}; solo fallas: ${bad}; sin lecturas: ${none}`,
    dayCounts: (successes, failures) => `${successes} buenas, ${failures} fallidas`,
    why: {
      ok: 'Su última lectura fue buena.',
      pushed: 'El operador carga cifras y se publican.',
      failing: (failures, reason) =>
        failures > 1
          ? `Sus últimas ${failures} lecturas fallaron: ${reason}.`
          : `Su última lectura falló: ${reason}.`,
      frozen:
        'Repite las mismas cifras con hora nueva desde hace demasiado: puede que nadie las actualice.',
      incomplete: (markets) => `Ya no trae todos sus mercados. Faltan: ${markets}.`,
      wentBack: 'Su página volvió a mostrar una publicación anterior.',
      late: (missed) =>
        missed === 1
          ? 'Falta una publicación del BCV que ya debería estar.'
          : `Faltan ${missed} publicaciones del BCV que ya deberían estar.`,
      neverRead: 'Todavía no se ha leído.',
      neverPushed: 'Todavía no se ha cargado nada.',
      stopped: 'Ya tocaba leerla y ningún proceso la lee.',
      paused:
        'No se le preguntó en su último turno: otra lectura del mismo sitio falló y se le deja descansar.',
      off: 'El operador no la usa.',
      misnamed: 'Su entrada del catálogo tiene un error, que el operador debe corregir.',
      standby: (other) => `Solo se lee cuando falla ${other}.`,
      byCommand: 'Solo se lee cuando el operador lo pide.',
      held: (count) =>
        count === 1
          ? 'Una cifra dudosa está retenida y no se publica.'
          : `${count} cifras dudosas están retenidas y no se publican.`,
    },
    failures: {
      unreachable: 'no se pudo llegar a ella',
      tls: 'no se pudo comprobar su certificado',
      timeout: 'no respondió a tiempo',
      status: 'respondió con un error',
      redirect: 'remitió a otra dirección',
      content_type: 'respondió con otra clase de contenido',
      too_large: 'su respuesta era demasiado grande',
      forbidden_address: 'su dirección no es pública',
      paused: 'se la deja descansar tras varias fallas',
      content: 'lo que respondió no es lo que suele publicar',
      refused: 'sus cifras no se pudieron aceptar',
    },
  },
  en: {
    title: 'Status of the sources · vesfx',
    description: 'Which sources of rates work, which fail, and what happened in the last 30 days.',
    heading: 'Status of the sources',
    lead: 'Where the rates come from, and whether those sources work. When one fails, its last good figure stays, and its age is shown.',
    allGood: 'Every source that is read works.',
    someBad: (count) =>
      count === 1 ? 'One source has trouble.' : `${count} sources have trouble.`,
    notCollecting: 'This service is not reading any source by itself.',
    checked: 'Checked',
    justNow: 'just now',
    taken: 'Last figure received',
    databaseDown: (age) => `The database does not answer. This is what was known last, ${age}.`,
    unknown: 'The database does not answer, and nothing is known of the sources yet.',
    read: 'Sources that are read',
    notRead: 'Standing by and switched off',
    notReadAbout: 'They are not read now; that is no fault.',
    asJson: 'The same for programs',
    states: {
      ok: 'Works',
      failing: 'Fails',
      frozen: 'Does not move',
      late: 'Late',
      incomplete: 'Incomplete',
      waiting: 'Not read yet',
      off: 'Off',
      standby: 'Stands by',
    },
    stopped: 'Stopped',
    names: {
      'bcv-official': 'Central bank rate (BCV)',
      'bcv-banks': 'Table of banks (BCV)',
      'bcv-archive': 'Archive of past rates (BCV)',
      operator: 'Figures pushed by the operator',
    },
    andMore: (count) => `and ${count} more`,
    lastSuccess: 'Last good reading',
    lastPush: 'Last push',
    lastChange: 'Last change',
    nextRun: 'Next reading',
    nextTry: 'Next try',
    missed: 'Publications missing',
    none: 'none',
    missing: 'Value dates without a rate in 30 days',
    never: 'never',
    within: (duration) => `in ${duration}`,
    days: 'Last 30 days',
    daysAgo: '30 days ago',
    today: 'today',
    marks: {
      good: 'no failures',
      some: 'some failures',
      bad: 'failures only',
      none: 'no readings',
    },
    marksCount: ({ good, some, bad, none }) =>
      `days without failures: ${good}; with some: ${some}; with failures only: ${bad}; without readings: ${none}`,
    dayCounts: (successes, failures) => `${successes} good, ${failures} failed`,
    why: {
      ok: 'Its last reading was good.',
      pushed: 'The operator pushes figures, and they are published.',
      failing: (failures, reason) =>
        failures > 1
          ? `Its last ${failures} readings failed: ${reason}.`
          : `Its last reading failed: ${reason}.`,
      frozen:
        'It has given the same figures a new time for too long: perhaps nobody updates them any more.',
      incomplete: (markets) => `It no longer brings all its markets. Missing: ${markets}.`,
      wentBack: 'Its page shows an earlier publication again.',
      late: (missed) =>
        missed === 1
          ? 'A publication of the central bank is missing that should be there.'
          : `${missed} publications of the central bank are missing that should be there.`,
      neverRead: 'It has not been read yet.',
      neverPushed: 'Nothing has been pushed yet.',
      stopped: 'Its turn has passed, and no process reads it.',
      paused:
        'It was not asked at its last turn: another reading of the same site failed, and the site is left alone.',
      off: 'The operator does not use it.',
      misnamed: 'Its entry in the catalogue has a fault, which the operator must correct.',
      standby: (other) => `It is read only while ${other} fails.`,
      byCommand: 'It is read only when the operator asks for it.',
      held: (count) =>
        count === 1
          ? 'One doubtful figure is held and not published.'
          : `${count} doubtful figures are held and not published.`,
    },
    failures: {
      unreachable: 'it could not be reached',
      tls: 'its certificate could not be verified',
      timeout: 'it did not answer in time',
      status: 'it answered with an error',
      redirect: 'it pointed to another address',
      content_type: 'it answered with another kind of content',
      too_large: 'its answer was too large',
      forbidden_address: 'its address is not a public one',
      paused: 'it is left alone for a while after failures',
      content: 'its answer was not what it publishes',
      refused: 'its figures could not be accepted',
    },
  },
};
