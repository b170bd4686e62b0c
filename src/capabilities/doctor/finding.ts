import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { displayPath } from '../../core/catalogue/file.ts';
import { PACKAGED_CATALOGUE } from '../../core/config.ts';
import type { StateReasonName } from '../../core/domain/state-names.ts';

/** The result of one check. `broken` means that callers are or will be affected. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'broken';
  readonly subject: string;
  /** Its name in `/v1/status`, for findings about the figures. */
  readonly reason?: StateReasonName;
  readonly message: string;
  readonly remedy?: string;
}

export function ok(subject: string, message: string): Finding {
  return { level: 'ok', subject, message };
}

export function warning(subject: string, message: string, remedy: string): Finding {
  return { level: 'warning', subject, message, remedy };
}

export function broken(subject: string, message: string, remedy: string): Finding {
  return { level: 'broken', subject, message, remedy };
}

export function catalogueFault({ message }: Error, folder: string): Finding {
  return broken('catalogue', message, catalogueRemedy(message, folder));
}

function catalogueRemedy(message: string, folder: string): string {
  if (!message.startsWith(displayPath(PACKAGED_CATALOGUE))) {
    return 'Mend the file at those lines, or remove it to use the packaged one.';
  }
  // The packaged files fit one another, so it is the operator's that do not fit this one.
  const own = ['markets.json', 'plans.json']
    .map((name) => resolve(folder, name))
    .filter((file) => folder !== PACKAGED_CATALOGUE && existsSync(file));
  return own.length === 0
    ? `Install vesfx again: its own file in ${PACKAGED_CATALOGUE} was changed.`
    : `This is the packaged file. Make ${own.join(' and ')} fit it, or put a changed copy of it into ${folder}.`;
}
