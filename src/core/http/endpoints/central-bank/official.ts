import { z } from 'zod';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../../domain/bcv.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { codesOfRecords } from '../../../domain/judgement/rules.ts';
import type {
  ChangedRate,
  DoubtfulRate,
  OfficialRate,
  OfficialRates,
} from '../../../domain/official.ts';
import { isoInstant } from '../../../domain/time.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import { day, fetchedAt, rateChange, rateNumber, timestamp } from '../../pipeline/schemas.ts';
import type { Services } from '../../pipeline/services.ts';
import { fieldGroup, flag, oneOf, optional, rowsOf, textList, titled } from '../fields.ts';
import { nothingPublished } from './bcv.ts';

const observedRate = titled('Official rate', {
  rate: rateNumber,
  value_date: field(
    day,
    'The day it takes effect, in Caracas.',
    'El día desde el que rige, en Caracas.',
    'Fecha valor',
  ),
  effective_at: field(
    timestamp,
    'The moment it takes effect: 00:00 in Caracas on its value date.',
    'El momento desde el que rige: las 00:00 en Caracas de su fecha valor.',
    'Rige desde (UTC)',
  ),
});

const changedRate = observedRate
  .extend({ change: rateChange.optional() })
  .meta({ title: 'Official rate with change' });

const currencyRates = titled('Official currency', {
  in_force: optional(
    changedRate,
    'The rate in force now; absent until a rate takes effect.',
    'La tasa que rige; ausente hasta que una empieza a regir.',
    'Vigente',
  ),
  previous: optional(
    observedRate,
    'The rate before the one in force; absent when none is stored.',
    'La tasa anterior a la que rige; ausente si no hay ninguna guardada.',
    'Anterior',
  ),
  next: optional(
    changedRate,
    'The next rate; absent until it is published.',
    'La próxima tasa; ausente hasta que se publica.',
    'Próxima',
  ),
});

export const officialRatesSchema = fieldGroup(
  'The official rates, by currency.',
  'Las tasas oficiales, por moneda.',
  {
    USD: optional(
      currencyRates,
      'US dollar; absent until its first publication.',
      'Dólar estadounidense; ausente hasta su primera publicación.',
    ),
    EUR: optional(
      currencyRates,
      'Euro; absent until its first publication.',
      'Euro; ausente hasta su primera publicación.',
    ),
    CNY: optional(
      currencyRates,
      'Chinese yuan; absent until its first publication.',
      'Yuan chino; ausente hasta su primera publicación.',
    ),
    TRY: optional(
      currencyRates,
      'Turkish lira; absent until its first publication.',
      'Lira turca; ausente hasta su primera publicación.',
    ),
    RUB: optional(
      currencyRates,
      'Russian rouble; absent until its first publication.',
      'Rublo ruso; ausente hasta su primera publicación.',
    ),
  } satisfies Record<PublishedCurrency, z.ZodType>,
);

/** Held publications for value dates that are not in force, and published ones that a witness contradicts. */
export const inDoubtSchema = rowsOf(
  'Rates that are not confirmed: of held publications, for value dates that are not in force, and published ones that a witness contradicts, which are under `rates` too; absent when there is none.',
  'Tasas sin confirmar: de publicaciones retenidas, para fechas valor que aún no rigen, y publicadas que un testigo contradice, que también están en `rates`; ausente cuando no hay ninguna.',
  'Rate in doubt',
  {
    currency: oneOf(PUBLISHED_CURRENCIES, 'The currency.', 'La moneda.'),
    value_date: field(
      day,
      'The day from which it is in force, or would be, in Caracas.',
      'El día desde el que rige o regiría, en Caracas.',
    ),
    rate: rateNumber,
    reasons: textList(
      `Why it is in doubt: one rule of judgement or more, the gravest first, of ${codesOfRecords('publication')}; new ones may appear. The methodology explains each.`,
      `Por qué está en duda: una o más reglas de la revisión, primero la más grave, de ${codesOfRecords('publication')}; puede haber nuevas. La metodología explica cada una.`,
    ),
    since: field(
      timestamp,
      'The first reading in a row that showed it.',
      'La primera lectura seguida que la mostró.',
    ),
  },
);

const nextPublication = titled('Next publication', {
  value_date: field(
    day,
    'The first business day after the newest value date that is stored.',
    'El primer día hábil después de la fecha valor más reciente que está guardada.',
  ),
  expected_from: field(
    timestamp,
    'When the central bank is expected to publish it at the earliest.',
    'Desde cuándo se espera que el Banco Central la publique.',
  ),
  expected_until: field(
    timestamp,
    'When it is expected at the latest.',
    'Hasta cuándo se espera, a más tardar.',
  ),
  overdue: flag('Whether that moment has passed.', 'Si ese momento ya pasó.'),
});

