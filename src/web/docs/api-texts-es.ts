import type { ErrorCode } from '../../domain/errors.ts';
import { SPANISH_KEY_TEXTS } from './api-texts-keys-es.ts';

/** What each error means, in Spanish: a code without a text is a type error. */
export const SPANISH_ERRORS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Lo recibido no es una consulta HTTP válida.',
  missing_field: 'Falta un parámetro obligatorio.',
  invalid_format: 'Un parámetro tiene un valor que no se acepta.',
  unknown_parameter: 'Este endpoint no admite ese parámetro.',
  invalid_base: 'La brecha solo se calcula para USD.',
  invalid_against: 'La tasa oficial no puede compararse con eso.',
  missing_api_key: 'Envíe su clave en la cabecera X-API-Key.',
  invalid_api_key: 'La clave está mal escrita, no existe, fue revocada o venció.',
  feature_not_in_plan: 'Su plan no lo incluye.',
  account_suspended: 'La cuenta está suspendida.',
  scope_missing: 'A esta clave le falta un permiso que la consulta necesita.',
  origin_not_allowed: 'Esta clave no puede usarse desde ese origen.',
  history_out_of_retention: 'Su plan no llega tan atrás.',
  resource_not_found: 'No hay nada en esta dirección.',
  markup_not_found: 'No hay una regla de margen activa con esa etiqueta.',
  bcv_snapshot_unavailable: 'Todavía no hay nada guardado del Banco Central.',
  method_not_allowed: 'Este endpoint no admite ese método.',
  request_timeout: 'La consulta no llegó a tiempo.',
  already_exists: 'Ya hay una con ese nombre.',
  payload_too_large: 'El cuerpo es más grande de lo que se acepta.',
  uri_too_long: 'La dirección es más larga de lo que se acepta.',
  unsupported_media_type: 'Envíe el cuerpo como application/json en UTF-8.',
  expectation_failed: 'No se puede cumplir la cabecera Expect.',
  no_route: 'Todas las cotizaciones son más viejas que max_staleness.',
  rate_not_published: 'La tasa oficial de ese día no está guardada.',
  reference_unavailable: 'No hay una tasa oficial válida.',
  compared_unavailable: 'El mercado comparado no tiene cotización.',
  rate_limit_exceeded: 'Demasiadas consultas. Espere y vuelva a intentarlo.',
  quota_exceeded: 'Se agotaron las unidades de este mes.',
  headers_too_large: 'Las cabeceras son más grandes de lo que se acepta.',
  internal_error: 'Algo falló de nuestro lado.',
  service_unavailable: 'No disponible por ahora. Vuelva a intentarlo en un momento.',
};

/**
 * The reference in Spanish, by the English text that the declarations hold. A test finds the texts
 * that have none here, and those here that nothing says any more.
 */
