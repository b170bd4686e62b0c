export interface Progress {
  advance(amount: number): void;
  /** Clears the bar, so that a line of text can be written. */
  clear(): void;
  stop(): void;
}

/** A progress bar on a terminal; undefined elsewhere. `format` is that of cli-progress. */
export async function progressBar(total: number, format: string): Promise<Progress | undefined> {
  if (total === 0 || !process.stderr.isTTY) return undefined;
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
