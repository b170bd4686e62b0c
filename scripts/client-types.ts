import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ApiDocument,
  ApiOperation,
  ApiSchema,
} from '../src/core/http/openapi/api-document.ts';
import { typeName } from '../src/core/http/openapi/schemas.ts';
import { referenceDocument } from './reference.ts';

/*
 * Writes src/client/types.ts, the types and the methods of the client, from the OpenAPI document.
 * `npm ci`, `npm run check`, `npm run documents`, a run of tests and `npm run build` do it, and so does
 * `npm run client-types`.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const TYPES_FILE = join(ROOT, 'src', 'client', 'types.ts');

const HEAD = `/*
 * Made by scripts/client-types.ts from the OpenAPI document. Do not edit: change the declaration of
 * the endpoint and run the script.
 */

import type { AsText, CallOptions, Current, OnDate, Send, WithMarkup } from './calls.ts';
`;

/** The one schema whose name would hide a name of the language. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody' };

function nameOf(component: string): string {
  return RENAMED[component] ?? typeName(component);
}

function comment(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `/** ${text.replaceAll(/\s+/g, ' ')} */\n`;
}

/** Collects declarations of the component schemas, and of titled schemas inside them. */
class Declarations {
  readonly #declared = new Map<string, string>();
  readonly #forms = new Map<string, readonly string[]>();

  /** The names of the forms of an answer that has several. */
  formsOf(schema: ApiSchema | undefined): readonly string[] {
    return (schema && this.#forms.get(this.type(schema))) ?? [];
  }

  add(name: string, declaration: string): string {
    const known = this.#declared.get(name);
    if (known !== undefined && known !== declaration) {
      throw new Error(`two different schemas want the name ${name}`);
    }
    this.#declared.set(name, declaration);
    return name;
  }

  text(): string {
    return [...this.#declared.values()].join('\n\n');
  }

  component(component: string, schema: ApiSchema): void {
    const name = nameOf(component);
    if (schema.oneOf !== undefined)
      this.#forms.set(
        name,
        schema.oneOf.map((form) => this.type(form)),
      );
    this.add(name, comment(schema.description) + this.#declaration(name, schema));
  }

  #declaration(name: string, schema: ApiSchema, absent = ''): string {
    return schema.properties === undefined
      ? `export type ${name} = ${this.type(schema)};`
      : `export interface ${name} ${this.#body(schema, absent)}`;
  }

  /** @param absent An additional type of optional fields. */
  #body({ properties = {}, required = [] }: ApiSchema, absent = ''): string {
    const fields = Object.entries(properties).map(([name, field]) => {
      const needed = required.includes(name);
      const type = this.type(field) + (needed ? '' : absent);
      return `${comment(field.description)}${name}${needed ? '' : '?'}: ${type};`;
    });
    return `{\n${fields.join('\n')}\n}`;
  }

  /** The schema as a type. One with a title gets a declaration of its own. */
  type(schema: ApiSchema): string {
    const { $ref, oneOf, const: only, enum: some, items, properties, title, type } = schema;
    if ($ref !== undefined) return nameOf($ref.split('/').at(-1) ?? '');
    if (oneOf !== undefined) return oneOf.map((form) => this.type(form)).join(' | ');
    if (only !== undefined) return JSON.stringify(only);
    if (some !== undefined) return some.map((one) => JSON.stringify(one)).join(' | ');
    if (Array.isArray(type)) {
      return type.map((one) => this.type({ ...schema, type: String(one) })).join(' | ');
    }
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array': {
        return `Array<${this.type(items ?? {})}>`;
      }
      case 'object': {
        if (properties === undefined) return 'Record<string, unknown>';
        if (title === undefined) return this.#body(schema);
        const name = typeName(title);
        return this.add(name, this.#declaration(name, schema));
      }
      default:
        return 'unknown';
    }
  }

  /** The parameters of a query, without `format`, which determines the type of the answer. */
  parameters({ operationId, parameters }: ApiOperation): void {
    const own = parameters.flatMap((one) => ('$ref' in one || one.in !== 'query' ? [] : [one]));
    if (own.length === 0) return;
    const properties = own.map(
      ({ name, description, schema }) => [name, { ...schema, description }] as const,
    );
    const name = `${typeName(operationId)}Query`;
    this.add(
      name,
      this.#declaration(
        name,
        {
          type: 'object',
          properties: Object.fromEntries(properties),
          required: own.filter(({ required }) => required).map((one) => one.name),
        },
        ' | undefined',
      ),
    );
  }
}

