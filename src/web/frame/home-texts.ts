import type { Texts } from './language.ts';

interface HomeTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  readonly more: string;
  readonly ask: string;
  readonly key: string;
  readonly readOn: string;
  readonly reference: string;
  readonly referenceAbout: string;
  readonly methodology: string;
  readonly methodologyAbout: string;
  readonly openApiAbout: string;
}

export const HOME_TEXTS: Texts<HomeTexts> = {
  es: {
    title: 'vesfx: tasas del bolívar',
    description: 'Tasas de cambio del bolívar venezolano por HTTP.',
    heading: 'Tasas del bolívar venezolano',
    lead: 'vesfx responde por HTTP cuánto vale un dólar o un euro en bolívares (VES): en el Banco Central, en el mercado libre, entre personas, en remesas, casas de cambio y efectivo.',
    more: 'Convierte montos, compara mercados, guarda el historial y calcula un índice ponderado. Los resultados son informativos: el servicio no ejecuta pagos ni cambios de divisas.',
    ask: 'Pregúntele',
    key: 'El operador de este servicio le da la clave.',
    readOn: 'Siga leyendo',
    reference: 'Referencia de la API',
    referenceAbout: 'Cada endpoint con sus parámetros, respuestas y errores.',
    methodology: 'Metodología',
    methodologyAbout: 'Cómo se calcula cada cifra, sobre todo el índice.',
    openApiAbout: 'La misma referencia, para programas.',
  },
  en: {
    title: 'vesfx: Venezuelan bolívar exchange rates',
    description: 'Exchange rates of the Venezuelan bolivar over HTTP.',
    heading: 'Venezuelan bolívar exchange rates',
    lead: 'vesfx answers over HTTP what a dollar or a euro is worth in bolívares (VES): at the central bank, on the free market, between people, in remittances, exchange houses and cash.',
    more: 'It converts amounts, compares markets, keeps history, and computes a weighted index. Every answer is for your information: nothing is bought, sold or sent.',
    ask: 'Ask it',
    key: 'The operator of this service gives you a key.',
    readOn: 'Read on',
    reference: 'API reference',
    referenceAbout: 'Every endpoint with its parameters, answers and errors.',
    methodology: 'Methodology',
    methodologyAbout: 'How each figure is made, above all the index.',
    openApiAbout: 'The same reference for programs.',
  },
};
