import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import { WrittenBody } from '../encoding/written-answer.ts';

interface Basis {
  readonly known: KnownHealth;
  readonly snapshot: Snapshot;
  readonly now: Instant;
}

/** Caches renderings of the state, each made at most once a second while only ages change. */
export class StatusBodies {
  #basis: Basis | undefined;
  readonly #bodies = new Map<string, WrittenBody>();

  /** @param name Name of the rendering; for a page its language. */
  of(basis: Basis, name: string, render: () => string): WrittenBody {
    if (!isSame(this.#basis, basis)) {
      this.#basis = basis;
      this.#bodies.clear();
    }
    let body = this.#bodies.get(name);
    if (body === undefined) {
      body = new WrittenBody(render(), { kept: false });
      this.#bodies.set(name, body);
    }
    return body;
  }
}

function isSame(one: Basis | undefined, other: Basis): boolean {
  return (
    one !== undefined &&
    one.known.health === other.known.health &&
    one.known.isCurrent === other.known.isCurrent &&
    one.snapshot === other.snapshot &&
    Math.floor(one.now / SECOND_MS) === Math.floor(other.now / SECOND_MS)
  );
}
