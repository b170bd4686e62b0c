/** What the guides for those who come from another service say alike. */
export const SWITCHING_ES = {
  here: 'En este servicio',
  off: '**Estas direcciones están apagadas aquí.** El operador las enciende con `VESFX_COMPAT={service}`.',
  key: '**Estas direcciones están encendidas aquí, y piden una clave.**',
  open: '**Estas direcciones están encendidas aquí, y no piden clave**: sin ella usted recibe los mercados del plan más económico, hasta 60 veces por minuto desde una dirección IP; con ella, los de su plan.',
  costs:
    'Cada respuesta con clave cuesta una unidad de su [plan](/docs/reference/errors#plans), como en toda la API.',
  p2p: 'Las fuentes P2P están apagadas hasta que el operador las enciende: sin ellas no hay cotización que responder.',
  keyTitle: 'La clave',
  getKey:
    'Créela en la consola, en [Claves](/console#claves), con el botón *Crear clave*, o con la clave secreta que ya tiene. Con el permiso `rates` lee tasas{series}. Para páginas web ponga sus `origins` en lugar de `allow_no_origin` ([más sobre claves publicables](/docs/public-keys)).',
  series: '; las series piden `history`',
  lineTitle: 'La línea que cambia',
  line: 'La dirección base lleva la clave, así que el programa no necesita un encabezado. Uno que sí los envía puede usar `{url}` y `X-API-Key` o `Authorization: Bearer`; ahí también sirve una clave secreta. Nunca ponga una secreta en una dirección.',
};

export type SwitchingTexts = typeof SWITCHING_ES;
