import { readFileSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ConfigError, PACKAGED_CATALOGUE } from '../config.ts';
import type { Instant } from '../domain/time.ts';
import { productChangedAt, readProductText } from '../product-files.ts';

// limit: Faults listed | 20 | counted
const MAX_LISTED_FAULTS = 20;

export interface Fault {
  /** From 1; absent when the fault has no line. */
  readonly line?: number;
  readonly problem: string;
}

/** The catalogue cannot be used. The message has one line for each fault: file, line, problem. */
export class CatalogueError extends ConfigError {
  constructor(file: string, faults: readonly Fault[]) {
    const listed = [...faults]
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
      .slice(0, MAX_LISTED_FAULTS);
    const more = faults.length - listed.length;
    const lines = listed.map(
      ({ line, problem }) => `${line === undefined ? file : `${file}:${line}`}: ${problem}`,
    );
    super([...lines, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n'));
    this.name = 'CatalogueError';
  }
}

/** A well-formed JSON file that knows the line of each of its values. */
export interface CatalogueFile {
  readonly shownAs: string;
  /** Whether this is the packaged file, because the folder has none of that name. */
  readonly isPackaged: boolean;
  readonly text: string;
  readonly value: unknown;
  /** Line of the value at the path, or of the nearest value around it. */
  lineOf(path: JSONPath): number;
}

/**
 * Reads a file of the catalogue folder, or the packaged one when the folder lacks it.
 * @param draft Its text when it is not written yet.
 * @throws CatalogueError when it cannot be read, is not strict JSON, or has an object key twice.
 */
export function readCatalogueFile(folder: string, name: string, draft?: string): CatalogueFile {
  const ownText = draft ?? readText(folder, name);
  const shownAs = displayPath(resolve(ownText === undefined ? PACKAGED_CATALOGUE : folder, name));
  const text = ownText ?? readText(PACKAGED_CATALOGUE, name);
  if (text === undefined) throw new CatalogueError(shownAs, [{ problem: 'not found' }]);

  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const lineAt = lineCounter(text);
  if (root === undefined || errors.length > 0) {
    const faults = errors.map(({ error, offset }) => ({
      line: lineAt(offset),
      problem: `not JSON: ${inWords(printParseErrorCode(error))}`,
    }));
    throw new CatalogueError(shownAs, faults.length > 0 ? faults : [EMPTY_FILE]);
  }
  const repeated = repeatedKeys(root).map(({ key, offset }) => ({
    line: lineAt(offset),
    problem: `the key "${key}" is there twice`,
  }));
  if (repeated.length > 0) throw new CatalogueError(shownAs, repeated);
  const value: unknown = JSON.parse(text);
  const isPackaged = ownText === undefined;
  return { shownAs, isPackaged, text, value, lineOf: (at) => lineAt(nearestNode(root, at).offset) };
}

const ANSWERED_FILES = [
  'markets.json',
  'plans.json',
  'holidays.json',
  'redenominations.json',
] as const;

/** When the files whose contents appear in answers last changed. */
export function catalogueChangedAt(folder: string): Instant {
  const times = ANSWERED_FILES.map((name) => {
    const own = statSync(resolve(folder, name), { throwIfNoEntry: false });
    return own?.mtimeMs ?? productChangedAt(`catalog/${name}`);
  });
  return Math.floor(Math.max(...times));
}

const EMPTY_FILE: Fault = { line: 1, problem: 'not JSON: the file is empty' };

/** @returns undefined when there is no such file. A byte order mark is dropped. */
function readText(folder: string, name: string): string | undefined {
  const path = resolve(folder, name);
  try {
    const isPackaged = folder === PACKAGED_CATALOGUE;
    const text = isPackaged ? readProductText(`catalog/${name}`) : readFileSync(path, 'utf8');
    return text.replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const problem = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new CatalogueError(displayPath(path), [{ problem }]);
  }
}

/** The path relative to the working directory, or the absolute path of a file outside it. */
export function displayPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') || near === '' ? path : near.split(sep).join('/');
}

function lineCounter(text: string): (offset: number) => number {
  return (offset) => text.slice(0, offset).split('\n').length;
}

/** `PropertyNameExpected` reads `property name expected`. */
function inWords(code: string): string {
  return code.replace(/(?<!^)[A-Z]/g, ' $&').toLowerCase();
}

/** The node at the path, or its nearest ancestor; a property is whole, with its key. */
function nearestNode(root: Node, path: JSONPath): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return root;
}

function repeatedKeys(node: Node): readonly { readonly key: string; readonly offset: number }[] {
  const repeated: { key: string; offset: number }[] = [];
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    if (name !== undefined) {
      if (seen.has(name.value)) repeated.push({ key: String(name.value), offset: name.offset });
      seen.add(name.value);
    }
    if (value !== undefined) repeated.push(...repeatedKeys(value));
  }
  return repeated;
}