/** An operation that reads JSON, with its address as the document writes it. */
interface Read {
  readonly path: string;
  readonly operation: ApiOperation;
}

function readsOf({ paths }: ApiDocument): readonly Read[] {
  return Object.entries(paths).flatMap(([path, { get: operation }]) =>
    // A stream is no JSON; the client has a method of its own for it.
    operation?.responses['200']?.content?.['application/json'] ? [{ path, operation }] : [],
  );
}

/** Parameters and answer of each read, for endpoints without their own method in the client. */
function readTypes(reads: readonly Read[], declarations: Declarations): string {
  const entries = reads.map(({ operation: { operationId, parameters, responses } }) => {
    const own = parameters.filter((one) => !('$ref' in one));
    const named = (place: string) =>
      own.flatMap((one) => ('name' in one && one.in === place ? [one.name] : []));
    const inPath = named('path').map((name) => `${name}: string`);
    const types = [
      ...(inPath.length === 0 ? [] : [`{ ${inPath.join('; ')} }`]),
      ...(named('query').length === 0 ? [] : [`${typeName(operationId)}Query`]),
    ];
    const schema = responses['200']?.content?.['application/json']?.schema ?? {};
    return `${operationId}: { parameters: ${types.join(' & ') || 'object'}; answer: ${declarations.type(schema)} };`;
  });
  return `/** What each read of the reference takes and answers, by its operation id. */
export interface Reads {\n${entries.join('\n')}\n}\n`;
}

function readAddresses(reads: readonly Read[]): string {
  const entries = reads.map(({ path, operation: { operationId, security } }) => [
    operationId,
    { path, open: security?.length === 0 },
  ]);
  return `/** Where each of them stands, and whether it needs no key. */
export const READS: Readonly<Record<keyof Reads, { readonly path: string; readonly open: boolean }>> =
${JSON.stringify(Object.fromEntries(entries))};\n`;
}

/**
 * The methods of the client, by operation. A name with a point is a method of that part, such as
 * `vesfx.keys`. Reads without a name are called by their operation id, with `read`. The history has
 * methods by hand, which read it to its end.
 */
const METHODS: Readonly<Record<string, string>> = {
  listRates: 'rates',
  getRate: 'rate',
  getCandles: 'candles',
  listChanges: 'changes',
  getCoverage: 'coverage',
  listCorrections: 'corrections',
  listMarkets: 'markets',
  convert: 'convert',
  bulkConvert: 'bulkConvert',
  compareMarkets: 'route',
  getIndex: 'index',
  getSpread: 'spread',
  listBankRates: 'bcvBanks',
  listBcvCurrencies: 'bcvCurrencies',
  listOfficialRates: 'official',
  getOfficialHistory: 'officialHistory',
  getOfficialMonth: 'officialMonth',
  getCalendar: 'calendar',
  calculate: 'calculate',
  getAccount: 'account',
  getUsage: 'usage',
  getStatus: 'status',
  rotateKey: 'rotateKey',
  listKeys: 'keys.list',
  createKey: 'keys.create',
  changeKey: 'keys.change',
  revokeKey: 'keys.revoke',
  listMarkups: 'markups.list',
  createMarkup: 'markups.create',
  replaceMarkup: 'markups.replace',
  deleteMarkup: 'markups.delete',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  getWebhook: 'webhooks.get',
  replaceWebhook: 'webhooks.replace',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotate',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  getWebhookDelivery: 'webhooks.delivery',
  redeliverWebhook: 'webhooks.redeliver',
  recoverWebhook: 'webhooks.recover',
};

const SEND = `readonly #send: Send;

constructor(send: Send) { this.#send = send; }`;

/** The class of each part. */
const CLASSES: Readonly<Record<string, readonly [name: string, description: string]>> = {
  '': ['ApiMethods', 'A method for each operation that writes or has a shorter name.'],
  keys: [
    'AccountKeys',
    'The keys of the account. A key cannot create or change a key with more rights than its own.',
  ],
  markups: ['MarkupRules', 'The markup rules of the account.'],
  webhooks: ['AccountWebhooks', 'The webhooks of the account.'],
};

/** Parameters that methods take in another form. */
const PARAMETER_TYPES: Readonly<Record<string, string>> = {
  // Text is sent unchanged, so money that a double would round stays exact.
  amount: 'number | string',
  // The client joins a list with commas.
  markets: 'readonly string[] | undefined',
};

