import { hash } from 'node:crypto';
import type { BodyReference, Provenance } from '../../app/ports/provenance.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Instant } from '../../domain/time.ts';

/** A body from which a figure was read, and the reading that still keeps it, if any. */
export interface ReadBody extends BodyReference {
  readonly keptAt?: Instant;
}

export async function keptBodies(
  store: Store,
  source: string,
  provenance: Provenance | undefined,
  readAt: Instant,
): Promise<readonly ReadBody[]> {
  if (provenance === undefined) return [];
  const kept = await store.keptReading(source, readAt);
  const digests = new Set(kept?.bodies.map(({ bytes }) => hash('sha256', bytes)));
  return provenance.bodies.map((body) =>
    digests.has(body.digest) ? { ...body, keptAt: readAt } : body,
  );
}
