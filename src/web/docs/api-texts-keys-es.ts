/** The reference's texts about keys in Spanish; see `api-texts-es.ts`. */
export const SPANISH_KEY_TEXTS: Readonly<Record<string, string>> = {
  'A restricted key needs the scope `rates`.': 'Una clave restringida necesita el permiso `rates`.',
  'A restricted key needs the scope `history`.':
    'Una clave restringida necesita el permiso `history`.',
  'A restricted key needs the scope `official`.':
    'Una clave restringida necesita el permiso `official`.',
  'A restricted key needs the scope `account.read`.':
    'Una clave restringida necesita el permiso `account.read`.',
  'A restricted key needs the scope `account.write`.':
    'Una clave restringida necesita el permiso `account.write`.',
  'A publishable key, vfx_pub_…, where no header can be sent.':
    'Una clave publicable, vfx_pub_…, donde no se puede enviar una cabecera.',

  // Calculator
  'Calculate by every open market': 'Calcular por cada mercado abierto',
  'An amount in VES, or from VES, by each market of the cheapest plan. From USD the official rate of the euro is among the rows, with `base` and without a result. 60 requests a minute from one address; pages of any origin may read it.':
    'Un monto en VES, o desde VES, por cada mercado del plan más económico. Desde USD también está la tasa oficial del euro, con `base` y sin resultado. 60 consultas por minuto desde una dirección; pueden leerlo páginas de cualquier origen.',
  'Needs no key. Costs nothing.': 'No necesita clave. No cuesta nada.',
  'A hundred dollars on every open market': 'Cien dólares en cada mercado abierto',
  'Only where it is not the currency asked for.': 'Solo donde no es la moneda consultada.',
  'The amount in the other currency, with 2 decimals.':
    'El monto en la otra moneda, con 2 decimales.',

  // Keys of an account
  'Your keys': 'Sus claves',
  'Keys without their secrets: live ones first, at most 100 at once. Keys that ended are shown for 30 days.':
    'Las claves sin su secreto: primero las vivas, 100 a la vez como máximo. Las que terminaron se muestran por 30 días.',
  '`next` of the answer before, for the next page.':
    '`next` de la respuesta anterior, para la página siguiente.',
  'Where the next page begins; null on the last page.':
    'Dónde empieza la página siguiente; null en la última.',
  'A full key and one for a page': 'Una clave completa y una para una página',
  'Create an API key': 'Crear una clave',
  'The answer is the only place that ever shows the key. A key makes none that may do more, or lasts longer, than itself. Publishable keys count apart from the others. An account makes at most 200 keys a day (UTC).':
    'La respuesta es el único lugar que muestra la clave. Ninguna clave crea otra que pueda más o dure más que ella. Las publicables se cuentan aparte de las demás. Una cuenta crea 200 claves al día (UTC) como máximo.',
  'A key for the pages of a shop': 'Una clave para las páginas de una tienda',
  'Change an API key': 'Cambiar una clave',
  'What the body does not name stays. `null` takes a label or an end away. The kind of a key never changes.':
    'Lo que el cuerpo no nombra queda igual. `null` quita un nombre o un vencimiento. El tipo de una clave nunca cambia.',
  'Id of a key of yours.': 'Id de una clave suya.',
  'One more origin': 'Un origen más',
  'Revoke an API key': 'Revocar una clave',
  'The key is refused from the answer on, and within 5 s by every process.':
    'La clave se rechaza desde la respuesta, y en 5 s en todos los procesos.',
  'One of full, restricted, publishable.':
    'full (completa), restricted (restringida) o publishable (publicable).',
  'What its account calls it; null without a name.':
    'El nombre que le da su cuenta; null si no tiene.',
  'What the key is good for.': 'Para qué sirve la clave.',
  'Origins whose pages may use a publishable key.':
    'Orígenes cuyas páginas pueden usar una clave publicable.',
  'Whether requests without an Origin may use a publishable key.':
    'Si las consultas sin Origin pueden usar una clave publicable.',
  'Of a publishable key: requests that a minute admits.':
    'De una clave publicable: consultas que admite un minuto.',
  'Live publishable keys at most.': 'Máximo de claves publicables vivas.',
  'Of a restricted key: some of rates, history, official, stream, mcp, account.read, account.write. Of a publishable key: some of rates, history, official, stream; all of these when absent. A full key has every scope.':
    'De una clave restringida: algunos de rates, history, official, stream, mcp, account.read, account.write. De una publicable: algunos de rates, history, official, stream; todos ellos si falta. Una clave completa los tiene todos.',
  'Of a publishable key: at most 10 exact origins whose pages may use it.':
    'De una clave publicable: 10 orígenes exactos como máximo, cuyas páginas pueden usarla.',
  'Of a publishable key: whether requests without an Origin may use it, as those of spreadsheets.':
    'De una clave publicable: si pueden usarla las consultas sin Origin, como las de las hojas de cálculo.',
  'Of a publishable key: from 1 to 60, which is what it has when absent.':
    'De una clave publicable: de 1 a 60, que es lo que tiene si falta.',
  'Your name for it, at most 100 characters.':
    'El nombre que usted le da, de 100 caracteres como máximo.',
  'When it ends, at most two years away: a time in ISO 8601 with its zone.':
    'Cuándo vence, a dos años como máximo: una hora en ISO 8601 con su zona.',
};