/** The body of a bulk conversion is one object with the options of the call. */
const BULK_OPTIONS = `export type BulkConvertOptions = Omit<BulkConversionRequest, 'amounts'> &
  CallOptions & { readonly amounts: readonly number[] };`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The methods of each class, and the types of their options. */
function methodsOf({ paths }: ApiDocument, declarations: Declarations): string {
  const bodies = new Map(Object.keys(CLASSES).map((part) => [part, [] as string[]]));
  const options: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [name = '', part = ''] = METHODS[operation.operationId]?.split('.').toReversed() ?? [];
      if (name === '') continue;
      const asked = { method, path, operation };
      const own = part === '' ? optionsOf(name, asked) : undefined;
      if (own !== undefined) options.push(own);
      bodies.get(part)?.push(methodOf({ name, part, ...asked }, declarations));
    }
  }
  const classes = [...bodies].map(([part, texts]) => {
    const [name = '', description] = CLASSES[part] ?? [];
    // A private field that no method uses would be an error: a part of a capability may be missing.
    const send = texts.length === 0 ? 'constructor(_send: Send) {}' : SEND;
    return `${comment(description)}export class ${name} {
      ${[send, ...texts].join('\n\n')}
    }`;
  });
  return [...options, BULK_OPTIONS, ...classes].join('\n\n');
}

const ownParameters = ({ parameters }: ApiOperation, place: string) =>
  parameters.flatMap((one) => ('$ref' in one || one.in !== place ? [] : [one]));

/** The schema of the body, by the name of its type. */
function bodyTypeOf({ requestBody }: ApiOperation, declarations: Declarations): string | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? undefined : declarations.type(schema);
}

/** `RatesOptions` and its like: the parameters of a method with the options of every call. */
function optionsOf(name: string, { operation }: Operation): string | undefined {
  const query = ownParameters(operation, 'query');
  if (query.length === 0) return undefined;
  const type = `${typeName(operation.operationId)}Query`;
  const changed = query.filter((one) => one.name in PARAMETER_TYPES);
  const fields = changed.map(
    ({ name: field, required, description }) =>
      `${comment(description.replace(', separated by commas', ''))}readonly ${field}${required ? '' : '?'}: ${PARAMETER_TYPES[field]};`,
  );
  const kept = changed.map((one) => `'${one.name}'`).join(' | ');
  const parameters =
    changed.length === 0 ? type : `Omit<${type}, ${kept}> & {\n${fields.join('\n')}\n}`;
  return `export type ${typeName(name)}Options = ${parameters} & CallOptions;`;
}

