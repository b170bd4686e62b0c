/** The texts of the reference that belong to no single operation or field, in Spanish. */

export const SPANISH_ABOUT = {
  summary: 'Tasas de cambio del bolívar venezolano.',
  description: [
    'Tasas de cambio del bolívar venezolano (VES) frente al dólar y al euro: oficial, paralela, entre personas (P2P), de remesas, de casas de cambio y de efectivo; con conversiones, comparación de mercados, brecha, un índice ponderado, historial y lo que publica el Banco Central.',
    'Todo resultado es información. El servicio no mueve dinero y no considera comisiones, liquidez ni los límites de un proveedor.',
    'Envíe su clave en el encabezado `X-API-Key`. Cada respuesta (2xx o 304) cuesta las unidades que indica su descripción; un error no cuesta nada. Busque los mercados por `market`, nunca por posición, y acepte valores de `type` que no conozca.',
    'Las horas están en ISO 8601, en UTC. Las tasas son VES por una unidad de la moneda base.',
  ].join('\n\n'),
};

export const SPANISH_SERVER = 'Este servicio.';

/** Sections, by their name in English. */
export const SPANISH_TAGS: Readonly<
  Record<string, { readonly name: string; readonly description: string }>
> = {
  Rates: { name: 'Tasas', description: 'Cotizaciones, su historial y el catálogo de mercados.' },
  Conversion: {
    name: 'Conversión',
    description: 'Montos de una moneda a otra. Son cálculos, no ofertas.',
  },
  Analysis: { name: 'Análisis', description: 'Cifras calculadas con varios mercados.' },
  'Central bank': {
    name: 'Banco Central',
    description: 'Lo que publica el Banco Central de Venezuela.',
  },
  Account: {
    name: 'Cuenta',
    description: 'Su plan, su consumo, sus claves y sus márgenes. Estas consultas no cuestan nada.',
  },
  Operator: {
    name: 'Operador',
    description: 'Para el operador del servicio, con el token de administración.',
  },
  Status: { name: 'Estado', description: 'Estado del servicio. No necesita clave.' },
};

/** Answers without an error, by status. */
export const SPANISH_RESPONSES: Readonly<Record<string, string>> = {
  '200': 'La respuesta.',
  '304': 'La respuesta que usted tiene no ha cambiado.',
  '201': 'Creado.',
  '204': 'Hecho; no hay cuerpo.',
};

/** Parameters that many operations share. */
export const SPANISH_SHARED_PARAMETERS: Readonly<Record<string, string>> = {
  locale:
    'Cómo se escribe el CSV: `en` (valor por defecto), para programas; `es`, para hojas de cálculo en español, con punto y coma, coma decimal y nombres de columna en español. Los demás formatos no cambian.',
  'If-None-Match': 'El ETag de la respuesta que ya tiene. Si no ha cambiado, la respuesta es 304.',
};

/** The parameter `format`; `plans` says from which plan each format is. */
export const SPANISH_FORMAT = (plans: string) =>
  `Formato de la respuesta, por defecto \`json\`; solo en minúsculas. ${plans.replaceAll(' from ', ' desde ')}.`;

/** Who may call an operation, and its cost. */
export const SPANISH_ACCESS = {
  operator: 'Necesita el token de administración.',
  withoutKey: 'No necesita clave.',
  everyPlan: 'Todos los planes.',
  fromPlan: (plan: string) => `Desde ${plan}.`,
  free: 'No cuesta nada.',
  unit: 'Cada respuesta cuesta 1 unidad.',
  scope: (scope: string) => `Una clave restringida necesita el permiso \`${scope}\`.`,
};

export const SPANISH_HEADER_TEXTS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'Identifica esta consulta en los registros del servicio; en toda respuesta.',
  'X-Ignored-Parameters':
    'Nombres de parámetros y de campos del cuerpo que no están documentados y no cambiaron nada, diez como máximo; ausente si no hay ninguno.',
  'X-RateLimit-Limit': 'Unidades del mes en su plan; en toda respuesta a una clave conocida.',
  'X-RateLimit-Remaining': 'Unidades que quedan en el mes; en toda respuesta a una clave conocida.',
  'X-RateLimit-Reset':
    'Segundos hasta que termine el mes, en UTC; en toda respuesta a una clave conocida.',
  'RateLimit-Policy': 'La cuota del mes, en el formato del borrador de la IETF.',
  RateLimit: 'Lo que queda de la cuota, en el formato del borrador de la IETF.',
  'X-Vesfx-Stale':
    'Ids de los mercados con cotizaciones desactualizadas en las que se apoya la respuesta, separados por comas, 20 como máximo; ausente si no hay ninguno.',
  'X-Vesfx-Unit-Changes':
    'Los días desde el día pedido, o desde el primero de una serie, a partir de los cuales un bolívar nuevo son varios viejos, con ese número; ausente si no hay ninguno.',
  'X-Vesfx-Frozen':
    'Ids de los mercados cuyas cotizaciones sin cambios sustentan la respuesta, con comas, 20 como máximo; falta cuando no hay ninguno.',
  'X-Vesfx-In-Doubt':
    'Ids de los mercados con cotizaciones sin confirmar en las que se apoya la respuesta, separados por comas, 20 como máximo; ausente si no hay ninguno.',
  'X-RateLimit-Cost': 'Unidades que costó esta respuesta.',
  'X-RateLimit-Scope':
    'El límite alcanzado: `minute`, `hour`, `month` o `account`. No todo 429 lo trae.',
  'X-Bulk-Operations': 'Montos de este lote.',
  'X-Bulk-RateLimit-Limit': 'Lotes por hora de su plan.',
  'X-Bulk-RateLimit-Remaining': 'Lotes que quedan en la hora.',
  'Retry-After': 'Segundos de espera.',
  'WWW-Authenticate': 'Cómo autenticarse.',
  ETag: 'Identifica esta versión de la respuesta, para `If-None-Match`.',
  'Last-Modified': 'Hora de las cotizaciones.',
  'Cache-Control': 'Cuánto tiempo puede guardar la respuesta una caché privada.',
};

/** Ways to authenticate. */
export const SPANISH_SECURITY: Readonly<Record<string, string>> = {
  apiKey: 'Una clave de su cuenta: `vfx_live_…`, `vfx_rk_live_…` o `vfx_pub_…`.',
  publishableKey:
    'Una clave publicable, `vfx_pub_…`, para cuando no se puede enviar un encabezado.',
  adminToken: 'El token del operador.',
};

/** Forms of an answer, by their title. */
export const SPANISH_TITLES: Readonly<Record<string, string>> = {
  Rates: 'Tasas',
  'Rates with markup': 'Tasas con margen',
  'Past rates': 'Tasas de un día pasado',
  'Past rate': 'Tasa de un día pasado',
  'Past rates with markup': 'Tasas de un día pasado con margen',
  Rate: 'Tasa',
  'Rate with details': 'Tasa con detalles',
  Point: 'Punto',
  Collection: 'Serie',
  Conversion: 'Conversión',
  'Past conversion': 'Conversión de un día pasado',
};

/** Examples that many operations have, by their name. */
export const SPANISH_EXAMPLES: Readonly<Record<string, string>> = {
  request: 'Una consulta',
};
