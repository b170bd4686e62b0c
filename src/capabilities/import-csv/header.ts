import { type Market, type Markets, OFFICIAL_USD } from '../../core/domain/markets.ts';
import {
  type Named,
  namedIn,
  officialCurrencyOf,
  type Subject,
  subjectName,
  wordsOf,
} from './names.ts';

/** What a column that has no figures of its own name is. */
export const ROLES = {
  day: ['fecha', 'date', 'dia', 'day'],
  value_date: ['value date', 'fecha valor', 'fecha de valor'],
  market: ['mercado', 'market'],
  currency: ['moneda', 'currency', 'divisa', 'codigo', 'codigo moneda', 'currency code'],
  rate: [
    ...['tasa', 'rate', 'precio', 'price', 'mid', 'valor', 'value', 'cotizacion', 'bs'],
    ...['ultimo', 'last', 'cierre', 'close', 'tasa de cambio', 'tipo de cambio', 'exchange rate'],
  ],
  ask: ['ask', 'venta', 'sell'],
  bid: ['bid', 'compra', 'buy'],
  updated_at: ['updated at'],
  captured_at: ['captured at'],
  unit_since: ['unit since'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Role = keyof typeof ROLES;

const ROLE_OF = new Map<string, Role>();
for (const role of Object.keys(ROLES) as Role[]) {
  for (const name of ROLES[role]) ROLE_OF.set(name, role);
}

/** What the columns of a table are. */
export interface Columns {
  readonly names: readonly string[];
  /** The column of each role. */
  readonly at: Readonly<Partial<Record<Role, number>>>;
  /** Columns whose name says whose figures they have. */
  readonly figures: readonly { readonly column: number; readonly subject: Subject }[];
  /** Whose figures the rows have, when the table has no column that says it. */
  readonly ofAll: Subject | undefined;
  /** What `--as` says for a table whose rows say the currency: those of that market. */
  readonly ofMarket: Market | undefined;
  /** Whether this product wrote the file: its dialect is known then. */
  readonly isOurs: boolean;
}

/** Whose figures a table has where it does not say: official rates, or those of a market. */
export type As = 'official' | Market | undefined;

/** Whether a row may be a header: it says a day, and a figure or whose. */
export function isHeader(cells: readonly string[], markets: Pick<Markets, 'find'>): boolean {
  const roles = cells.map((cell) => ROLE_OF.get(wordsOf(cell)));
  const hasDay = roles.some((role) => role === 'day' || role === 'value_date');
  const hasFigure = cells.some(
    (cell, column) => roles[column] === 'rate' || roles[column] === 'ask' || namedBy(cell, markets),
  );
  return hasDay && hasFigure;
}

function namedBy(cell: string, markets: Pick<Markets, 'find'>): Named | undefined {
  return ROLE_OF.has(wordsOf(cell)) ? undefined : namedIn(cell, markets);
}

/** The columns of a header, or the reason why it cannot be read. */
export function tableColumns(
  names: readonly string[],
  as: As,
  markets: Pick<Markets, 'find'>,
): Columns | string {
  const at: Partial<Record<Role, number>> = {};
  const named: { column: number; named: Named }[] = [];
  for (const [column, name] of names.entries()) {
    const role = ROLE_OF.get(wordsOf(name));
    if (role === undefined) {
      const found = namedIn(name, markets);
      if (found !== undefined) named.push({ column, named: found });
      continue;
    }
    const other = at[role];
    if (other !== undefined) return `${names[other]} and ${name} both can be the ${wordOf(role)}`;
    at[role] = column;
  }
  const { rate, ask, bid, market, currency } = at;
  const isOurs = at.unit_since !== undefined;
  const all = { names, at, isOurs, ofAll: undefined, ofMarket: undefined, figures: [] };
  const hasRates = rate !== undefined || (ask !== undefined && bid !== undefined);
  if (!hasRates) {
    if (named.length === 0) return 'has no column of figures, such as tasa or usd';
    if (market !== undefined || currency !== undefined) {
      return 'says the market or currency of a row, and has no column tasa (rate)';
    }
    const figures = subjectsOf(named, as, names);
    return typeof figures === 'string' ? figures : { ...all, figures };
  }
  // Our own copies have figures of other days beside the rate.
  const [figure] = isOurs ? [] : named;
  if (figure !== undefined) {
    const column = rate ?? ask ?? 0;
    return `${names[column]} and ${names[figure.column]} both can be the figure: leave one out`;
  }
  if (market !== undefined) {
    return as === undefined ? all : 'says the market of each row: leave out --as';
  }
  if (currency !== undefined) {
    return { ...all, ofMarket: as === 'official' ? undefined : as };
  }
  if (as === undefined) {
    return 'does not say whose rates they are: add --as official, or --as and a market';
  }
  return { ...all, ofAll: as === 'official' ? officialDollar(markets) : { market: as } };
}

function wordOf(role: Role): string {
  return role.replace('_', ' ');
}

function officialDollar(markets: Pick<Markets, 'find'>): Subject {
  const market = markets.find(OFFICIAL_USD);
  return market === undefined ? { currency: 'USD' } : { market };
}

type Figures = Columns['figures'];

/** The columns that say whose figures they have, or the reason why they cannot be read. */
function subjectsOf(
  named: readonly { readonly column: number; readonly named: Named }[],
  as: As,
  names: readonly string[],
): Figures | string {
  const figures = new Map<string, Figures[number]>();
  for (const { column, named: said } of named) {
    const isSaid = said.isOfficialRate === true || officialCurrencyOf(said.subject) === undefined;
    const isOther = as !== undefined && as !== 'official' && !isSaid;
    if (isOther && said.currency !== as.base) {
      return `has a column of ${said.currency}, and ${as.id} is a market of ${as.base}`;
    }
    const subject = isOther ? { market: as } : said.subject;
    const other = figures.get(subjectName(subject));
    if (other !== undefined) {
      return `${names[other.column]} and ${names[column]} both have figures of ${subjectName(subject)}`;
    }
    figures.set(subjectName(subject), { column, subject });
  }
  return [...figures.values()];
}
