import type { StateReasonName } from '../../../domain/state-names.ts';

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

export function catalogueFault({ message }: Error): Finding {
  const remedy = 'Mend the file at those lines, or remove it to use the packaged one.';
  return broken('catalogue', message, remedy);
}
