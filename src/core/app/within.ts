/** Resolves with the result of `work`, or after `waitMs` with `late`. The work continues. */
export async function within<Result>(
  work: Promise<Result>,
  waitMs: number,
): Promise<Result | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), waitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
