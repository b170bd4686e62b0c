import { type CaracasDay, parseCaracasDay } from '../src/core/domain/time.ts';

/** @throws Error for a text that is no day. */
export function day(text: string): CaracasDay {
  const found = parseCaracasDay(text);
  if (found === undefined) throw new Error(`no day: ${text}`);
  return found;
}
