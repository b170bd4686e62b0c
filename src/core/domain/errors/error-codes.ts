import { type Sentence, sentence } from './sentence.ts';

/** Every error: its status and default message, as interface §7 and the reference list them. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    message: sentence(
      'The bytes received are not a valid HTTP request.',
      'Lo recibido no es una consulta HTTP válida.',
    ),
  },
  missing_field: {
    status: 400,
    message: sentence('A required parameter is missing.', 'Falta un parámetro obligatorio.'),
  },
  invalid_format: {
    status: 400,
    message: sentence(
      'A parameter has a value that is not accepted.',
      'Un parámetro tiene un valor que no se acepta.',
    ),
  },
  unknown_parameter: {
    status: 400,
    message: sentence(
      'This endpoint does not accept that parameter.',
      'Este endpoint no admite ese parámetro.',
    ),
  },
  invalid_base: {
    status: 400,
    message: sentence(
      'The premium is only calculated for USD.',
      'La brecha solo se calcula para USD.',
    ),
  },
  invalid_against: {
    status: 400,
    message: sentence(
      'The official rate cannot be compared with that market.',
      'La tasa oficial no puede compararse con ese mercado.',
    ),
  },
  missing_api_key: {
    status: 401,
    message: sentence(
      'Send your key in the X-API-Key header.',
      'Envíe el encabezado X-API-Key con su clave.',
    ),
  },
  invalid_api_key: {
    status: 401,
    message: sentence(
      'The key is malformed, unknown, revoked or expired.',
      'La clave está mal escrita, no existe, fue revocada o venció.',
    ),
  },
  feature_not_in_plan: {
    status: 402,
    message: sentence('Your plan does not include this.', 'Su plan no incluye esto.'),
  },
  account_suspended: {
    status: 403,
    message: sentence('The account is suspended.', 'La cuenta está suspendida.'),
  },
  key_in_grace: {
    status: 403,
    message: sentence(
      'A key in its grace period makes, rotates and changes no key, and revokes only itself.',
      'Una clave en su plazo de gracia no crea, rota ni cambia claves, y solo se revoca a sí misma.',
    ),
  },
  scope_missing: {
    status: 403,
    message: sentence(
      'This key lacks a scope that the request needs.',
      'A esta clave le falta un permiso que la consulta necesita.',
    ),
  },
  origin_not_allowed: {
    status: 403,
    message: sentence(
      'This key may not be used from that origin.',
      'Esta clave no puede usarse desde ese origen.',
    ),
  },
  history_out_of_retention: {
    status: 403,
    message: sentence('Your plan does not reach back that far.', 'Su plan no llega tan atrás.'),
  },
  resource_not_found: {
    status: 404,
    message: sentence('There is nothing at this address.', 'No existe lo que la consulta pide.'),
  },
  markup_not_found: {
    status: 404,
    message: sentence(
      'There is no active markup rule with that tag.',
      'No hay un margen activo con esa etiqueta.',
    ),
  },
  bcv_snapshot_unavailable: {
    status: 404,
    message: sentence(
      'No publication of the central bank is stored yet.',
      'Todavía no hay guardada ninguna publicación del Banco Central.',
    ),
  },
  method_not_allowed: {
    status: 405,
    message: sentence(
      'This address does not accept that method.',
      'Esta dirección no admite ese método.',
    ),
  },
  request_timeout: {
    status: 408,
    message: sentence('The request did not arrive in time.', 'La consulta no llegó a tiempo.'),
  },
  already_exists: {
    status: 409,
    message: sentence('That name is already in use.', 'Ese nombre ya está en uso.'),
  },
  conflict: {
    status: 409,
    message: sentence(
      'The request does not fit what is there.',
      'La consulta no concuerda con lo que hay.',
    ),
  },
  payload_too_large: {
    status: 413,
    message: sentence('The body is too large.', 'El cuerpo es demasiado grande.'),
  },
  uri_too_long: {
    status: 414,
    message: sentence('The address is too long.', 'La dirección es demasiado larga.'),
  },
  unsupported_media_type: {
    status: 415,
    message: sentence(
      'Send the body as UTF-8 application/json.',
      'Envíe el cuerpo como application/json en UTF-8.',
    ),
  },
  expectation_failed: {
    status: 417,
    message: sentence(
      'The Expect header cannot be met.',
      'El servicio no puede cumplir el encabezado Expect.',
    ),
  },
  no_route: {
    status: 422,
    message: sentence(
      'Every candidate quote is older than max_staleness.',
      'Todas las cotizaciones son más antiguas de lo que admite `max_staleness`.',
    ),
  },
  rate_not_published: {
    status: 422,
    message: sentence(
      'The official rate of that day is not stored.',
      'No hay guardada una tasa oficial para ese día.',
    ),
  },
  reference_unavailable: {
    status: 422,
    message: sentence('There is no valid official rate.', 'No hay una tasa oficial válida.'),
  },
  compared_unavailable: {
    status: 422,
    message: sentence(
      'The compared market has no quote.',
      'El mercado comparado no tiene cotización.',
    ),
  },
  rate_limit_exceeded: {
    status: 429,
    message: sentence(
      'Too many requests. Wait and try again.',
      'Demasiadas consultas. Espere e inténtelo de nuevo.',
    ),
  },
  quota_exceeded: {
    status: 429,
    message: sentence(
      'The units of this month are used up.',
      'Se agotaron las unidades de este mes.',
    ),
  },
  headers_too_large: {
    status: 431,
    message: sentence('The headers are too large.', 'Los encabezados son demasiado grandes.'),
  },
  internal_error: {
    status: 500,
    message: sentence('Something went wrong on our side.', 'Algo falló de nuestro lado.'),
  },
  service_unavailable: {
    status: 503,
    message: sentence(
      'Not available right now. Try again shortly.',
      'No disponible por ahora. Inténtelo de nuevo en un momento.',
    ),
  },
} as const satisfies Record<string, { status: number; message: Sentence }>;
