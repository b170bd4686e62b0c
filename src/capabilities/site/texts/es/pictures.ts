export const PICTURE_ES = {
  since: 'Rige desde',
  from: 'Desde el',
  on: 'Tasa del',
  read: 'Leída (hora de Caracas)',
  rate: 'Tasa',
  source: 'Mercado',
  none: 'Sin cifras',
  stale: 'Desactualizada: no cobre con ella',
  maybeNewer: 'Puede haber una tasa más nueva',
  demo: 'Demostración: no son las tasas de hoy',
  /** Name and content of each part of the site. */
  parts: {
    board: ['Tasas del bolívar', 'BCV, paralelo y P2P, con su fecha y su fuente'],
    console: ['Consola', 'Su plan, sus claves y su consumo'],
    docs: ['Documentación', 'Las tasas del bolívar en su programa'],
    methodology: ['Metodología', 'Cómo se calcula cada cifra'],
    status: ['Estado del servicio', '¿Las tasas están al día?'],
  } satisfies Readonly<Record<string, readonly [name: string, about: string]>>,
};
