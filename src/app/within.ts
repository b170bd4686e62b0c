/**
 * Resolves with the result of `work`, or with `late` after `waitMs`. The work then continues in the
 * background.
 */
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
