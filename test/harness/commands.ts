import { getPriority, setPriority } from 'node:os';
import { vi } from 'vitest';
import { CAPABILITIES } from '../../src/capabilities.ts';
import type { Capability } from '../../src/core/capability.ts';
import { run } from '../../src/core/cli/program.ts';

/** Result of a command. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Some commands lower it. Who may not raise it again runs the other tests more slowly, no worse. */
function restorePriority(priority: number): void {
  try {
    if (getPriority() !== priority) setPriority(priority);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, for one of its own costs a third of a second. One at a time: they
 * share this process's environment and output.
 */
export function runHere(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  capabilities: readonly Capability[] = CAPABILITIES,
): Promise<Outcome> {
  const turn = lastRun.then(async () => {
    const before = process.env;
    const outcome = { code: 0, out: '', err: '' };
    const keep = (name: 'out' | 'err') => (chunk: unknown) => {
      outcome[name] += String(chunk);
      return true;
    };
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
      vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
    ];
    const priority = getPriority();
    process.env = environment;
    try {
      outcome.code = await run(args, capabilities);
    } finally {
      process.env = before;
      restorePriority(priority);
      process.exitCode = undefined;
      for (const spy of spies) spy.mockRestore();
    }
    return outcome;
  });
  lastRun = turn.catch(() => undefined);
  return turn;
}
