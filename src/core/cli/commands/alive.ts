import { isIPv6 } from 'node:net';
import { type Config, readConfig } from '../../config.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { command } from '../command.ts';
import { CommandError } from '../output.ts';

/** Shorter than the health check of an image waits. */
// limit: `vesfx alive` | 4 s | exit code 1
export const ANSWER_WAIT_MS = 4 * SECOND_MS;

/** Where a service with these settings answers on this machine. */
function addressOf({ host, port }: Config): string {
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(own) ? `[${own}]` : own}:${port}/healthz`;
}

async function answers(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** `vesfx alive`: the health check of an image, in which there is no other program. */
export const aliveCommand = command({
  name: 'alive',
  about: 'ask the service of this machine whether it lives; exit code 1 when it does not answer',
  flags: {
    '--host <host>': 'address on which it listens (env VESFX_HOST)',
    '--port <port>': 'port on which it listens (env VESFX_PORT)',
  },
  async run(input) {
    const address = addressOf(readConfig(input));
    if (await answers(address)) return { json: { alive: true, address }, text: 'alive' };
    throw new CommandError('service_unavailable', `No service answers at ${address}.`);
  },
});
