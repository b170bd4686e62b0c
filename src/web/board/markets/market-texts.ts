import { inBoth } from '../../frame/language.ts';

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

export const MARKET_TEXTS = inBoth({
  es: {
    heading: 'Mercados',
    columns: {
      market: 'Mercado',
      rate: 'Tasa',
      buy: 'Usted compra a',
      sell: 'Usted vende a',
      premium: 'Brecha',
      age: 'Actualizada',
    },
    kinds: 'Mostrar',
    kindNames: {
      all: 'Todos',
      reference: 'BCV',
      parallel: 'Paralelo',
      p2p: 'P2P',
      remittance: 'Remesas',
      exchange_house: 'Casas de cambio',
      cash: 'Efectivo',
    } as Readonly<Record<string, string>>,
    allPer: 'Bolívares por unidad de la divisa. La brecha se calcula sobre el dólar BCV.',
    openRows: 'Toque una fila para ver de dónde sale su cifra.',
    origin: 'Origen',
    /** On the button that opens a row. */
    originOf: (name: string) => `De dónde sale la cifra: ${name}`,
    missing: 'sin cifra reciente',
    missingAbout: 'Su última cifra es demasiado antigua, o su fuente no la trae',
    inDoubt: 'sin confirmar',
    inDoubtAbout: 'Saltó, y solo la repetición de su fuente la confirma',
    newerHeld: 'Última lectura retenida',
    source: 'Fuente',
    observed: 'Leída',
    confirmed: 'Confirmaciones',
    /** `percent`: by how much they may differ at most. */
    sources: (count: number, percent: number) =>
      count === 1
        ? 'Ninguna otra fuente independiente la confirma'
        : `${count} fuentes independientes coinciden (diferencia máxima: ${percent} %)`,
    later: 'Lecturas posteriores',
    held: (time: string, why: string | undefined) =>
      `La lectura del ${time} está retenida${because(why)}`,
    notHeld: 'Ninguna retenida',
    sides: 'Compra y venta',
    history: 'Ver su historial',
  },
  en: {
    heading: 'Markets',
    columns: {
      market: 'Market',
      rate: 'Rate',
      buy: 'You buy at',
      sell: 'You sell at',
      premium: 'Premium',
      age: 'Updated',
    },
    kinds: 'Show',
    kindNames: {
      all: 'All',
      reference: 'BCV',
      parallel: 'Parallel',
      p2p: 'P2P',
      remittance: 'Remittances',
      exchange_house: 'Exchange houses',
      cash: 'Cash',
    },
    allPer: 'Bolívares per unit of the currency. The premium is over the BCV dollar.',
    openRows: 'Press a row to see where its figure is from.',
    origin: 'Origin',
    originOf: (name) => `Where the figure is from: ${name}`,
    missing: 'no recent figure',
    missingAbout: 'Its last figure is too old, or its source gives none',
    inDoubt: 'unconfirmed',
    inDoubtAbout: 'It jumped, and only the repetition of its source confirms it',
    newerHeld: 'Latest reading held',
    source: 'Source',
    observed: 'Read',
    confirmed: 'Confirmations',
    sources: (count, percent) =>
      count === 1
        ? 'No other independent source confirms it'
        : `${count} independent sources agree (within ${percent}%)`,
    later: 'Later readings',
    held: (time, why) => `The reading of ${time} is held${because(why)}`,
    notHeld: 'None is held',
    sides: 'Buying and selling',
    history: 'See its history',
  },
});
