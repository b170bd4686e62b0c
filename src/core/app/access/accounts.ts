import { sentence } from '../../domain/errors/sentence.ts';
import { invalidFormat, notFound } from '../../domain/errors.ts';
import type { KeyGrant } from '../../domain/keys.ts';
import type { Plan, Plans } from '../../domain/plans.ts';
import { HOUR_MS, type Instant } from '../../domain/time.ts';
import type { Account, ApiKey, KeyLimits, KeyPage } from '../ports/accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import { keysMaxOf, throwMissing, tooManyKeys, tooManyToday } from './account-errors.ts';
import { keyDigest, keyHint, newId, newKey } from './keys.ts';

// limit: Name of an account | 200 characters, no control characters | refused
export const MAX_ACCOUNT_NAME_LENGTH = 200;
/** Any text without control characters, because names are written to terminals and logs. */
const ACCOUNT_NAME = /^\P{Cc}+$/u;
// limit: Keys of a page | 100; 1,000 on the command line | the next page | MAX_KEYS_PER_PAGE
export const KEYS_PER_PAGE = 100;
export const MAX_KEYS_PER_PAGE = 1_000;
/** Most rotations by an account, with its own keys, on one UTC day (contract §4). */
export const MAX_ROTATIONS_PER_DAY = 10;
/** Most keys that an account creates itself on one UTC day. Each is kept for 30 days. */
// limit: By an account in a UTC day: new keys, rotations | 200, 10 | 429 | MAX_ROTATIONS_PER_DAY
export const MAX_NEW_KEYS_PER_DAY = 200;
/** Longest grace period of a rotated key. */
// limit: Grace period of a key | 30 days | refused
export const MAX_GRACE_MS = 30 * 24 * HOUR_MS;

/** A new key with its secret, which is not stored. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

export interface KeyDraft {
  readonly grant: KeyGrant;
  readonly label?: string | undefined;
  /** When it expires; never when absent. */
  readonly lastsUntil?: Instant | undefined;
  /** Its text, which is random when absent. Only a demonstration gives one. */
  readonly key?: string;
}

interface RotatedKey extends NewKey {
  readonly createdAt: Instant;
  readonly oldExpiresAt: Instant;
}

interface AccountsParts {
  readonly store: Store;
  readonly plans: Plans;
  readonly clock: Clock;
}

