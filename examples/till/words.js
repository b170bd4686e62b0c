// What the page says, by the language of the browser.

const day = (text, locale) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(text));

const moment = (instant, locale) =>
  new Intl.DateTimeFormat(locale, {
    ...{ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZone: 'America/Caracas' },
  }).format(instant);

const money = (cents, locale) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(cents / 100);

const es = {
  title: 'Caja',
  settings: 'Servicio y clave',
  url: 'Dirección del servicio',
  key: 'Clave publicable',
  save: 'Guardar',
  total: 'Precio en dólares',
  usd: 'Paga en dólares (efectivo)',
  bs: 'Paga en bolívares',
  inCash: 'Los bolívares son efectivo',
  usdChange: 'El vuelto, primero en dólares',
  fresh: 'Venta nueva',
  badAmount: 'Escriba los montos así: 12,50',
  inForce: (date) => `Fecha valor: ${date}`,
  next: (rate, date) => `Próxima: Bs. ${rate}, desde el ${date}`,
  noNext: 'La próxima tasa todavía no se ha publicado.',
  read: (time) => `Leída el ${time} (hora de Caracas).`,
  held: (rate, date) =>
    `El BCV muestra Bs. ${rate} para el ${date}, pero no está confirmada: la caja no la usa.`,
  states: {
    current: () => 'La tasa que rige.',
    unpublished: ({ expected, valueDate }) =>
      `Tasa anterior. La del ${expected} no estaba publicada en la última lectura: se sigue con la del ${valueDate}.`,
    in_doubt: () => 'Tasa en duda: otra fuente muestra otra cifra. Llame al supervisor.',
    clock: () => 'Revise la fecha y la hora de esta caja: no coinciden con las del servicio.',
    stale: () => 'Tasa desactualizada: no cobre en bolívares con ella.',
    none: () => 'Todavía no hay tasa: cobre en dólares.',
  },
  trouble: {
    network_error: 'Sin conexión con el servicio.',
    timeout: 'El servicio tarda en responder.',
    invalid_api_key: 'El servicio no acepta la clave.',
    origin_not_allowed: 'La clave no es para la dirección de esta página.',
    other: (code) => `El servicio respondió con un error (${code}).`,
  },
  notSaved: 'La caja no pudo guardar la tasa: si se reinicia, la olvida.',
  price: (bs) => `Total: Bs. ${bs}`,
  owes: ({ bs, usd }) => `Falta: Bs. ${bs}, o $ ${usd}`,
  change: ({ bs, usd }) => `Vuelto: $ ${usd} y Bs. ${bs}`,
  paid: 'Pagado.',
  rounding: (bs) => `El redondeo a billetes es de Bs. ${bs}, a favor del cliente.`,
  keeps: (rate, date) => `Esta venta se queda con Bs. ${rate}, fecha valor ${date}.`,
};

const en = {
  title: 'Till',
  settings: 'Service and key',
  url: 'Address of the service',
  key: 'Publishable key',
  save: 'Save',
  total: 'Price in dollars',
  usd: 'Pays in dollars (cash)',
  bs: 'Pays in bolívares',
  inCash: 'The bolívares are cash',
  usdChange: 'Change first in dollars',
  fresh: 'New sale',
  badAmount: 'Write amounts like this: 12.50',
  inForce: (date) => `Value date: ${date}`,
  next: (rate, date) => `Next: Bs. ${rate}, from ${date}`,
  noNext: 'The next rate is not published yet.',
  read: (time) => `Read on ${time} (Caracas time).`,
  held: (rate, date) =>
    `The BCV shows Bs. ${rate} for ${date}, but nothing confirms it: the till does not use it.`,
  states: {
    current: () => 'Rate in force.',
    unpublished: ({ expected, valueDate }) =>
      `Earlier rate. That of ${expected} was not published at the last reading: the till goes on with that of ${valueDate}.`,
    in_doubt: () => 'Rate in doubt: another source shows another figure. Call the supervisor.',
    clock: () => 'Check the date and time of this till: they differ from those of the service.',
    stale: () => 'Stale rate: do not charge bolívares with it.',
    none: () => 'There is no rate yet: charge in dollars.',
  },
  trouble: {
    network_error: 'No connection to the service.',
    timeout: 'The service takes too long to answer.',
    invalid_api_key: 'The service does not accept the key.',
    origin_not_allowed: 'The key is not for the address of this page.',
    other: (code) => `The service answered with an error (${code}).`,
  },
  notSaved: 'The till could not keep the rate: a restart forgets it.',
  price: (bs) => `Total: Bs. ${bs}`,
  owes: ({ bs, usd }) => `Missing: Bs. ${bs}, or $ ${usd}`,
  change: ({ bs, usd }) => `Change: $ ${usd} and Bs. ${bs}`,
  paid: 'Paid.',
  rounding: (bs) => `The rounding to bills is Bs. ${bs}, in the customer's favour.`,
  keeps: (rate, date) => `This sale keeps Bs. ${rate}, value date ${date}.`,
};

/** The words and the formats of a language. */
export function wordsFor(language) {
  const [words, locale] = language.startsWith('en') ? [en, 'en-US'] : [es, 'es-VE'];
  return {
    ...words,
    locale,
    day: (text) => day(text, locale),
    moment: (instant) => moment(instant, locale),
    money: (cents) => money(cents, locale),
    // All its digits: a rate is not rounded.
    rate: (text) => (locale === 'es-VE' ? text.replace('.', ',') : text),
  };
}
