import type { DatabaseWait, Peers, ProcessCounts } from '../../app/peers.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { SECOND_MS } from '../../domain/time.ts';

/** Longest wait of a stopping worker for the others to close the port. */
// limit: Worker waits for others to close the port | 1 s | its connections end
const PORTS_WAIT_MS = SECOND_MS;

/** What the primary process forwards to all other workers. */
type Forwarded =
  | { readonly kind: 'bad_key'; readonly address: string }
  /** A request without a key, under a limit by address. */
  | { readonly kind: 'admitted'; readonly limit: string; readonly address: string }
  | { readonly kind: 'told'; readonly capability: string; readonly text: string };

/** Messages of a worker to the primary process. */
export type FromWorker =
  | Forwarded
  | { readonly kind: 'ready'; readonly url: string }
  /** It is not ready yet, because it waits for the database. */
  | { readonly kind: 'waits'; readonly wait: DatabaseWait }
  /** Requests the metrics of all workers. */
  | { readonly kind: 'count_all'; readonly id: number }
  | { readonly kind: 'counts'; readonly id: number; readonly counts: ProcessCounts }
  /** The answer to `are_you_alive`, from its event loop. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'port_closed' };

/** Messages of the primary process to a worker. */
export type ToWorker =
  | Forwarded
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'are_you_alive' }
  | { readonly kind: 'all_ports_closed' }
  /** `counts` is absent when a worker did not answer. */
  | {
      readonly kind: 'all_counts';
      readonly id: number;
      readonly counts: readonly ProcessCounts[] | undefined;
    };

/** A worker's end of the channel to the primary process. */
export class WorkerChannel implements Peers {
  readonly #waiting = new Map<number, (counts: readonly ProcessCounts[] | undefined) => void>();
  readonly #allPortsClosed = Promise.withResolvers<void>();
  #lastId = 0;

  ready(url: string): void {
    send({ kind: 'ready', url });
  }

  reportBadKey(address: string): void {
    send({ kind: 'bad_key', address });
  }

  reportAdmitted(limit: string, address: string): void {
    send({ kind: 'admitted', limit, address });
  }

  tell(capability: string, text: string): void {
    send({ kind: 'told', capability, text });
  }

  reportWait(wait: DatabaseWait): void {
    send({ kind: 'waits', wait });
  }

  async counts(): Promise<readonly ProcessCounts[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<readonly ProcessCounts[] | undefined>();
    this.#waiting.set(id, resolve);
    send({ kind: 'count_all', id });
    const counts = await promise;
    if (counts !== undefined) return counts;
    throw new ApiError('service_unavailable', {
      message: sentence('A worker does not answer.', 'Un proceso del servicio no responde.'),
    });
  }

  portClosed(): Promise<void> {
    send({ kind: 'port_closed' });
    // If only this worker is stopped, the others never close the port.
    const late = setTimeout(this.#allPortsClosed.resolve, PORTS_WAIT_MS);
    return this.#allPortsClosed.promise.finally(() => clearTimeout(late));
  }

  join({ onBadKey, onAdmitted, onTold, count }: Parameters<Peers['join']>[0]): void {
    process.on('message', (message: ToWorker) => {
      switch (message.kind) {
        case 'bad_key':
          return onBadKey(message.address);
        case 'admitted':
          return onAdmitted(message.limit, message.address);
        case 'told':
          return onTold(message.capability, message.text);
        case 'count': {
          const { id } = message;
          // On an error it does not answer, and the primary reports it as missing.
          count().then(
            (counts) => send({ kind: 'counts', id, counts }),
            () => undefined,
          );
          return;
        }
        case 'are_you_alive':
          return send({ kind: 'alive' });
        case 'all_ports_closed':
          return this.#allPortsClosed.resolve();
        case 'all_counts':
          this.#waiting.get(message.id)?.(message.counts);
          this.#waiting.delete(message.id);
          return;
        default:
          message satisfies never;
      }
    });
  }
}

/** The channel closes only when the primary has exited, and then this process exits too. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
