import { expect, test } from 'vitest';
import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import { StatusBodies } from './status.ts';

/** Only their identity matters here. */
const newHealth = () => ({}) as KnownHealth['health'];
const newSnapshot = () => ({}) as Snapshot;

test('the status is rendered once for each change and language, not for each request', () => {
  const bodies = new StatusBodies();
  let rendered = 0;
  const ask = (basis: Parameters<StatusBodies['of']>[0], name = 'es') =>
    bodies.of(basis, name, () => {
      rendered += 1;
      return `rendering ${rendered}`;
    });
  const known = { health: newHealth(), at: 0, isCurrent: true };
  const database = { state: 'ok', since: 0 } as const;
  const basis = { known, snapshot: newSnapshot(), database, now: 5_000 };
  for (let n = 0; n < 100; n += 1) {
    // What is known is told in a new object each time.
    ask({ ...basis, known: { ...known }, now: 5_000 + n });
    ask(basis, 'en');
  }
  expect(rendered).toBe(2);
  for (const changed of [
    { ...basis, now: 6_000 },
    { ...basis, snapshot: newSnapshot() },
    { ...basis, known: { ...known, isCurrent: false } },
    { ...basis, database: { state: 'read_only' as const, since: 0 } },
    { ...basis, known: { ...known, health: newHealth() } },
  ]) {
    const before = rendered;
    ask(changed);
    ask(changed);
    expect(rendered).toBe(before + 1);
  }
});
