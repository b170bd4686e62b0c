/** The words of the page. */
export const COPY_TEXTS = {
  es: {
    title: 'Tasas del bolívar venezolano: copia en archivos',
    lead: 'Una copia de vesfx que cualquier servidor web puede entregar. Los archivos cambian cuando cambian las tasas.',
    index: 'todos los archivos, con su tamaño y su SHA-256',
    latest: 'las tasas de ahora, el índice y las oficiales',
    official: 'las tasas oficiales que rigen, las anteriores y las siguientes',
    day: 'las tasas oficiales que rigen un día en Caracas, también los sábados, domingos y feriados',
    officialYears: 'Tasas oficiales de cada día, por año',
    markets: 'Último dato de cada día (UTC), por mercado y año',
    terms: 'Fuente y condiciones',
  },
  en: {
    title: 'Rates of the Venezuelan bolívar: a copy in files',
    lead: 'A copy of vesfx that any web server can deliver. The files change when the rates change.',
    index: 'all files, with their sizes and SHA-256',
    latest: 'the rates of now, the index and the official rates',
    official: 'the official rates in force, those before and the next ones',
    day: 'the official rates in force on a day in Caracas, also at weekends and on holidays',
    officialYears: 'Official rates of each day, by year',
    markets: 'Last capture of each day (UTC), by market and year',
    terms: 'Source and terms',
  },
};
