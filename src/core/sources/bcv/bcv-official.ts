import { z } from 'zod';
import type { SourceKind } from '../../app/ports/source-kinds.ts';

const feed = z.strictObject({});

/**
 * The official rates, from the central bank's home page or any other page with the same side block:
 * five currencies in VES per unit, and their value date, which is often in the future.
 */
export const bcvOfficial: SourceKind<z.output<typeof feed>> = {
  parserVersion: 2,
  feed,
  markets: () => [],
  async read(fetch, url) {
    return [await fetch({ url, accept: ['text/html'] })];
  },
};
