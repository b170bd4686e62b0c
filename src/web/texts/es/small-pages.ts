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

export const COPY_ES = {
  title: 'Tasas del bolívar venezolano: copia en archivos',
  lead: 'Una copia de vesfx que cualquier servidor web puede entregar. Los archivos cambian cuando cambian las tasas.',
  index: 'todos los archivos, con su tamaño y su SHA-256',
  latest: 'las tasas de ahora, el índice y las oficiales',
  official: 'las tasas oficiales que rigen, las anteriores y las siguientes',
  day: 'las tasas oficiales que rigen un día en Caracas, también los sábados, domingos y feriados',
  officialYears: 'Tasas oficiales de cada día, por año',
  markets: 'Último dato de cada día (UTC), por mercado y año',
  terms: 'Fuente y condiciones',
};
