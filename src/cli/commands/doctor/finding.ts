import type { StateReasonName } from '../../../domain/state-names.ts';

/** Something that was looked at. `broken` means that callers notice, or will. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'broken';
  readonly subject: string;
  /** The name that `/v1/status` has for it, where it is about the figures. */
  readonly reason?: StateReasonName;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function isBroken({ level }: Finding): boolean {
  return level === 'broken';
}