export const officialSchema = z.object({
  rates: officialRatesSchema,
  in_doubt: inDoubtSchema.optional(),
  next_publication: optional(
    nextPublication,
    'The next rate of the dollar that is not stored yet; absent until a first one is.',
    'La próxima tasa del dólar que todavía no está guardada; ausente hasta que haya una primera.',
  ),
  fetched_at: fetchedAt,
});

function rateView({ rate, valueDate, effectiveAt }: OfficialRate) {
  return { rate, value_date: valueDate, effective_at: isoInstant(effectiveAt) };
}

export function changedView({ change, ...observed }: ChangedRate) {
  return { ...rateView(observed), change: change && { ...change } };
}

/** The rates of one currency around today. */
export function currencyView({ inForce, previous, next }: OfficialRates) {
  return {
    in_force: inForce && changedView(inForce),
    previous: previous && rateView(previous),
    next: next && changedView(next),
  };
}

/** Undefined when no rate is in doubt. */
export function inDoubtView(rates: readonly DoubtfulRate[]) {
  if (rates.length === 0) return undefined;
  return rates.map(({ currency, valueDate, rate, reasons, since }) => ({
    ...{ currency, value_date: valueDate, rate },
    reasons: [...reasons],
    since: isoInstant(since),
  }));
}

/** Undefined before the first rate of the dollar. */
function nextPublicationView({ snapshot, now, services: { calendar } }: Parts) {
  if (snapshot.newestValueDate === undefined) return undefined;
  const valueDate = calendar.nextValueDate(snapshot.newestValueDate);
  const { from, until } = calendar.expected(valueDate);
  return {
    value_date: valueDate,
    expected_from: isoInstant(from),
    expected_until: isoInstant(until),
    overdue: now > until,
  };
}

type Parts = Pick<Call, 'snapshot' | 'now'> & { readonly services: Pick<Services, 'calendar'> };

/** The whole answer, also for the static copy. */
export function officialView(parts: Parts) {
  const { snapshot } = parts;
  const views = [...snapshot.official].map(([code, rates]) => [code, currencyView(rates)] as const);
  return {
    rates: Object.fromEntries(views),
    in_doubt: inDoubtView(snapshot.doubtful),
    next_publication: nextPublicationView(parts),
    fetched_at: isoInstant(snapshot.fetchedAt),
  };
}

function exampleRate(value_date: string, rate: number) {
  return { rate, value_date, effective_at: `${value_date}T04:00:00.000Z` };
}

export const listOfficialRates = endpoint({
  path: '/v1/fx/official',
  section: 'contract 21',
  summary: sentence(
    'Official rates: in force, previous and next',
    'Tasas oficiales: la que rige, la anterior y la próxima',
  ),
  description: sentence(
    'Each with its value date and the moment it takes effect. Source: Banco Central de Venezuela.',
    'Cada una con su fecha valor y el momento desde el que rige. Fuente: Banco Central de Venezuela.',
  ),
  operation: {
    id: 'listOfficialRates',
    tag: 'Central bank',
    schema: 'OfficialRates',
    answers: oneExample(
      'The rates in force, and the next ones once they are published',
      'Las tasas que rigen, y las siguientes una vez publicadas',
      {
        rates: {
          USD: {
            in_force: {
              ...exampleRate('2026-11-20', 771.0714),
              change: { amount: 4.2111, percent: 0.5491 },
            },
            previous: exampleRate('2026-11-19', 766.8603),
            next: {
              ...exampleRate('2026-11-24', 772.5441),
              change: { amount: 1.4727, percent: 0.191 },
            },
          },
        },
        next_publication: {
          value_date: '2026-11-25',
          expected_from: '2026-11-24T18:30:00.000Z',
          expected_until: '2026-11-24T23:30:00.000Z',
          overdue: false,
        },
        fetched_at: FIGURES.fetchedAt,
      },
    ),
  },
  scope: 'official',
  answer: officialSchema,
  encoding: {
    root: 'official',
    toRows: ({ rates, fetched_at }: z.output<typeof officialSchema>) =>
      Object.entries(rates).map(([currency, row]) => ({ currency, ...row, fetched_at })),
    rowSchema: z.object({
      currency: z.string().meta({ header: 'Moneda' }),
      ...currencyRates.shape,
      next: currencyRates.shape.next
        .unwrap()
        .extend({
          value_date: day.meta({ header: 'Próxima fecha valor' }),
        })
        .meta({ header: 'Próxima' }),
      fetched_at: fetchedAt,
    }),
  },
  errors: ['bcv_snapshot_unavailable'],
  maxAgeSec: 60,
  lastModified(answer, { snapshot }) {
    const { overdue, expected_until: until } = answer.next_publication ?? {};
    return Math.max(snapshot.changedAt, overdue && until ? Date.parse(until) : 0);
  },
  memo: (_input, _market, call) => `${nextPublicationView(call)?.overdue}`,
  handle(call) {
    if (call.snapshot.official.size === 0) {
      throw nothingPublished(
        sentence(
          'No official rate is stored yet.',
          'Todavía no hay guardada ninguna tasa oficial.',
        ),
      );
    }
    return officialView(call);
  },
});
