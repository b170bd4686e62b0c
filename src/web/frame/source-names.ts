/** Services as they write their own names; sources of the catalogue are named after them. */
const SERVICE_NAMES: Readonly<Record<string, string>> = {
  binance: 'Binance',
  bybit: 'Bybit',
  criptoya: 'CriptoYa',
  dolarapi: 'DolarApi',
  okx: 'OKX',
  yadio: 'Yadio',
};

/** A source as readers know it; one that an operator has added goes by the name it was given. */
export function sourceName(name: string): string {
  return Object.hasOwn(SERVICE_NAMES, name) ? (SERVICE_NAMES[name] ?? name) : name;
}
