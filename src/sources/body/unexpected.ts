import { SourceFailure } from '../../app/failures.ts';

/** The failure of a body that is not in its source's format. */
export function unexpected(expected: string, there: string): SourceFailure {
  return new SourceFailure('content', `expected ${expected}, there was ${there}`);
}
