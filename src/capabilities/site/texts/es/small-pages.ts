export const HOME_ES = {
  title: 'vesfx: tasas del bolívar',
  description: 'Tasas de cambio del bolívar venezolano por HTTP.',
  heading: 'Tasas del bolívar venezolano',
  lead: 'vesfx informa por HTTP cuántos bolívares (VES) vale un dólar o un euro: según el Banco Central, el paralelo, el P2P, las remesas, las casas de cambio y el efectivo.',
  more: 'Convierte montos, compara mercados, guarda el historial y calcula un promedio ponderado. Los resultados son informativos: el servicio no hace pagos ni cambia divisas.',
  ask: 'Haga una consulta',
  key: 'Pida la clave al operador de este servicio.',
  readOn: 'Más información',
  reference: 'Documentación',
  referenceAbout: 'Guías, recetas y cada endpoint con sus parámetros, respuestas y errores.',
  methodology: 'Metodología',
  methodologyAbout: 'Cómo se calcula cada cifra, sobre todo el índice.',
  openApiAbout: 'La referencia de la API, para programas.',
};

export const MISSING_ES = {
  title: 'Esta página no existe',
  near: '¿Buscaba esta?',
  advice: 'Revise la dirección, o siga desde aquí:',
  board: ['Tasas', 'Las de hoy y de otros días, con un conversor.'],
  docs: ['Documentación', 'La API, sus guías y sus recetas.'],
  status: ['Estado', 'Vea si las tasas están al día.'],
};
