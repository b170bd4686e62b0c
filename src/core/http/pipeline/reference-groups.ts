import { type Sentence, sentence } from '../../domain/errors/sentence.ts';

interface Group {
  /** Its heading in Spanish; in English it is the name of the group. */
  readonly nameEs: string;
  readonly about: Sentence;
}

/** The groups of the reference, each with a page, in the order of the menu. */
export const REFERENCE_GROUPS = {
  Rates: {
    nameEs: 'Tasas',
    about: sentence(
      'Quotes, their history and the catalogue of markets.',
      'Cotizaciones, su historial y el catálogo de mercados.',
    ),
  },
  Conversion: {
    nameEs: 'Conversión',
    about: sentence(
      'Amounts from one currency to another. They are calculations, not offers.',
      'Montos de una moneda a otra. Son cálculos, no ofertas.',
    ),
  },
  Analysis: {
    nameEs: 'Análisis',
    about: sentence(
      'Figures calculated from several markets.',
      'Cifras calculadas con varios mercados.',
    ),
  },
  'Central bank': {
    nameEs: 'Banco Central',
    about: sentence(
      'What the Banco Central de Venezuela publishes.',
      'Lo que publica el Banco Central de Venezuela.',
    ),
  },
  Account: {
    nameEs: 'Cuenta',
    about: sentence(
      'Your plan, usage, keys and markup rules. These requests cost nothing.',
      'Su plan, su consumo, sus claves y sus márgenes. Estas consultas no cuestan nada.',
    ),
  },
  Webhooks: {
    nameEs: 'Webhooks',
    about: sentence(
      'Messages to a program of yours when something happens. These requests cost nothing.',
      'Mensajes a un programa suyo cuando ocurre algo. Estas consultas no cuestan nada.',
    ),
  },
  Operator: {
    nameEs: 'Operador',
    about: sentence(
      'For the operator of the service, with the admin token.',
      'Para el operador del servicio, con el token de administración.',
    ),
  },
  Status: {
    nameEs: 'Estado',
    about: sentence(
      'State of the service. It needs no key.',
      'Estado del servicio. No necesita clave.',
    ),
  },
} as const satisfies Readonly<Record<string, Group>>;

/** Name of a group, in English. */
export type ReferenceGroup = keyof typeof REFERENCE_GROUPS;

export function groupName(group: ReferenceGroup): Sentence {
  return sentence(group, REFERENCE_GROUPS[group].nameEs);
}
