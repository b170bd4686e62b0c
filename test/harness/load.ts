import { Agent, request } from 'node:http';

/** Results of the requests of a load. */
export interface Tally {
  /** By status. */
  readonly answered: Map<number, number>;
  /** Requests that reached no server. */
  refused: number;
  /** Errors of accepted requests, by code. */
  readonly broken: Map<string, number>;
}

export interface Load {
  readonly tally: Tally;
  /** Ends when every client has its last answer. */
  stop(): Promise<Tally>;
}

/**
 * Clients that each send the next request after an answer, on connections that they keep
 * until the server ends them. A client stops when no server listens any more.
 */
export function startLoad(
  url: string,
  { clients, headers }: { readonly clients: number; readonly headers: Record<string, string> },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const tally: Tally = { answered: new Map(), refused: 0, broken: new Map() };
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      const outcome = await ask(url, agent, headers);
      if (outcome === 'ECONNREFUSED') {
        tally.refused += 1;
        return;
      }
      if (typeof outcome === 'number') count(tally.answered, outcome);
      else count(tally.broken, outcome);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  return {
    tally,
    async stop() {
      stopped = true;
      await done;
      agent.destroy();
      return tally;
    },
  };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** @returns the status of a whole answer, or the code of the error. */
function ask(url: string, agent: Agent, headers: Record<string, string>): Promise<number | string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const asked = request(url, { agent, headers }, (response) => {
      response.on('error', failed);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    asked.on('error', failed);
    asked.end();
  });
}