export const SPANISH_TEXTS: Readonly<Record<string, string>> = {
  ...SPANISH_KEY_TEXTS,
  // The whole
  'Exchange rates of the Venezuelan bolivar.': 'Tasas de cambio del bolívar venezolano.',
  'Exchange rates of the Venezuelan bolivar (VES) against USD and EUR: official, free-market, peer-to-peer, remittance, exchange-house and cash quotes, with conversions, a route comparison, a spread, a weighted index, history and what the central bank publishes.':
    'Tasas de cambio del bolívar (VES) frente al dólar y al euro: la oficial, la del mercado libre, las de los mercados entre personas (P2P), remesas, casas de cambio y efectivo; con conversiones, comparación de rutas, brecha, un índice ponderado, historial y lo que publica el Banco Central.',
  'Every result is information. The service moves no money, includes no fees and knows nothing of liquidity or of the limits of a provider.':
    'Todo resultado es información. El servicio no mueve dinero, no incluye comisiones y nada sabe de liquidez ni de los límites de un proveedor.',
  'Send your key in the `X-API-Key` header. An answered call (2xx or 304) costs the units that its description names; an error costs nothing. Look markets up by `market`, never by position, and accept values of `type` that are new to you.':
    'Envíe su clave en la cabecera `X-API-Key`. Cada respuesta (2xx o 304) cuesta las unidades que dice su descripción; un error no cuesta nada. Busque los mercados por `market`, nunca por posición, y acepte valores de `type` que no conozca.',
  'Timestamps are ISO 8601 in UTC. Rates are VES for one unit of the base currency.':
    'Las horas están en ISO 8601, en UTC. Las tasas son VES por una unidad de la moneda base.',
  'This service.': 'Este servicio.',
  Rates: 'Tasas',
  Conversion: 'Conversión',
  Analysis: 'Análisis',
  'Central bank': 'Banco Central',
  Account: 'Cuenta',
  Status: 'Estado',
  Operator: 'Operador',
  'Quotes, their history and the catalogue of markets.':
    'Cotizaciones, su historial y el catálogo de mercados.',
  'Amounts from one currency to the other. Calculations, not offers.':
    'Montos de una moneda a la otra. Son cálculos, no ofertas.',
  'Figures made of several markets.': 'Cifras hechas de varios mercados.',
  'What the Banco Central de Venezuela publishes.': 'Lo que publica el Banco Central de Venezuela.',
  'Your plan, usage, keys and markup rules. These calls cost nothing.':
    'Su plan, su consumo, sus claves y sus reglas de margen. Estas consultas no cuestan nada.',
  'For whoever runs the service, with the admin token.':
    'Para quien opera el servicio, con el token de administración.',
  'How the service is. Needs no key.': 'Cómo está el servicio. No necesita clave.',
  'A key of your account, vfx_live_….': 'Una clave de su cuenta, vfx_live_….',
  "The operator's own token.": 'El token del operador.',

  // Endpoints
  'All rates': 'Todas las tasas',
  'The quotes of every market in your plan. With markup, a saved rule of your account is applied. With date, the rates of a past day in Caracas, of the markets whose history your plan reaches.':
    'Las cotizaciones de todos los mercados de su plan. Con markup se aplica una regla de margen de su cuenta. Con date, las tasas de un día pasado en Caracas, de los mercados hasta cuyo historial llega su plan.',
  'Rate by market': 'Tasa de un mercado',
  'With date, the rate of a past day in Caracas: of an official market the rate in force on that day, of any other the last capture before the day ended. History counts in UTC days instead.':
    'Con date, la tasa de un día pasado en Caracas: de un mercado oficial la vigente ese día, de los demás la última captura antes de que terminara el día. El historial, en cambio, cuenta en días UTC.',
  'History of a market': 'Historial de un mercado',
  'With date, the last record captured before the end of that UTC day. Without it, a series. For the rate of a day in Caracas, use date on rates and conversions.':
    'Con date, lo último capturado antes de que terminara ese día UTC. Sin él, una serie. Para la tasa de un día en Caracas, use date en las tasas y las conversiones.',
  'Candles of a market': 'Velas de un mercado',
  'First, highest, lowest and last rate of each day, week or month in UTC. A period without a capture is absent. At most 1000 candles.':
    'La primera, la más alta, la más baja y la última tasa de cada día, semana o mes en UTC. Un período sin capturas no aparece. Como máximo 1000 velas.',
  'Changes of the rates': 'Variación de las tasas',
  'Each rate of now against the last one captured by the same time a day, a week, a month, a quarter or a year ago.':
    'Cada tasa de ahora frente a la última capturada hasta la misma hora de hace un día, una semana, un mes, un trimestre o un año.',
  'Market catalogue': 'Catálogo de mercados',
  'Convert an amount': 'Convertir un monto',
  'USD or EUR to VES or back, by the mid of one market. Without via or market the official rate. With date, by the rate of a past day in Caracas.':
    'De USD o EUR a VES, o al revés, con el mid de un mercado. Sin via ni market, con la tasa oficial. Con date, con la tasa de un día pasado en Caracas.',
  'Convert up to 50 amounts by one rate': 'Convertir hasta 50 montos con una tasa',
  'Compare executable markets': 'Comparar mercados en los que se puede operar',
  'Ranks the markets by what a conversion would yield. No fees, liquidity or limits are considered.':
    'Ordena los mercados por lo que rendiría una conversión. No considera comisiones, liquidez ni límites.',
  'Weighted reference index': 'Índice ponderado de referencia',
  'Official, free-market and P2P rates in one figure. Neither an official rate nor an executable quote.':
    'La tasa oficial, la del mercado libre y las P2P en una cifra. No es una tasa oficial ni un precio al que se pueda operar.',
  'Gap between the official rate and another market': 'Brecha entre la tasa oficial y otro mercado',
  "The central bank's table of banks": 'La tabla de bancos del Banco Central',
  'Buy and sell USD rates of each bank. Source: Banco Central de Venezuela.':
    'Tasas de compra y venta de dólares de cada banco. Fuente: Banco Central de Venezuela.',
  "The central bank's other currencies": 'Las otras monedas del Banco Central',
  'The latest captured publication, whose value date may be to come. Source: Banco Central de Venezuela.':
    'La última publicación capturada, cuya fecha valor puede ser futura. Fuente: Banco Central de Venezuela.',
  'Official rates: in force, previous and next': 'Tasas oficiales: vigente, anterior y próxima',
  'Each with its value date and the instant from which it counts. Source: Banco Central de Venezuela.':
    'Cada una con su fecha valor y el instante desde el que rige. Fuente: Banco Central de Venezuela.',
  'Business days and value dates': 'Días hábiles y fechas valor',
  'Which days the banks work, and for which date a rate published that day counts. At most 366 days.':
    'Qué días trabajan los bancos, y para qué fecha vale lo que se publica ese día. Como máximo 366 días.',
  'Your plan, limits, usage and keys': 'Su plan, límites, consumo y claves',
  'Costs nothing. Keys are shown without their secrets: live ones first, at most 100 at once. Keys that ended are shown for 30 days.':
    'No cuesta nada. Las claves se muestran sin su secreto: primero las vigentes, como máximo 100 por respuesta. Las que terminaron se muestran durante 30 días.',
  'What your keys called, by day and endpoint': 'Qué consultaron sus claves, por día y endpoint',
  'The UTC days of the last 90, without those that had no calls. Calls that cost nothing are not counted. The count may be some seconds behind; the exact units of the month are in `/v1/account`.':
    'Los días UTC de los últimos 90, sin los que no tuvieron consultas. Las que no cuestan nada no se cuentan. La cuenta puede ir unos segundos atrasada; las unidades exactas del mes están en `/v1/account`.',
  'Put a new key in the place of one of yours': 'Cambiar una de sus claves por una nueva',
  'The answer is the only place that ever shows the new key. The old one ends at once, or goes on working for `grace_sec`. A grace is refused while the account already has more live keys than its plan, one of them in its grace. An account rotates keys at most 10 times a day (UTC).':
    'La respuesta es el único lugar que muestra la clave nueva. La vieja deja de servir en el acto, o sigue sirviendo `grace_sec` segundos. No se da esa gracia mientras la cuenta ya tiene más claves vivas que su plan, una de ellas en su gracia. Una cuenta rota claves como máximo 10 veces por día (UTC).',
  'Your markup rules': 'Sus reglas de margen',
  'All of them, also those beyond the number of your plan, which do not apply: the oldest count first.':
    'Todas, también las que pasan del número de su plan, que no se aplican: cuentan primero las más antiguas.',
  'Create a markup rule': 'Crear una regla de margen',
  'Replace a markup rule': 'Reemplazar una regla de margen',
  'Delete a markup rule': 'Borrar una regla de margen',
  'Push records': 'Cargar registros',
  'NDJSON records, all stored or none. Needs the admin token as Authorization: Bearer or X-Admin-Token.':
    'Registros NDJSON: se guardan todos o ninguno. Necesita el token de administración, en Authorization: Bearer o X-Admin-Token.',
  'How the figures and the sources are': 'Cómo están las cifras y las fuentes',
  'How far the published figures can be relied on, with the reasons by name. Then which sources are read, when they last answered and changed, why one is not as it should be, and how their readings ended in the last 90 days. While the database does not answer, the sources are as they were known last.':
    'Hasta dónde puede uno fiarse de las cifras publicadas, con las razones por su nombre. Luego, qué fuentes se leen, cuándo respondieron y cambiaron por última vez, por qué una no está como debe y cómo terminaron sus lecturas en los últimos 90 días. Mientras la base de datos no responde, las fuentes son las que se conocían por última vez.',

  // Parameters
  'Id or alias of a market.': 'Id o alias de un mercado.',
  'Tag of a saved markup rule.': 'Etiqueta de una regla de margen guardada.',
  'The day of the point, a UTC day.': 'El día del punto, un día UTC.',
  'First day of the range, a UTC day.': 'Primer día del rango, un día UTC.',
  'Last day of the range, a UTC day.': 'Último día del rango, un día UTC.',
  'daily when absent.': 'daily si falta.',
  'Only the last point of each ISO week or calendar month, dated by its first day; daily series only.':
    'Solo el último punto de cada semana ISO o mes calendario, con la fecha de su primer día; solo en series diarias.',
  'UTC days, ISO weeks from Monday or calendar months; day when absent.':
    'Días UTC, semanas ISO desde el lunes o meses calendario; day si falta.',
  'How far back to compare with; 1d when absent.': 'Con cuánto tiempo atrás comparar; 1d si falta.',
  'Ids or aliases of markets with commas between; all of the plan when absent.':
    'Ids o alias de mercados separados por comas; todos los del plan si falta.',
  'A day in Caracas: answers with the rates of that day.':
    'Un día en Caracas: responde con las tasas de ese día.',
  'With date, for official markets on a day without banks: value_date (when absent) takes the rate in force, next_banking_day that of the next business day.':
    'Con date, para los mercados oficiales en un día sin bancos: value_date (si falta) toma la tasa vigente, next_banking_day la del próximo día hábil bancario.',
  'true adds the source, how many agree, and what is held. Not with date.':
    'true añade la fuente, cuántas coinciden y qué está retenido. No con date.',
  'USD, EUR or VES, in any letter case.': 'USD, EUR o VES, en mayúsculas o minúsculas.',
  'A number in the JSON grammar, greater than 0 and at most 1e12.':
    'Un número como los de JSON, mayor que 0 y hasta 1e12.',
  'send when absent; echoed, it changes nothing else.':
    'send si falta; se repite en la respuesta y no cambia nada más.',
  'Leaves out quotes older than this many seconds; 0 leaves out none.':
    'Deja fuera las cotizaciones con más segundos de edad; 0 no deja fuera ninguna.',
  'Only USD.': 'Solo USD.',
  'First day, in Caracas; today when absent.': 'Primer día, en Caracas; hoy si falta.',
  'Last day, included; 30 days after the first when absent.':
    'Último día, incluido; 30 días después del primero si falta.',
  'First day, included; the first that is kept when absent, a UTC day.':
    'Primer día, incluido; si falta, el primero que se guarda. Un día UTC.',
  'Last day, included; today when absent, a UTC day.':
    'Último día, incluido; hoy si falta. Un día UTC.',
  'Id of the old key.': 'Id de la clave vieja.',
  'true accepts records that judgement would hold.':
    'true acepta registros que el juicio retendría.',
  'How CSV is written: en when absent, for programs; es for spreadsheets in Spanish, with semicolons, decimal commas and Spanish headers. Other formats stay the same.':
    'Cómo se escribe el CSV: en si falta, para programas; es para hojas de cálculo en español, con punto y coma, coma decimal y encabezados en español. Los demás formatos no cambian.',
  'The ETag of the answer you have. When it is still current the answer is 304.':
    'El ETag de la respuesta que ya tiene. Si sigue vigente, la respuesta es 304.',
  'A JSON record a line.': 'Un registro JSON por línea.',

  // Answers and examples
  'The answer.': 'La respuesta.',
  'Created.': 'Creado.',
  'Done; there is no body.': 'Hecho; no hay cuerpo.',
  'What you have is still current.': 'Lo que tiene sigue vigente.',
  'A request': 'Una consulta',
  'Every market of the plan': 'Todos los mercados del plan',
  'The same with a saved markup rule': 'Lo mismo con una regla de margen',
  'Rates with markup': 'Tasas con margen',
  'A week that is over and the one that runs': 'Una semana terminada y la que corre',
  'A week of the free market, and a market that was not there then':
    'Una semana del mercado libre, y un mercado que entonces no estaba',
  'Past rates': 'Tasas de un día pasado',
  'Past rates with markup': 'Tasas de un día pasado con margen',
  Rate: 'Tasa',
  'Past rate': 'Tasa de un día pasado',
  'Rate with details': 'Tasa con detalles',
  'Past conversion': 'Conversión de un día pasado',
  'Every market on a Saturday, which has no rate of its own':
    'Todos los mercados en un sábado, que no tiene tasa propia',
  'The official rate of a Saturday: the one in force, of Friday':
    'La tasa oficial de un sábado: la vigente, del viernes',
  '100 USD by the rate of the next business day': '100 USD a la tasa del próximo día hábil',
  Point: 'Punto',
  Collection: 'Serie',
  'A P2P market, by its id': 'Un mercado P2P, por su id',
  'A series: the last capture of each UTC day': 'Una serie: la última captura de cada día UTC',
  'One day, when date is given': 'Un día, cuando se da date',
  'The start of the catalogue, and a market of a dearer plan':
    'El comienzo del catálogo, y un mercado de un plan superior',
  '100 USD by the official rate': '100 USD a la tasa oficial',
  'Two amounts by the official rate': 'Dos montos a la tasa oficial',
  '100 USD, quotes of the last 15 minutes': '100 USD, con cotizaciones de los últimos 15 minutos',
  'An index of few P2P quotes': 'Un índice con pocas cotizaciones P2P',
  'The free market against the official rate': 'El mercado libre frente a la tasa oficial',
  'A row of the day and one that is older': 'Una fila del día y una más vieja',
  'Published on a Friday for Tuesday: Monday is a bank holiday':
    'Publicado un viernes para el martes: el lunes es feriado bancario',
  'The dollar on a Saturday, when the rate of Tuesday is known':
    'El dólar un sábado, cuando ya se conoce la tasa del martes',
  'A bank holiday and the day after it': 'Un feriado bancario y el día siguiente',
  'An account of the plan Profesional': 'Una cuenta del plan Profesional',
  'Three days, one of them without calls': 'Tres días, uno de ellos sin consultas',
  'The old key works for another hour': 'La clave vieja sirve una hora más',
  'One rule for every market': 'Una regla para todos los mercados',
  'The rule as it is saved': 'La regla como quedó guardada',
  'One record, stored': 'Un registro, guardado',
  'A source that fails, and the one that stands in for it':
    'Una fuente que falla, y la que la suple',

  // Headers
  'Names this request in the logs of the service; on every answer.':
    'Identifica esta consulta en los registros del servicio; en toda respuesta.',
  'Units of the month in your plan; on every answer to a known key.':
    'Unidades del mes en su plan; en toda respuesta a una clave conocida.',
  'Units left in the month; on every answer to a known key.':
    'Unidades que quedan en el mes; en toda respuesta a una clave conocida.',
  'Seconds until the month ends, in UTC; on every answer to a known key.':
    'Segundos hasta que termine el mes, en UTC; en toda respuesta a una clave conocida.',
  "The month's quota as the IETF draft writes it.":
    'La cuota del mes, como la escribe el borrador de la IETF.',
  'What is left of the quota as the IETF draft writes it.':
    'Lo que queda de la cuota, como lo escribe el borrador de la IETF.',
  'Units that this answer cost.': 'Unidades que costó esta respuesta.',
  'The window that is used up: minute, hour, month or account. Not every 429 has it.':
    'La ventana agotada: minute, hour, month o account. No todo 429 la trae.',
  'Amounts in this batch.': 'Montos de este lote.',
  'Batches an hour in your plan.': 'Lotes por hora de su plan.',
  'Batches left in the hour.': 'Lotes que quedan en la hora.',
  'Seconds to wait.': 'Segundos que hay que esperar.',
  'How to authenticate.': 'Cómo autenticarse.',
  'Names this version of the answer, for If-None-Match.':
    'Identifica esta versión de la respuesta, para If-None-Match.',
  'Time of the snapshot.': 'Hora de las cotizaciones.',
  'For how long a private cache may keep the answer.':
    'Cuánto tiempo puede guardar la respuesta una caché privada.',
};