/** Manages accounts and keys. Error messages are written for the operator's command line. */
export class Accounts {
  readonly #parts: AccountsParts;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  async create(name: string, planName: string): Promise<Account> {
    const { plans, clock } = this.#parts;
    const account = draftAccount(plans, { name, plan: planName, createdAt: clock.now() });
    await this.#parts.store.createAccount(account);
    return account;
  }

  list(): Promise<readonly Account[]> {
    return this.#parts.store.listAccounts();
  }

  async find(id: string): Promise<Account> {
    return (await this.#parts.store.findAccount(id)) ?? throwMissing('account', id);
  }

  async setPlan(id: string, planName: string): Promise<Account> {
    await this.#update(id, { plan: planNamed(this.#parts.plans, planName).name });
    return this.find(id);
  }

  async setStatus(id: string, status: Account['status']): Promise<Account> {
    await this.#update(id, { status });
    return this.find(id);
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#parts.store.deleteAccount(id))) throwMissing('account', id);
  }

  /** The plans of accounts that the catalogue lacks, each with the number of its accounts. */
  async lostPlans(): Promise<readonly string[]> {
    return [...(await this.#parts.store.countAccounts())]
      .filter(([plan]) => this.#parts.plans.find(plan) === undefined)
      .map(([plan, count]) => `${plan} (${count} ${count === 1 ? 'account' : 'accounts'})`);
  }

  /** The account's plan, as `Plans.of` tells it. */
  planOf(account: Account): Plan {
    return this.#parts.plans.of(account);
  }

  /**
   * Creates a key, by default a full one.
   * @param limits `maxPerDay`: keys made on this UTC day; null for any number.
   * @throws ApiError `feature_not_in_plan` when the account has as many active keys as its plan
   *   allows, or `rate_limit_exceeded`.
   */
  async createKey(
    accountId: string,
    draft: KeyDraft = { grant: { kind: 'full' } },
    { maxPerDay = null }: Partial<Pick<KeyLimits, 'maxPerDay'>> = {},
  ): Promise<NewKey & { readonly record: ApiKey }> {
    const plan = this.planOf(await this.find(accountId));
    const now = this.#parts.clock.now();
    const { key, record } = draftKey(accountId, draft, now);
    const { kind } = draft.grant;
    const maxLive = keysMaxOf(plan, kind);
    const outcome = await this.#parts.store.createKey(record, now, { maxLive, maxPerDay });
    switch (outcome) {
      case 'created':
        return { id: record.id, key, record };
      case 'too_many_keys':
        throw tooManyKeys(this.#parts.plans, plan, kind);
      case 'too_many_today':
        throw tooManyToday(
          sentence(
            `An account makes at most ${maxPerDay} keys a day (UTC).`,
            `Una cuenta crea como máximo ${maxPerDay} claves por día (UTC).`,
          ),
          {
            limit: maxPerDay,
            now,
          },
        );
      default:
        return outcome satisfies never;
    }
  }

  /**
   * A page of the account's keys, active ones first.
   * @param options.after id of the last key of the page before.
   * @throws ApiError `resource_not_found` when there is no such account, or no key `after` of it.
   */
  async listKeys(
    accountId: string,
    { limit = KEYS_PER_PAGE, after }: { readonly limit?: number; readonly after?: string } = {},
  ): Promise<KeyPage> {
    await this.find(accountId);
    const now = this.#parts.clock.now();
    const page = await this.#parts.store.listKeys(accountId, { now, limit, after });
    return page ?? throwMissing('key', after ?? '');
  }

  async revokeKey(id: string): Promise<void> {
    if (!(await this.#parts.store.revokeKey(id, this.#parts.clock.now()))) throwMissing('key', id);
  }

  /**
   * Replaces a key by a new one. The old key works for another `graceMs`. One key in its grace
   * period does not count towards the plan's keys.
   * @param limits `maxPerDay`: most rotations on this UTC day; null, the default, for any number.
   * @throws ApiError `feature_not_in_plan` beyond the plan, or `rate_limit_exceeded`.
   */
  async rotateKey(
    id: string,
    graceMs: number,
    { maxPerDay = null }: Partial<Pick<KeyLimits, 'maxPerDay'>> = {},
  ): Promise<RotatedKey> {
    const old = (await this.#parts.store.findKey(id)) ?? throwMissing('key', id);
    const now = this.#parts.clock.now();
    if (!(graceMs >= 0 && graceMs <= MAX_GRACE_MS)) {
      throw invalidFormat(
        undefined,
        'out_of_range',
        sentence('The grace period is 0 to 720 hours.', 'El plazo de gracia es de 0 a 720 horas.'),
      );
    }
    const { key, record } = draftKey(old.accountId, old, now);
    // Before its own end, so that it is known to be in its grace period.
    const oldExpiresAt = Math.min(now + graceMs, (old.expiresAt ?? Infinity) - 1);
    const { kind } = old.grant;
    const plan = this.planOf(await this.find(old.accountId));
    const maxLive = keysMaxOf(plan, kind);
    const limits = { maxLive, maxPerDay };
    const outcome = await this.#parts.store.rotateKey(id, oldExpiresAt, record, limits);
    switch (outcome) {
      case 'rotated':
        return { id: record.id, key, createdAt: now, oldExpiresAt };
      case 'dead':
        throw notFound('unknown_id', {
          field: 'id',
          message: sentence(
            `The key ${id} is revoked or expired.`,
            `La clave ${id} está revocada o vencida.`,
          ),
        });
      case 'too_many_keys':
        throw tooManyKeys(
          this.#parts.plans,
          plan,
          kind,
          sentence(
            'A key that was rotated before still works beside those of your plan: rotate the newest ' +
              'one without a grace, revoke one, or wait until the grace ends.',
            'Una clave que ya fue rotada todavía sirve además de las de su plan: rote la más nueva ' +
              'sin plazo de gracia, revoque una o espere a que termine el plazo.',
          ),
        );
      case 'too_many_today':
        throw tooManyToday(
          sentence(
            `An account rotates keys at most ${maxPerDay} times a day (UTC).`,
            `Una cuenta rota claves como máximo ${maxPerDay} veces por día (UTC).`,
          ),
          {
            limit: maxPerDay,
            now,
          },
        );
      default:
        return outcome satisfies never;
    }
  }

  async #update(id: string, change: Parameters<Store['updateAccount']>[1]): Promise<void> {
    if (!(await this.#parts.store.updateAccount(id, change))) throwMissing('account', id);
  }
}

function planNamed(plans: Plans, name: string): Plan {
  const plan = plans.find(name);
  if (plan !== undefined) return plan;
  const names = plans.list.map((other) => other.name).join(', ');
  throw invalidFormat(
    'plan',
    'unknown_value',
    sentence(
      `There is no plan ${name}; the plans are ${names}.`,
      `No hay un plan ${name}; los planes son ${names}.`,
    ),
  );
}

/** An account that is not stored yet. @throws ApiError `invalid_format` for its name or its plan. */
export function draftAccount(
  plans: Plans,
  {
    name,
    plan,
    createdAt,
  }: { readonly name: string; readonly plan: string; readonly createdAt: Instant },
): Account {
  const trimmed = name.trim();
  if (trimmed.length > MAX_ACCOUNT_NAME_LENGTH || !ACCOUNT_NAME.test(trimmed)) {
    throw invalidFormat(
      'name',
      trimmed.length > MAX_ACCOUNT_NAME_LENGTH ? 'too_long' : 'malformed',
      sentence(
        `The name must have 1 to ${MAX_ACCOUNT_NAME_LENGTH} characters, none of them control characters.`,
        `El nombre debe tener de 1 a ${MAX_ACCOUNT_NAME_LENGTH} caracteres, ninguno de control.`,
      ),
    );
  }
  const { name: planName } = planNamed(plans, plan);
  return { id: newId('acc'), name: trimmed, plan: planName, status: 'active', createdAt };
}

export function draftKey(
  accountId: string,
  { grant, label, lastsUntil, key = newKey(grant.kind) }: KeyDraft,
  createdAt: Instant,
): { readonly key: string; readonly record: ApiKey } {
  const ends = { lastsUntil, expiresAt: lastsUntil };
  const told = { digest: keyDigest(key), hint: keyHint(key) };
  return {
    key,
    record: { id: newId('key'), accountId, ...told, createdAt, grant, label, ...ends },
  };
}
