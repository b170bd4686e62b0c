/** The spelling of the services after which sources of the catalogue are named. */
const SERVICE_NAMES: Readonly<Record<string, string>> = {
  'bcv-today': 'BCV Today',
  binance: 'Binance',
  bybit: 'Bybit',
  criptoya: 'CriptoYa',
  dolarapi: 'DolarApi',
  'dolarapi-official': 'DolarApi',
  okx: 'OKX',
  yadio: 'Yadio',
};

/** The name of a source for readers. A source that an operator added keeps its own name. */
export function sourceName(name: string): string {
  return Object.hasOwn(SERVICE_NAMES, name) ? (SERVICE_NAMES[name] ?? name) : name;
}
