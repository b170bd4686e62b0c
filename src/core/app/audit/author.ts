import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname, userInfo } from 'node:os';
import type { Author } from '../ports/audit.ts';
import type { Clock } from '../ports/clock.ts';

const authors = new AsyncLocalStorage<Author | undefined>();

/**
 * Runs work in the name of someone. Every change that the work makes in the store is recorded under
 * that name, however deep it is made, so that no call can forget to say who it is for.
 * @param author Undefined for what the service does by itself.
 */
export function actingAs<T>(author: Author | undefined, work: () => T): T {
  return authors.run(author, work);
}

/** In whose name the running code works; undefined for what the service does by itself. */
export function currentAuthor(): Author | undefined {
  return authors.getStore();
}

/** The author of a command. */
export function commandAuthor(name: string, clock: Pick<Clock, 'now'>): Author {
  const actor = `${userName()}@${hostname()}`;
  return { kind: 'command', via: name, actor, now: () => clock.now() };
}

/** In a container the user of the process may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
