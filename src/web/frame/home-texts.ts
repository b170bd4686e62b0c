import { inBoth } from './language.ts';

export const HOME_TEXTS = inBoth({
  es: {
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
  },
  en: {
    title: 'vesfx: Venezuelan bolívar exchange rates',
    description: 'Exchange rates of the Venezuelan bolívar over HTTP.',
    heading: 'Venezuelan bolívar exchange rates',
    lead: 'vesfx tells over HTTP how many bolívares (VES) a dollar or a euro is worth: at the central bank, on the parallel market, in P2P trades, remittances, exchange houses and cash.',
    more: 'It converts amounts, compares markets, keeps history, and computes a weighted average. Results are for information: the service makes no payments and exchanges no currency.',
    ask: 'Make a request',
    key: 'Ask the operator of this service for a key.',
    readOn: 'Read more',
    reference: 'Documentation',
    referenceAbout: 'Guides, recipes, and every endpoint with its parameters, answers and errors.',
    methodology: 'Methodology',
    methodologyAbout: 'How each figure is calculated, above all the index.',
    openApiAbout: 'The reference of the API, for programs.',
  },
});
