/** How far a command is, for the person at the terminal. */
export interface Progress {
  advance(amount: number): void;
  /** Makes room for a line of text. */
  clear(): void;
  stop(): void;
}

const UNSEEN: Progress = {
  advance: () => undefined,
  clear: () => undefined,
  stop: () => undefined,
};

/**
 * A bar on a terminal; nothing where nobody watches, or where there is nothing to count.
 * @param format As cli-progress takes it.
 */
export async function progressBar(total: number, format: string): Promise<Progress> {
  if (total === 0 || !process.stderr.isTTY) return UNSEEN;
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return {
    advance: (amount) => bar.increment(amount),
    clear: () => process.stderr.write('\r\x1b[K'),
    stop: () => bar.stop(),
  };
}