/** A method with its overloads: as text, and for each form of the answer. */
function methodOf(
  { name, part, method, path, operation }: Operation & { name: string; part: string },
  declarations: Declarations,
): string {
  const inPath = ownParameters(operation, 'path').map((one) => one.name);
  const query = ownParameters(operation, 'query');
  const body = bodyTypeOf(operation, declarations);
  const pathArguments = inPath.map((one) => `${one}: string`);
  const template = path.replaceAll(/\{(\w+)\}/g, (_, one) => `\${encodeURIComponent(${one})}`);
  const call = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    `path: ${template.includes('$') ? `\`${template}\`` : `'${template}'`}`,
  ];
  const closing = [
    'signal',
    ...(operation.security?.length === 0 ? ['open: true'] : []),
    // Sent twice, it might make two keys, or say of its own success that there is nothing to delete.
    ...(['post', 'delete'].includes(method) && operation['x-cost'] === 0 ? ['once: true'] : []),
  ];
  const head = comment(`${operation.summary}. ${operation.description.split('\n')[0]}`);
  const ok = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = ok?.content?.['application/json']?.schema;
  const answerType = answer === undefined ? 'void' : declarations.type(answer);
  const written = (args: readonly string[], sent: readonly string[]) =>
    `${head}${name}(${args.join(', ')}): Promise<${answerType}> {
      return this.#send({ ${[...call, ...sent, ...closing].join(', ')} });
    }`;

  if (part !== '' && body !== undefined) {
    const noun = body.endsWith('Change') ? 'change' : part === 'keys' ? 'key' : 'rule';
    const args = [...pathArguments, `${noun}: ${body}`, '{ signal }: CallOptions = {}'];
    return written(args, [`body: ${noun}`]);
  }
  if (body !== undefined) {
    const { required = false } = operation.requestBody ?? {};
    const type = name === 'bulkConvert' ? 'BulkConvertOptions' : `${body} & CallOptions`;
    const args = [`{ signal, ...body }: ${type}${required ? '' : ' = {}'}`];
    return written([...pathArguments, ...args], ['body']);
  }
  const type =
    query.length === 0
      ? 'CallOptions'
      : part === ''
        ? `${typeName(name)}Options`
        : `${typeName(operation.operationId)}Query & CallOptions`;
  const isOptional = query.every(({ required }) => !required);
  const otherwise = isOptional ? ' = {}' : '';
  const given = query.length === 0 && !hasFormats(operation) ? '{ signal }' : undefined;
  if (given !== undefined) return written([...pathArguments, `${given}: ${type}${otherwise}`], []);
  const forms = formsOf(answer, declarations);
  if (!hasFormats(operation) && forms.length === 0) {
    const args = [...pathArguments, `{ signal, ...query }: ${type}${otherwise}`];
    return written(args, ['query']);
  }
  const before = pathArguments.map((one) => `${one}, `).join('');
  const overload = (options: string, result: string) =>
    `${name}(${before}${options}): Promise<${result}>;`;
  const mayBe = isOptional ? 'options?' : 'options';
  const overloads = [
    overload(`options: ${type} & AsText`, 'string'),
    ...forms.map(({ needs, answer: form }) =>
      overload(
        `${needs.join() === 'Current' ? mayBe : 'options'}: ${[type, ...needs].join(' & ')}`,
        form,
      ),
    ),
    overload(`${forms.length === 0 ? mayBe : 'options'}: ${type}`, answerType),
  ];
  return `${head}${overloads.join('\n')}
    ${name}(${before}{ signal, ...query }: ${type}${otherwise}): Promise<unknown> {
      return this.#send({ ${[...call, 'query', ...closing].join(', ')} });
    }`;
}

const hasFormats = ({ parameters }: ApiOperation) =>
  parameters.some((one) => '$ref' in one && one.$ref.endsWith('/format'));

/** The forms of an answer with what each is asked by, the one that needs most first. */
function formsOf(
  answer: ApiSchema | undefined,
  declarations: Declarations,
): readonly { readonly needs: readonly string[]; readonly answer: string }[] {
  const forms = declarations.formsOf(answer).filter((form) => !form.endsWith('WithDetails'));
  const ranked = forms.map((form) => ({
    needs: [
      form.startsWith('Past') ? 'OnDate' : 'Current',
      ...(form.endsWith('WithMarkup') ? ['WithMarkup'] : []),
    ],
    answer: form,
  }));
  const rank = ({ needs }: { readonly needs: readonly string[] }) =>
    needs.length + (needs.includes('OnDate') ? 2 : 0);
  return ranked.sort((one, other) => rank(other) - rank(one));
}

/** The text of the file. */
export function clientTypes(document: ApiDocument): string {
  const declarations = new Declarations();
  const { Error: errorSchema, ...schemas } = document.components.schemas;
  for (const [name, schema] of Object.entries(schemas)) declarations.component(name, schema);
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    declarations.parameters(operation);
  }
  const reads = readsOf(document);
  const codes = errorSchema?.properties?.['code']?.enum ?? [];
  const text = [
    HEAD,
    '/** Every code that the service answers with. */',
    `export const ERROR_CODES = ${JSON.stringify(codes)} as const;\n`,
    'export type ErrorCode = (typeof ERROR_CODES)[number];\n',
    declarations.text(),
    '',
    readTypes(reads, declarations),
    readAddresses(reads),
    methodsOf(document, declarations),
    '',
  ].join('\n');
  return formatted(text);
}

/** An installation without development packages has no formatter, and needs none. */
function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  if (!existsSync(biome)) return text;
  // The name is none of the generated file's, which the linter leaves out.
  const asFile = `--stdin-file-path=${join(ROOT, 'scripts', 'types.ts')}`;
  return execFileSync(biome, ['format', asFile], { cwd: ROOT, input: text, encoding: 'utf8' });
}

/** Writes the file from the declarations as they are now. */
export function writeClientTypes(): void {
  const text = clientTypes(referenceDocument('http://127.0.0.1:8080'));
  // What is made of it is made again when it is newer.
  const isThere = existsSync(TYPES_FILE) && readFileSync(TYPES_FILE, 'utf8') === text;
  if (!isThere) writeFileSync(TYPES_FILE, text);
}

/** The cast is safe: tests check the service's document against this type. */
export function asDocument(document: unknown): ApiDocument {
  return document as ApiDocument;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeClientTypes();
}
