import { marketInPlan } from '../../core/app/access/access.ts';
import type { Snapshot } from '../../core/app/snapshot.ts';
import type { Plan } from '../../core/domain/plans.ts';
import type { Instant } from '../../core/domain/time.ts';
import type { ServingParts } from '../../core/http/serving/server-parts.ts';
import { type SnapshotParts, State, snapshotParts } from './state.ts';

/** What the streams rest on, made anew when the catalogue is read again. */
export type StreamServing = Pick<ServingParts, 'services' | 'publicUrl'>;

/** The states of some markets of a plan, for all who read the same. */
export interface Channel {
  readonly key: string;
  readonly markets: readonly string[];
  state: State;
  readers: number;
}

/** The channels that somebody reads. Each state is written once for all of its readers. */
export class Channels {
  readonly #byKey = new Map<string, Channel>();
  #written: { readonly snapshot: Snapshot; readonly parts: SnapshotParts } | undefined;

  /** @param named Ids of markets; undefined for all of the plan. */
  enter(
    serving: StreamServing,
    { plan, named }: { readonly plan: Plan; readonly named: readonly string[] | undefined },
    now: Instant,
  ): Channel {
    const { markets: all, plans } = serving.services;
    const included = all.list.filter(
      (market) => marketInPlan(plans, plan, market) && named?.includes(market.id) !== false,
    );
    const markets = included.map(({ id }) => id);
    const key = `${plan.name} ${markets.join()}`;
    const state = new State(this.#partsAt(now, serving), markets);
    const channel = this.#byKey.get(key) ?? { key, markets, state, readers: 0 };
    this.#byKey.set(key, channel);
    if (!channel.state.isLike(state)) channel.state = state;
    channel.readers += 1;
    return channel;
  }

  leave(channel: Channel): void {
    channel.readers -= 1;
    if (channel.readers === 0) this.#byKey.delete(channel.key);
  }

  /** Gives every channel its state of now. */
  renew(serving: StreamServing, now: Instant): void {
    const parts = this.#partsAt(now, serving);
    for (const channel of this.#byKey.values()) {
      const state = new State(parts, channel.markets);
      if (!channel.state.isLike(state)) channel.state = state;
    }
  }

  #partsAt(now: Instant, { services, publicUrl }: StreamServing): SnapshotParts {
    const snapshot = services.snapshots.at(now);
    if (this.#written?.snapshot !== snapshot) {
      const { calendar } = services;
      const parts = snapshotParts(snapshot, { calendar, origin: publicUrl() });
      this.#written = { snapshot, parts };
    }
    return this.#written.parts;
  }
}
