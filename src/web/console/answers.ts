import type { KeyKind } from '../../domain/keys.ts';

/** What the console reads of the API's answers. */

export interface AccountAnswer {
  readonly name: string;
  readonly plan: string;
  readonly limits: {
    readonly units_per_month: number | null;
    readonly requests_per_minute: number | null;
    readonly bulk_calls_per_hour: number | null;
    readonly history_days: number | null;
    readonly formats: readonly string[];
    readonly keys_max: number | null;
    readonly markups_max: number | null;
    readonly features: readonly string[];
  };
  readonly usage: {
    readonly month: string;
    readonly units_used: number;
    readonly units_remaining: number | null;
    readonly resets_at: string;
  };
  readonly keys: readonly KeyAnswer[];
}

export interface KeyAnswer {
  readonly id: string;
  readonly kind: KeyKind;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly origins: readonly string[];
  readonly allow_no_origin: boolean;
  readonly current: boolean;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface CreatedAnswer {
  readonly id: string;
  readonly key: string;
}

export interface RotatedAnswer {
  readonly id: string;
  readonly key: string;
  readonly replaces: string;
  readonly replaced_expires_at: string;
}

export interface UsageAnswer {
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageDayAnswer[];
}

export interface UsageDayAnswer {
  readonly date: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
  readonly client_errors: number;
  readonly server_errors: number;
}

export interface RateAnswer {
  readonly market: string;
  readonly base: string;
  readonly mid: number;
}

export interface ErrorAnswer {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
}
