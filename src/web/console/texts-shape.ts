import type { KeyKind } from '../../domain/keys.ts';
import type { Feature } from '../../domain/plans.ts';
export interface ConsoleTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  readonly needsScript: string;
  readonly keyLabel: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly keyHelp: string;
  readonly noKey: string;
  readonly signedOut: string;
  readonly keyEnded: string;
  readonly sections: string;
  readonly refresh: string;

  readonly plan: string;
  readonly unitsOf: string;
  readonly ofUnits: string;
  readonly unitsLeft: string;
  readonly noLimit: string;
  readonly resets: string;
  readonly inCaracas: string;
  readonly limit: string;
  readonly value: string;
  readonly perMinute: string;
  readonly bulkPerHour: string;
  readonly historyDays: string;
  readonly formats: string;
  readonly keysMax: string;
  readonly markupsMax: string;
  readonly features: string;
  readonly featureNames: Readonly<Record<Feature, string>>;
  readonly none: string;

  readonly usage: string;
  readonly usageHelp: string;
  readonly period: string;
  readonly lastDays: string;
  readonly endpoint: string;
  readonly allEndpoints: string;
  readonly chartOf: string;
  readonly answered: string;
  readonly failed: string;
  readonly calls: string;
  readonly units: string;
  readonly errors: string;
  readonly day: string;
  readonly byDay: string;
  readonly noUsage: string;

  readonly keys: string;
  readonly keysHelp: string;
  readonly keyId: string;
  readonly created: string;
  readonly state: string;
  readonly action: string;
  readonly inUse: string;
  readonly live: string;
  readonly liveUntil: string;
  readonly expired: string;
  readonly revoked: string;
  readonly oldKeys: string;
  readonly rotate: string;
  readonly rotateKey: string;
  readonly rotateHelp: string;
  readonly rotateOwn: string;
  readonly oldWorks: string;
  readonly graceNone: string;
  readonly graceHour: string;
  readonly graceDay: string;
  readonly graceWeek: string;
  readonly cancel: string;
  readonly createKey: string;
  readonly create: string;
  readonly keyKinds: Readonly<Record<KeyKind, string>>;
  readonly keyName: string;
  readonly keyEnds: string;
  readonly keyScopes: string;
  readonly keyOrigins: string;
  readonly keyNoOrigin: string;
  readonly change: string;
  readonly changeKey: string;
  readonly revoke: string;
  readonly revokeKey: string;
  readonly revokeHelp: string;
  readonly revokeOwn: string;
  readonly newKey: string;
  readonly newKeyHelp: string;
  readonly newKeyInUse: string;
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
  readonly saved: string;

  readonly markups: string;
  readonly markupsHelp: string;
  readonly noMarkupsInPlan: string;
  readonly noRules: string;
  readonly newRule: string;
  readonly editRule: string;
  readonly rules: string;
  readonly tag: string;
  readonly tagHelp: string;
  readonly kind: string;
  readonly percent: string;
  readonly fixed: string;
  readonly amount: string;
  readonly amountBad: string;
  readonly markets: string;
  readonly marketsHelp: string;
  readonly allMarkets: string;
  readonly active: string;
  readonly inactive: string;
  readonly save: string;
  readonly edit: string;
  readonly remove: string;
  readonly removeAsk: string;
  readonly removeYes: string;
  readonly ruleSaved: string;
  readonly ruleRemoved: string;
  readonly preview: string;
  readonly previewHelp: string;
  readonly previewNone: string;
  readonly market: string;
  readonly before: string;
  readonly after: string;
  readonly difference: string;

  readonly playground: string;
  readonly playgroundHelp: string;
  readonly optional: string;
  readonly required: string;
  readonly body: string;
  readonly send: string;
  readonly sending: string;
  readonly costs: string;
  readonly costsNothing: string;
  readonly changes: string;
  readonly fromPlan: string;
  readonly answer: string;
  readonly headers: string;
  readonly cut: string;
  readonly asCode: string;
  readonly language: string;
  readonly withKey: string;
  readonly placeholder: string;

  readonly failures: Readonly<Record<FailureName, string>>;
}

/** What may go wrong, by the code of the error. */
export const FAILURE_NAMES = [
  'network_error',
  'timeout',
  'invalid_api_key',
  'account_suspended',
  'rate_limit_exceeded',
  'quota_exceeded',
  'feature_not_in_plan',
  'already_exists',
  'markup_not_found',
  'resource_not_found',
  'invalid_format',
  'other',
] as const;
export type FailureName = (typeof FAILURE_NAMES)[number];
