import type { StateReasonName } from '../../../domain/state-names.ts';

/** The result of one check. `broken` means that callers are or will be affected. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'broken';
  readonly subject: string;
  /** Its name in `/v1/status`, for findings about the figures. */
  readonly reason?: StateReasonName;
  readonly message: string;
  /** What the operator should do. */
  readonly remedy?: string;
}

export function isBroken({ level }: Finding): boolean {
  return level === 'broken';
}
