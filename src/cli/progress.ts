export interface Progress {
  advance(amount: number): void;
  /** Clears the bar, so that a line of text can be written. */
  clear(): void;
  stop(): void;
}

const UNSEEN: Progress = {
  advance: () => undefined,
  clear: () => undefined,
  stop: () => undefined,
};

/** A progress bar on a terminal; nothing elsewhere. `format` is that of cli-progress. */
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
