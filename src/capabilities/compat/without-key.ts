import { TOO_MANY_WITHOUT_KEY } from '../../core/http/pipeline/callers.ts';

// limit: Without a key, from one address | 60 a minute, all workers | 429
const REQUESTS_PER_MINUTE = 60;

/** What lets anyone call an endpoint: a limit by IP address (contract §12). Any page may read it. */
export const WITHOUT_KEY = {
  access: 'optional',
  anyOrigin: true,
  addressLimit: {
    name: 'compat',
    perMinute: REQUESTS_PER_MINUTE,
    message: TOO_MANY_WITHOUT_KEY,
  },
} as const;
