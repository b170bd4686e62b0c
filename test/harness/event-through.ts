import { expect } from 'vitest';
import { iso, quote } from './make.ts';
import type { TestService } from './service.ts';

/**
 * Reads a stream of the service through a proxy: its first event, and then a change that is stored
 * only after that one was read. Nothing follows that could fill a
 * buffer, so a proxy that holds an event back ends the test by its deadline.
 */
export async function eventThrough(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { clock, push }: TestService,
): Promise<void> {
  let [text, isChanged] = ['', false];
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString('utf8');
    if (!isChanged && /event: snapshot\n.*\n\n/.test(text)) {
      isChanged = true;
      clock.advance(1_000);
      const at = iso(clock.now());
      await push(quote('parallel', 999.25, { updated_at: at, captured_at: at }));
    }
    if (isChanged && /event: rates\n.*999\.25.*\n\n/.test(text)) break;
  }
  expect(text).toContain('999.25');
}
