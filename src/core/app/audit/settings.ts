import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS } from '../../domain/time.ts';
import type { AuditState, AuditStore, Change } from '../ports/audit.ts';
import type { Clock } from '../ports/clock.ts';
import { actingAs, commandAuthor } from './author.ts';

/** Most changed values that the audit log lists of one reload. */
// limit: Audited values of a reload | 100, of up to 300 characters | counted; cut | MAX_SHOWN_LENGTH
export const MAX_AUDITED_SETTINGS = 100;
/** Longest value that it shows, in characters of JSON. */
const MAX_SHOWN_LENGTH = 300;

/** Within it the same change, by several processes of a machine, is one reload. */
// limit: Reloads of several processes count as one | 60 s | noted again
const ONE_RELOAD_MS = MINUTE_MS;

/** What a reload reads again. */
export interface Settings {
  /** Contents of the catalogue, by the names of its files. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Tokens by the names of their variables. The log only says whether they are set or changed. */
  readonly tokens: Readonly<Record<string, string | undefined>>;
}

interface SettingsParts {
  readonly store: Pick<AuditStore, 'noteSettings'>;
  readonly clock: Clock;
}

/** The settings that a process read last, whose changes the log tells. */
export class ReadSettings {
  readonly #parts: SettingsParts;
  #settings: Settings;

  constructor(settings: Settings, parts: SettingsParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** Notes what differs from the settings of before. @throws StoreUnavailable */
  async replace(next: Settings): Promise<void> {
    const { store, clock } = this.#parts;
    const change = settingsChange(this.#settings, next);
    if (change !== undefined) {
      const author = commandAuthor('SIGHUP', clock);
      const known = { since: clock.now() - ONE_RELOAD_MS, actor: author.actor };
      await actingAs(author, () => store.noteSettings(change, known));
    }
    this.#settings = next;
  }
}

/**
 * What changed from one reading of the settings to the next: each value by its place, such as
 * `plans.json Inicio.units_per_month`.
 * @returns undefined when nothing did.
 */
export function settingsChange(before: Settings, after: Settings): Change | undefined {
  const [was, is] = [flat(before.values), flat(after.values)];
  const places = [...new Set([...was.keys(), ...is.keys()])].filter(
    (place) => !isDeepStrictEqual(was.get(place), is.get(place)),
  );
  const listed = places.slice(0, MAX_AUDITED_SETTINGS);
  const tokens = Object.keys(after.tokens).filter(
    (name) => before.tokens[name] !== after.tokens[name],
  );
  if (places.length + tokens.length === 0) return undefined;
  const state = (values: ReadonlyMap<string, unknown>): AuditState =>
    Object.fromEntries(listed.map((place) => [place, shown(values.get(place))]));
  const wordOf = (token: string | undefined) => (token === undefined ? 'none' : 'set');
  const more = places.length - listed.length;
  return {
    what: 'settings',
    id: '',
    before: {
      ...state(was),
      ...Object.fromEntries(tokens.map((name) => [name, wordOf(before.tokens[name])])),
    },
    after: {
      ...state(is),
      ...Object.fromEntries(
        tokens.map((name) => {
          const isReplaced = before.tokens[name] !== undefined && after.tokens[name] !== undefined;
          return [name, isReplaced ? 'another one' : wordOf(after.tokens[name])];
        }),
      ),
      ...(more > 0 && { more_changed_values: more }),
    },
  };
}

/** Every value by its place. */
function flat(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [file, value] of Object.entries(values)) {
    for (const [place, leaf] of leavesOf(value)) found.set(`${file} ${place}`.trim(), leaf);
  }
  return found;
}

function* leavesOf(value: unknown, place = ''): Generator<readonly [string, unknown]> {
  const inner = entriesOf(value);
  if (inner === undefined) {
    yield [place, value];
    return;
  }
  for (const [name, part] of inner) yield* leavesOf(part, place === '' ? name : `${place}.${name}`);
}

/** The named parts of an object, or of a list of which each entry has another name. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return Object.entries(value);
  const entries = value.map((entry: unknown) => [nameOf(entry), entry] as const);
  const named = entries.flatMap(([name, entry]) =>
    name === undefined ? [] : [[name, entry] as const],
  );
  const isNamed = named.length > 0 && new Set(named.map(([name]) => name)).size === value.length;
  return isNamed ? named : undefined;
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  for (const key of ['id', 'name', 'on', 'date']) {
    const name: unknown = Reflect.get(entry, key);
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** Path and query of an address may have a token of the operator, so only its host is shown. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"/?#]*@)?([^\s"/?#]*)[^\s"]*/gi;

/** A short value as it is, a long one as the beginning of its JSON. */
function shown(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const masked = text.replace(ADDRESS, '$1$2/…');
  return masked.length > MAX_SHOWN_LENGTH ? `${masked.slice(0, MAX_SHOWN_LENGTH)}…` : masked;
}
