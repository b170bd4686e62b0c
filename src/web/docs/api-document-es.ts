import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import type { ApiDocument } from './api-document.ts';
import { SPANISH_FIELDS } from './api-fields-es.ts';
import { SPANISH_ERRORS, SPANISH_TEXTS } from './api-texts-es.ts';

/** Keys whose texts are for readers; all else of the document is for programs. */
const READ_KEYS = new Set(['description', 'summary', 'message', 'title', 'name', 'tags']);

/** Texts that have something of the catalogue in them. */
const PATTERNS: readonly (readonly [RegExp, (...parts: readonly string[]) => string])[] = [
  [
    /^Format of the answer, json when absent; lower case only\. (.*)\.$/,
    (list = '') =>
      `Formato de la respuesta, json si falta; solo en minúsculas. ${list.replaceAll(' from ', ' desde ')}.`,
  ],
  [
    /^(From (\S+)|Every plan|Needs the admin token|Needs no key)\. (.*)$/,
    (access = '', plan = '', cost = '') => {
      const accesses: Readonly<Record<string, string>> = {
        'Every plan': 'Todos los planes',
        'Needs the admin token': 'Necesita el token de administración',
        'Needs no key': 'No necesita clave',
      };
      const price =
        cost === 'Costs nothing.' ? 'No cuesta nada.' : 'Cada respuesta cuesta 1 unidad.';
      return `${accesses[access] ?? `Desde ${plan}`}. ${price}`;
    },
  ],
];

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

const ERROR_BY_MESSAGE = new Map(
  Object.entries(ERRORS).flatMap(([code, { message }]): [string, string][] =>
    isErrorCode(code) ? [[message, SPANISH_ERRORS[code]]] : [],
  ),
);

/** A paragraph in Spanish; undefined when nobody wrote one. */
export function inSpanish(text: string): string | undefined {
  const known = SPANISH_TEXTS[text] ?? SPANISH_FIELDS[text] ?? ERROR_BY_MESSAGE.get(text);
  if (known !== undefined) return known;
  const [, code = '', message = ''] = /^`(\w+)`: (.*)$/.exec(text) ?? [];
  if (isErrorCode(code) && message !== '') return `\`${code}\`: ${SPANISH_ERRORS[code]}`;
  for (const [pattern, write] of PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null) return write(...match.slice(1).map((part) => part ?? ''));
  }
  return undefined;
}

/** Paragraph by paragraph; one that has no Spanish stays as it is. */
function translated(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => inSpanish(paragraph) ?? paragraph)
    .join('\n\n');
}

/** The values of examples are answers as they come, so they stay as they are. */
function inner(value: unknown, key: string): unknown {
  if (typeof value === 'string') return READ_KEYS.has(key) ? translated(value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => inner(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'value' && key !== 'properties' ? one : inner(one, name),
    ]),
  );
}

/** The same document for readers of Spanish: only texts are replaced, so its type stays the same. */
export function spanishDocument(document: ApiDocument): ApiDocument {
  return inner(document, '') as ApiDocument;
}
