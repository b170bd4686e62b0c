/** What went wrong in the console, and what a value may be. */
export const CONSOLE_ERRORS_ES = {
  /** By the code of the error. */
  failures: {
    network_error: 'No hubo respuesta del servicio. Revise su conexión e inténtelo de nuevo.',
    timeout: 'El servicio tardó demasiado en responder. Inténtelo de nuevo.',
    invalid_api_key:
      'Esa clave no es válida, o ya no lo es. Revise que esté completa, o pida otra al operador del servicio.',
    account_suspended: 'La cuenta está suspendida. Comuníquese con el operador del servicio.',
    key_in_grace:
      'Entró con una clave que ya fue rotada: solo puede revocarse a sí misma. Entre con la nueva.',
    scope_missing: 'A su clave le falta un permiso para esto. Entre con otra que lo tenga.',
    origin_not_allowed: 'Su clave no se puede usar en esta página. Entre con otra.',
    rate_limit_exceeded: 'Demasiadas consultas. Espere {wait} e inténtelo de nuevo.',
    quota_exceeded: 'Ya se usaron todas las unidades de este mes.',
    feature_not_in_plan: 'Su plan no incluye esto.',
    already_exists: 'Ya hay un margen con esa etiqueta.',
    conflict: 'Está en pausa o desactivado: reanúdelo primero.',
    markup_not_found: 'Ese margen ya no existe: alguien lo borró. Si lo necesita, cree otro.',
    resource_not_found: 'Ya no existe: alguien la borró o la revocó. La lista ya está al día.',
    invalid_format: 'Uno de los valores no es válido.',
    service_unavailable: 'El servicio no está disponible por ahora. Inténtelo en un momento.',
    unexpected_answer:
      'La respuesta no es de este servicio: puede ser de un proxy o de la página de acceso de su red. Revise su conexión e inténtelo de nuevo.',
    other: 'Algo salió mal en el servicio. Inténtelo de nuevo en un momento.',
  },
  fieldMissing: 'Falta este dato.',
  keyMissing: 'Escriba su clave.',
  /** By the name of the parameter. */
  parameterRules: {
    amounts: 'Escriba de 1 a 50 números mayores que 0 y hasta un billón (10^12).',
    amount:
      'Escriba un número mayor que 0 y hasta un billón (10^12), con punto decimal y nada entre los miles: 1234.56.',
  } as Readonly<Record<string, string>>,
  /** By `details.rule` of the API. */
  valueRules: {
    future_day: 'Elija un día que ya haya comenzado, con la forma AAAA-MM-DD.',
    wrong_pair: 'Una de las dos monedas debe ser VES y la otra, una divisa.',
    reversed_range: 'El día de `from` no puede ser posterior al de `to`.',
    not_a_day: 'Escriba un día que exista, con la forma AAAA-MM-DD.',
    after_own_key: 'La clave con la que entró vence antes: elija un día anterior.',
    after_grace: 'La clave fue rotada: no puede durar más que su plazo.',
    not_json: 'El cuerpo no es un objeto JSON válido. Revise las comas y las comillas.',
    not_an_object: 'El cuerpo no es un objeto JSON válido. Revise las comas y las comillas.',
  } as Readonly<Record<string, string>>,
  nothingThatEarly: 'No hay datos guardados hasta ese día. Elija uno más reciente.',
  /** By the field of the API. */
  fieldRules: {
    expires_at: 'Elija un día desde hoy y hasta dentro de dos años.',
    scopes: 'Marque al menos un permiso.',
    origins:
      'Escriba hasta 10 orígenes exactos, con esquema y nombre, sin nada más. Por ejemplo: https://tienda.example',
    tag: 'Use solo letras minúsculas (sin acentos ni ñ), números, guiones y guiones bajos, hasta 32.',
    value:
      'Un porcentaje va de -99 a 1.000; un monto fijo, hasta un billón (10^12) de VES. Se aceptan hasta 15 cifras.',
    markets: 'Uno de los mercados ya no existe. Cierre este formulario y ábralo de nuevo.',
  } as Readonly<Record<string, string>>,
  scopeLacks: 'A su clave le falta el permiso «{name}». Entre con otra que lo tenga.',
  cannotChange:
    'Su clave vence antes que la que quiere rotar, o ya no tiene el permiso «Cambiar la cuenta».',
  onlyFull: 'Solo una clave completa puede crear o cambiar otra clave completa.',
  tooManyKeys:
    'Máximo de claves de este tipo en su plan: {max}, contando las rotadas que aún sirven. Revoque o rote una.',
  tooManyRules: 'Máximo de márgenes en su plan: {max}. Borre uno primero.',
  morePlan: 'El plan {plan} permite más.',
  tooManyToday:
    'Ya creó todas las claves que se permiten por día. Inténtelo después de las 20:00, hora de Caracas.',
};
