import type { z } from 'zod';
import type { Access, Caller } from '../app/access.ts';
import type { Snapshot } from '../app/snapshot.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Market, Markets } from '../domain/markets.ts';
import type { Feature, Format, Plan, Plans } from '../domain/plans.ts';
import type { Instant } from '../domain/time.ts';
import type { Ingest } from '../app/ingest.ts';
import type { Accounts } from '../app/accounts.ts';
import type { Store } from '../app/ports.ts';

/** What every handler may use. */
export interface Services {
  readonly store: Store;
  readonly markets: Markets;
  readonly plans: Plans;
  readonly access: Access;
  readonly accounts: Accounts;
  readonly ingest: Ingest;
}

/** The request as a handler sees it, every check before it done. */
export interface Call<Input> {
  readonly input: Input;
  readonly caller: Caller;
  /** The market that the request names, known and in the caller's plan. */
  readonly market: Market | undefined;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly services: Services;
}

/** A market named in the request, and the parameter that named it. */
export interface NamedMarket {
  readonly name: string;
  readonly field: string;
}

/** How an answer is encoded beyond JSON. */
export interface Encoding {
  /** Root element in XML. */
  readonly root: string;
  /** The list whose items are the CSV rows; the whole body is one row when absent. */
  readonly rows?: string;
  /** CSV rows that are not simply a list of the body. */
  readonly toRows?: (body: never) => readonly object[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
