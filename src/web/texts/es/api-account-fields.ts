/**
 * The part of `SPANISH_FIELDS` for accounts, keys, usage, markup rules, pushed records and the status; and
 * for coverage and corrections.
 */
export const SPANISH_ACCOUNT_FIELDS: Readonly<Record<string, string>> = {
  'Status reason.message': 'El problema en una frase, para personas.',
  'Status.fetched_at':
    'Cuándo recibió cifras el servicio por última vez; ausente antes de la primera.',
  'New key.kind': 'Tipo de clave; solo una completa (`full`) puede hacer todo.',
  'Account key.kind': 'Tipo de clave; solo una completa (`full`) puede hacer todo.',
  'Source status.kind': 'Tipo de fuente, que decide cómo se lee.',
  'KeyRequest.kind':
    'Tipo de clave: `full` (completa), `restricted` (restringida) o `publishable` (publicable).',
  'KeyChange.kind': 'El tipo que tiene la clave; se rechaza cualquier otro.',
  'MarkupReplacement.tag': 'Solo la etiqueta de la dirección; puede omitirse.',
  'Usage of a day.date': 'El día UTC de las consultas.',
  'Source day.date': 'El día, en Caracas.',
  'Status reason.sources':
    'Nombres de las fuentes afectadas; ausente si el problema no es de fuentes.',
  'Status.sources': 'Las fuentes, en el orden del catálogo.',
  held: 'Cuántos registros dudosos de la fuente están retenidos y no se publican.',
  'Ingested.held': 'Registros dudosos, que no se publican.',
  'Status reason.count': 'Cuántas publicaciones están atrasadas; solo con `publications_missed`.',
  'Source day.changes': 'Lecturas con cifras distintas de la anterior.',
  'Markup.markets': 'Ids de los mercados a los que se aplica; vacío, a todos.',
  'Status reason.markets':
    'Ids de los mercados afectados; ausente si el problema no es de mercados.',
  'Source status.markets':
    'Ids de los mercados que cotiza la fuente; vacío en las tablas del Banco Central.',
  id: 'Id de la clave, que no es secreto.',
  'Account.id': 'Id de la cuenta.',
  'RotatedKey.id': 'Id de la clave nueva.',
  'Status reason.name': 'Nombre del problema; no cambia, pero puede haber nuevos.',
  'Account.name': 'Nombre de la cuenta.',
  'Source status.name': 'Nombre de la fuente.',
  'Keys.next': 'Dónde empieza la página siguiente; `null` en la última.',
  'Source status.days':
    'Los días de los últimos 90 en que se leyó la fuente, del más antiguo al más reciente.',
  'Usage.days': 'Las consultas por día y endpoint, desde el día más antiguo.',
  plan: 'Nombre de su plan.',
  status: 'Si sus claves sirven (`active`) o no (`suspended`).',
  'Status.status':
    'Hasta dónde puede confiar en las cifras: `failing` cuando no se publica nada al día o la tasa oficial está desactualizada; `degraded` cuando solo una parte tiene problemas.',
  limits: 'Lo que permite el plan; `null` significa sin límite.',
  units_per_month: 'Unidades que la cuenta puede gastar en un mes UTC.',
  requests_per_minute: 'Consultas por minuto de una clave publicable; `null` en las de otro tipo.',
  'Account.limits.requests_per_minute': 'Consultas que la cuenta puede hacer por minuto.',
  'KeyRequest.requests_per_minute':
    'Consultas por minuto de una clave publicable, de 1 a 60; por defecto, 60.',
  'KeyChange.requests_per_minute':
    'Consultas por minuto de una clave publicable, de 1 a 60; por defecto, 60.',
  bulk_calls_per_hour: 'Lotes que la cuenta puede convertir por hora.',
  history_days: 'Cuántos días hacia atrás llega el historial.',
  official_days: 'Cuántos días hacia atrás llega una fecha pasada de una tasa oficial.',
  formats: 'Formatos que puede tener una respuesta.',
  keys_max: 'Máximo de claves activas, sin contar las publicables.',
  public_keys_max: 'Máximo de claves publicables activas.',
  markups_max: 'Máximo de márgenes.',
  features: 'Qué más incluye el plan.',
  usage: 'Unidades del mes en curso.',
  month: 'El mes UTC, `AAAA-MM`.',
  units_used: 'Unidades gastadas en el mes.',
  units_remaining: 'Unidades que quedan en el mes; `null` si no hay límite.',
  resets_at: 'Cuándo empieza el mes siguiente, con todas sus unidades.',
  keys: 'Las claves de la cuenta, sin su secreto.',
  keys_next: 'Dónde empieza la página siguiente de claves; `null` en la última.',
  total_calls: 'Consultas del rango, de todos los endpoints.',
  total_units: 'Unidades del rango, de todos los endpoints.',
  endpoint: 'Método y dirección del endpoint.',
  calls: 'Cuántas consultas, incluidas las respondidas con un error.',
  units: 'Unidades que costaron estas consultas.',
  client_errors: 'Consultas respondidas con un estado 4xx.',
  server_errors: 'Consultas respondidas con un estado 5xx.',
  label: 'Nombre que la cuenta dio a la clave; `null` si no tiene.',
  'KeyRequest.label':
    'El nombre que usted le da, de 100 caracteres como máximo; `null` para ninguno.',
  'KeyChange.label':
    'El nombre que usted le da, de 100 caracteres como máximo; `null` para ninguno.',
  scopes: 'Qué puede hacer la clave.',
  'KeyRequest.scopes':
    'De una clave restringida: algunos de `rates`, `history`, `official`, `account.read`, `account.write`. De una publicable: algunos de `rates`, `history`, `official`; por defecto, todos ellos. Una clave completa los tiene todos.',
  'KeyChange.scopes':
    'De una clave restringida: algunos de `rates`, `history`, `official`, `account.read`, `account.write`. De una publicable: algunos de `rates`, `history`, `official`; por defecto, todos ellos. Una clave completa los tiene todos.',
  origins: 'Orígenes cuyas páginas pueden usar una clave publicable; vacío en las de otro tipo.',
  'KeyRequest.origins':
    'De una clave publicable: 10 orígenes exactos como máximo, cuyas páginas pueden usarla.',
  'KeyChange.origins':
    'De una clave publicable: 10 orígenes exactos como máximo, cuyas páginas pueden usarla.',
  allow_no_origin:
    'Si las consultas sin `Origin` pueden usar una clave publicable; `false` en las de otro tipo.',
  'KeyRequest.allow_no_origin':
    'De una clave publicable: si pueden usarla las consultas sin `Origin`, como las de las hojas de cálculo.',
  'KeyChange.allow_no_origin':
    'De una clave publicable: si pueden usarla las consultas sin `Origin`, como las de las hojas de cálculo.',
  current: 'Si esta consulta se hizo con la clave.',
  created_at: 'Cuándo se creó la clave.',
  expires_at: 'Cuándo vence la clave; `null` si no vence.',
  'KeyRequest.expires_at':
    'Cuándo vence la clave, a dos años como máximo: una hora en ISO 8601 con su zona; `null` para nunca.',
  'KeyChange.expires_at':
    'Cuándo vence la clave, a dos años como máximo: una hora en ISO 8601 con su zona; `null` para nunca.',
  hint: 'Cómo empieza y termina la clave; `null` si es de una versión anterior.',
  last_used_at: 'El minuto en que se aceptó la clave por última vez; `null` si nunca.',
  revoked_at: 'Cuándo fue revocada la clave; `null` si no lo fue.',
  key: 'La clave misma: guárdela bien.',
  'RotatedKey.key': 'La clave nueva misma: guárdela bien.',
  replaces: 'Id de la clave anterior.',
  replaced_expires_at: 'Cuándo deja de servir la clave anterior.',
  markups: 'Los márgenes, en el orden de sus etiquetas.',
  active: 'Si las consultas pueden usar el margen.',
  'NewMarkup.active': 'Si las consultas pueden usar el margen; por defecto, `true`.',
  'MarkupReplacement.active': 'Si las consultas pueden usar el margen; por defecto, `true`.',
  accepted: 'Registros guardados.',
  refused: 'Registros rechazados.',
  duplicate: 'Registros que ya estaban guardados o que se dejan pasar.',
  passed_over:
    'Las primeras 1.000 cotizaciones anteriores a la actual y fuera de la banda; ausente si no hay ninguna.',
  line: 'Línea del cuerpo, desde 1.',
  'Ingested.passed_over.reason': 'Por qué el registro ni se guarda ni se retiene.',
  reasons: 'Los problemas, primero los de las cifras; ninguno si el estado es `ok`.',
  since: 'Desde cuándo existe el problema; ausente si no se sabe.',
  checked_at: 'Cuándo se determinó este estado.',
  database:
    'Si la base de datos responde; mientras no lo hace, lo demás es el último estado conocido.',
  collecting: 'Si algún proceso lee las fuentes.',
  clock_stepped:
    'Cuándo se cambió en más de un minuto el reloj de la máquina que responde; ausente una hora después.',
  enabled: 'Si la fuente está activa.',
  role: 'Un testigo (`witness`) no publica nada: sus tasas oficiales solo confirman o contradicen. Ausente en las demás fuentes.',
  adds: 'Lo que agrega la fuente mientras está activa: una segunda voz para la tasa oficial, o un origen de su mercado que no depende del agregador. Ausente en las demás fuentes.',
  stands_in_for:
    'La fuente a la que esta reemplaza cuando aquella falla; ausente en una fuente principal.',
  state: 'Estado de la fuente, en una palabra.',
  why: 'El estado en una frase, para personas.',
  failure:
    'Por qué falló la última lectura, en una palabra; ausente si no falló. Puede haber nuevas.',
  last_success: 'Cuándo se leyó la fuente sin errores por última vez; ausente antes de la primera.',
  last_change:
    'Cuándo cambiaron sus cifras por última vez; una hora nueva por sí sola no cuenta. Ausente hasta que cambian.',
  consecutive_failures: 'Lecturas fallidas desde la última correcta.',
  publications_missed:
    'Publicaciones atrasadas del Banco Central, según su calendario; solo en sus tasas oficiales.',
  value_dates_missing:
    'Fechas valor de los últimos 30 días que no están guardadas; solo en las tasas oficiales.',
  missing_markets:
    'Sus mercados sin cotización nueva desde hace 30 minutos; ausente si no hay ninguno.',
  page_went_back: 'Aparece cuando su página volvió a mostrar una publicación anterior.',
  next_run: 'Cuándo se lee la fuente la próxima vez; ausente si no hay una lectura prevista.',
  successes: 'Lecturas que dieron registros.',
  failures: 'Lecturas que fallaron.',
  grace_sec: 'Cuánto sigue sirviendo la clave anterior, en segundos; por defecto, 0.',
  'MarketCoverage.markets':
    'Una fila por cada mercado con un día guardado, y por cada mercado que nombra la consulta.',
  first_date: 'Primer día guardado, hasta donde llega su plan; `null` si no hay ninguno.',
  last_date: 'Último día guardado; `null` si no hay ninguno.',
  'Coverage.days': 'Cuántos días están guardados.',
  'Coverage.missing':
    'Los días que faltan hasta ayer, del más antiguo al más reciente; en un mercado oficial, solo días hábiles.',
  'Missing days.from': 'Primer día que falta, incluido.',
  'Missing days.to': 'Último día que falta, incluido.',
  'Corrections.since': 'Primer día de la lista, en Caracas.',
  corrections: 'Las correcciones, de la más reciente a la más antigua.',
  'Correction.kind':
    '`publication`: una tasa oficial, con una fila por moneda. `quote`: una tasa de otro mercado.',
  'Correction.market': 'Id del mercado; ausente en una moneda que no tiene mercado.',
  'Correction.currency': 'Moneda de la publicación; ausente en una cotización.',
  'Correction.value_date': 'Fecha valor de la publicación, en Caracas; ausente en una cotización.',
  was: 'La cifra que dejó de ser cierta, en VES.',
  is: 'La cifra que ocupa su lugar, en VES; `null` si se retiró.',
  corrected_at:
    'Cuándo la corrigió el servicio; de una cotización, cuándo leyó lo que la corrigió.',
  'Correction.why': 'Por qué dejó de ser cierta; puede haber códigos nuevos.',
};
