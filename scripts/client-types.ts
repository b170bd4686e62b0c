import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { typeName } from '../src/http/openapi/schemas.ts';
import type { ApiDocument, ApiOperation, ApiSchema } from '../src/web/docs/api-document.ts';

/*
 * Writes src/client/types.ts from the OpenAPI document that the service serves: node
 * scripts/client-types.ts. A test compares the file with the output of this script.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const TYPES_FILE = join(ROOT, 'src', 'client', 'types.ts');

const HEAD = `/*
 * Made by scripts/client-types.ts from the OpenAPI document. Do not edit: change the declaration of
 * the endpoint and run the script.
 */
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
    operation === undefined ? [] : [{ path, operation }],
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
  ].join('\n');
  return execFileSync('biome', ['format', `--stdin-file-path=${TYPES_FILE}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}` },
  });
}

/** The document served by a service without operator endpoints. */
async function servedDocument(): Promise<ApiDocument> {
  const data = mkdtempSync(join(tmpdir(), 'vesfx-types-'));
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const config = readConfig({ data, port: '0', collect: false }, {});
  const service = await startService(config, { clock: { now: () => Date.now() }, log });
  try {
    const response = await fetch(`${service.url}/openapi.json`);
    return asDocument(await response.json());
  } finally {
    await service.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** The cast is safe: tests check the service's document against this type. */
export function asDocument(document: unknown): ApiDocument {
  return document as ApiDocument;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TYPES_FILE, clientTypes(await servedDocument()));
}
