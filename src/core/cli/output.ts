import { ConfigError } from '../config.ts';
import { ApiError, type ErrorCode } from '../domain/errors.ts';
import { caracasDayOf, caracasTimeOf, type Instant, isoInstant } from '../domain/time.ts';

/** Exit codes of every command. */
export const DONE = 0;
export const FAILED = 1;
const WRONG_USAGE = 2;
/** A command that loads figures published none: all are held, or its input has none. */
export const NOTHING_PUBLISHED = 3;

/** Flags that every command takes. */
export interface CommonFlags {
  readonly data?: string;
  readonly json?: boolean;
}

/**
 * A failure of a command, with the code that `--json` prints. Commands speak English; errors that the
 * API answers too are `ApiError`s.
 */
export class CommandError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A usage error; exit code 2. */
export class UsageError extends Error {}

/** Prints the result of a command: one JSON document with `--json`, else the text. */
export function print({ json }: CommonFlags, value: unknown, text: string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value) : text}\n`);
}

/** `2026-11-20 16:10`, in Caracas. */
export function caracasTime(at: Instant): string {
  return `${caracasDayOf(at)} ${caracasTimeOf(at)}`;
}

/** A time that may be absent, for JSON, which leaves out what is undefined. */
export function isoTime(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : isoInstant(at);
}

/** Writes progress and remarks to stderr. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Escapes control and formatting characters, so that a name cannot control the terminal. */
export function visible(text: string): string {
  return text.replace(
    /\p{Cc}|\p{Cf}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** A label and its value. Undefined values are left out. */
export type LabelledRow = readonly [label: string, value: string | number | undefined];

/** A line for each value, which stands `width` characters behind the start of its label. */
export function labelledText(rows: readonly LabelledRow[], width: number): string {
  return rows
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label.padEnd(width)}${value}`)
    .join('\n');
}

/** @param whenEmpty The text without any row; by default the columns alone. */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty?: string,
): string {
  if (rows.length === 0 && whenEmpty !== undefined) return whenEmpty;
  const lines = [columns, ...rows].map((row) => row.map(visible));
  const widths = columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Reports an error in one sentence, and returns the exit code. */
export function report(error: unknown, { json }: CommonFlags): number {
  const { code, message } = explain(error);
  const text = json === true ? JSON.stringify({ error: { code, message } }) : `error: ${message}`;
  remark(text);
  if (process.env['VESFX_DEBUG'] === '1' && error instanceof Error) remark(error.stack ?? '');
  return isWrongUsage(error) ? WRONG_USAGE : FAILED;
}

/**
 * Whether the error is a usage error, including values that the API's validation refuses. A missing
 * account or source is a failure instead, because the same command may succeed tomorrow.
 */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof ConfigError) return true;
  if (!(error instanceof ApiError) || error.options.field === undefined) return false;
  return error.code === 'invalid_format' || error.code === 'missing_field';
}

function explain(error: unknown): { code?: string; message: string } {
  if (error instanceof ApiError) return { code: error.code, message: withDays(error) };
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  if (error instanceof UsageError) return { code: 'usage', message: error.message };
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: inWords(error) ?? error.message };
}

/** The sentence of an error, with the days that its details name. */
export function withDays({ message, options: { details = {} } }: ApiError): string {
  const { today, earliest } = details;
  return [
    message,
    ...(typeof today === 'string' ? [`Today is ${today} in Caracas.`] : []),
    ...(typeof earliest === 'string' ? [`The first day is ${earliest}.`] : []),
  ].join(' ');
}

function inWords(error: NodeJS.ErrnoException & { address?: string; port?: number }) {
  const file = error.path;
  const place = `${error.address ?? 'this address'} port ${error.port ?? ''}`.trim();
  const isListening = error.syscall === 'listen' || error.syscall === 'getaddrinfo';
  switch (error.code) {
    case 'EADDRINUSE':
      return `Something listens on ${place} already: stop it, or choose another with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return isListening ? 'The host is not an address of this machine: see --host.' : undefined;
    case 'EACCES':
    case 'EPERM':
      if (isListening) return `Not allowed to listen on ${place}: choose a port above 1023.`;
      return `Not allowed to open ${file ?? 'the file'}.`;
    case 'ENOENT':
      return file === undefined ? undefined : `There is no file ${file}.`;
    case 'EISDIR':
      return `${file ?? 'That'} is a folder, not a file.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return file === undefined ? undefined : `${file} is not a folder.`;
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EROFS':
      return `${file ?? 'The file'} cannot be written: its disk is read-only.`;
    default:
      return undefined;
  }
}

/** A day since which older figures of a list are in another unit. */
export function unitChangeRemark({ on, factor }: { on: string; factor: number }): string {
  return `From ${on} on, one new bolívar is ${factor} old ones.`;
}
