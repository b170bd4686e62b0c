import { HELD_REASONS } from '../frame/held-reasons.ts';
import type { StatusTexts } from './status-texts-shape.ts';

export const SPANISH: StatusTexts = {
  title: 'Estado del servicio · vesfx',
  description: 'Si las tasas están al día, qué fuentes fallan y qué pasó en los últimos 90 días.',
  heading: 'Estado del servicio',
  lead: 'Si puede confiar en las tasas de hoy, y cómo están las fuentes de donde salen.',
  noFigures: 'Todavía no hay tasas que mostrar.',
  onlySources: 'Las tasas están al día, pero hay fuentes con problemas.',
  since: 'Desde',
  lastFailure: 'Última lectura fallida',
  noFailureInDays: (days) => `ninguna en ${days} días`,
  nextPublication: 'Próxima publicación del BCV',
  publicationBy: (day, time, valueDate) =>
    `a más tardar ${day} a las ${time}, con fecha valor del ${valueDate}`,
  publicationOn: (day) => `el ${day}`,
  publicationToday: 'hoy',
  problems: 'Qué pasa y qué se hace',
  doing: {
    no_figures: 'Se están leyendo las fuentes. Las tasas aparecen apenas estén disponibles.',
    official_stale:
      'Se sigue leyendo la página del BCV. Mientras tanto se muestra la última tasa publicada, con su fecha.',
    all_quotes_stale:
      'Se siguen leyendo las fuentes. Mientras tanto cada tasa muestra su edad: compruébela antes de usarla.',
    official_missing: 'Se sigue leyendo la página del BCV hasta que aparezca.',
    publications_missed: 'Se sigue leyendo la página del BCV hasta que aparezca.',
    quotes_stale:
      'Se siguen leyendo las fuentes. Mientras tanto se muestra la última tasa buena, con su edad.',
    quotes_missing: 'Se siguen leyendo las fuentes. La tasa vuelve apenas esté disponible.',
    all_sources_failing:
      'Se reintenta cada lectura. Mientras tanto se muestra la última tasa buena de cada mercado, con su edad.',
    sources_failing:
      'Se reintenta la lectura. Mientras tanto se usa la fuente de reserva, si la hay, o se muestra la última tasa buena, con su edad.',
    sources_frozen:
      'Se sigue leyendo la fuente. El operador debe revisar si alguien la sigue actualizando.',
    collecting_stopped: 'El operador debe volver a iniciar la lectura de fuentes.',
    database_unavailable:
      'Se reintenta la conexión. Mientras tanto esta página muestra lo último que se supo.',
  },
  doingWithoutReading:
    'Este servicio no está leyendo fuentes. El operador debe iniciar la lectura o cargar las tasas.',
  heldHeading: (count) => (count === 1 ? 'Una cifra retenida' : `${count} cifras retenidas`),
  heldAbout:
    'Una cifra dudosa no se publica hasta que otra fuente la confirme o el operador la revise.',
  heldMore: (count) => (count === 1 ? 'Y una más.' : `Y ${count} más.`),
  heldReasons: HELD_REASONS.es,
  heldSubjects: { 'bcv.official': 'Tasa oficial del BCV', 'bcv.banks': 'Tabla de bancos del BCV' },
  simulated: 'simulada',
  notCollecting: 'Este servicio no está leyendo fuentes por su cuenta.',
  checked: 'Comprobado',
  justNow: 'ahora mismo',
  taken: 'Última cifra recibida',
  databaseDown: (age) => `La base de datos no responde. Esto es lo último que se supo, ${age}.`,
  unknown: 'La base de datos no responde y todavía no se sabe nada de las fuentes.',
  read: 'Fuentes',
  notRead: 'De reserva y apagadas',
  notReadAbout: 'No se leen ahora. No es una falla.',
  asJson: 'Los mismos datos, para programas',
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
  names: {
    'bcv-official': 'Tasa oficial del BCV',
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
  days: (days) => `Últimos ${days} días`,
  daysAgo: (days) => `hace ${days} días`,
  today: 'hoy',
  marks: {
    good: 'sin fallas',
    some: 'con algunas fallas',
    bad: 'solo fallas',
    none: 'sin datos',
  },
  marksCount: ({ good, some, bad, none }) =>
    `días sin fallas: ${good}; con algunas fallas: ${some}; solo fallas: ${bad}; sin datos: ${none}`,
  dayCounts: (successes, failures) =>
    `${successes} ${successes === 1 ? 'buena' : 'buenas'}, ${failures} ${failures === 1 ? 'fallida' : 'fallidas'}`,
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
      'No se leyó en su último turno: está en pausa porque falló otra lectura del mismo sitio.',
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
    unreachable: 'no se pudo conectar',
    tls: 'no se pudo comprobar su certificado',
    timeout: 'no respondió a tiempo',
    status: 'respondió con un error',
    redirect: 'remitió a otra dirección',
    content_type: 'respondió con otra clase de contenido',
    too_large: 'su respuesta era demasiado grande',
    forbidden_address: 'su dirección no es pública',
    paused: 'en pausa tras varias fallas',
    content: 'lo que respondió no es lo que suele publicar',
    refused: 'sus cifras no se pudieron aceptar',
  },
};
