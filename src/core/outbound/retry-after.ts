const IMF_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait of a `Retry-After` in milliseconds; it has seconds or a date (RFC 9110 §10.2.3).
 * @returns undefined without a wait, or for a text of another form.
 */
export function waitOf(retryAfter: string, now: number): number | undefined {
  const isDate = IMF_DATE.test(retryAfter);
  if (!isDate && !/^\d+$/.test(retryAfter)) return undefined;
  const wait = isDate ? Date.parse(retryAfter) - now : Number(retryAfter) * 1_000;
  return wait > 0 ? wait : undefined;
}
