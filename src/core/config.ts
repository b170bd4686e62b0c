import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { trustAuthoritiesOf } from './outbound/more-authorities.ts';
import { productPlace, readProductText } from './product-files.ts';
import { FILE_ENDING, readSecretFile, SecretFileError } from './secret-file.ts';
import { SETTINGS, type SettingTexts } from './settings.ts';
import { type PostgresAddress, PostgresUrlError, readPostgresUrl } from './storage/postgres/url.ts';

/** The validated settings of the operator. Only this file reads the environment. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface ConfigFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly data?: string | undefined;
  readonly collect?: boolean | undefined;
}

/** An invalid setting, with a message for the operator. */
export class ConfigError extends Error {}

export const PACKAGED_CATALOGUE = productPlace('catalog');
/** The operator's catalogue in the data folder. */
export const OWN_CATALOGUE = 'catalog';

export function version(): string {
  const manifest: unknown = JSON.parse(readProductText('package.json'));
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isNamed ? String(manifest.version) : 'unknown';
}

// limit: Admin or metrics token | 16 characters at least | not started
const MIN_TOKEN_LENGTH = 16;

/** Longer than load balancers need to notice that a server is not ready. */
// limit: `VESFX_DRAIN_SEC` | 60 s | not started
const MAX_DRAIN_SEC = 60;

/** Longer than a server needs to recover from a crash, and its machine to start. */
// limit: Start waits for the database | `VESFX_DATABASE_WAIT_SEC`, 3600 s at most | ends with the reason
const MAX_DATABASE_WAIT_SEC = 3_600;

type Setting = keyof typeof SETTINGS;

/** A setting of a capability, whose text it reads itself. */
export interface AddedSetting extends Omit<SettingTexts, 'flag'> {
  /** It goes before the variable. Several values are joined by spaces. */
  readonly flag?: { readonly notation: `--${string}`; readonly about: string };
  /** Whenever settings are read. @throws ConfigError for a wrong text. */
  readonly check?: (text: string) => void;
  /** What the demonstration has, whatever the operator set. */
  readonly inDemonstration?: string;
}

/** A program has one list of settings, which its entry completes before anything is read. */
let addedSettings: Readonly<Record<string, AddedSetting>> = {};

export function addSettings(settings: typeof addedSettings): void {
  addedSettings = settings;
}

/**
 * The environment, and behind it the lines of the file that `VESFX_ENV_FILE` names. The environment
 * stays as it is, so that the file can be read again while the service runs; only what libraries
 * read there, such as `PGPASSWORD`, is put into it.
 * @throws ConfigError when the file cannot be read, or names a setting that there is not.
 */
function withEnvFile(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = env['VESFX_ENV_FILE'];
  if (file === undefined || file === '') return env;
  let lines: NodeJS.Dict<string>;
  try {
    lines = parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`VESFX_ENV_FILE: ${file} cannot be read: ${why}.`);
  }
  for (const [name, value] of Object.entries(lines)) {
    if (value === undefined || value === '') continue;
    const why = uselessInFile(name);
    if (why !== undefined) throw new ConfigError(`VESFX_ENV_FILE: ${file} has ${name}, ${why}.`);
    if (name === 'NODE_EXTRA_CA_CERTS') {
      // Node itself has read the one of the environment, which wins.
      if ((env[name] ?? '') === '') trustAlso(value);
    } else if (!name.startsWith('VESFX_')) env[name] ??= value;
  }
  const set = Object.entries(env).filter(([, value]) => value !== '');
  return { ...lines, ...Object.fromEntries(set) };
}

/** What Node, its libraries and the system's read once, before the first line of this program. */
const READ_AT_START = /^(?:NODE_(?!ENV$|EXTRA_CA_CERTS$)|UV_|V8_|LD_|MALLOC_|SSL_CERT_|OPENSSL_)/;
const PROXY = /^(?:https?|all|no)_proxy$/i;

/** Why a line of the file would do nothing, if so: that must not pass in silence. */
function uselessInFile(name: string): string | undefined {
  if (PROXY.test(name)) return 'and vesfx uses no proxy: the machine needs direct Internet access';
  if (READ_AT_START.test(name)) {
    return 'which only counts in the environment of the process: with systemd, Environment= by "systemctl edit vesfx"';
  }
  const isUnknown =
    name.startsWith('VESFX_') &&
    !(name in SETTINGS || name in addedSettings || name === 'VESFX_DEBUG') &&
    !secretNames().some((secret) => name === secret + FILE_ENDING);
  return isUnknown ? 'and there is no such setting' : undefined;
}

function secretNames(): readonly string[] {
  const all = Object.entries<Omit<SettingTexts, 'flag'>>({ ...SETTINGS, ...addedSettings });
  return all.flatMap(([name, { isSecret }]) => (isSecret === true ? [name] : []));
}

/**
 * The variables with the secrets that stand in files of their own, read anew.
 * @throws ConfigError for a file that cannot be used, or a secret that is set twice.
 */
function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = { ...env };
  for (const name of secretNames()) {
    const variable = name + FILE_ENDING;
    const file = env[variable] ?? '';
    if (file === '') continue;
    if ((env[name] ?? '') !== '') {
      throw new ConfigError(`${name} and ${variable} are both set: remove one.`);
    }
    try {
      read[name] = readSecretFile(file);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      throw new ConfigError(`${variable}: ${error.message}`);
    }
  }
  return read;
}

function trustAlso(file: string): void {
  try {
    trustAuthoritiesOf(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`NODE_EXTRA_CA_CERTS: ${why}.`);
  }
}

/** What systemd asks of this process by its environment; undefined where nobody listens. */
export function supervision(
  env: NodeJS.ProcessEnv = process.env,
): { readonly watchdogMs: number | undefined } | undefined {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return undefined;
  const micros = Number(env['WATCHDOG_USEC']);
  return { watchdogMs: micros > 0 ? micros / 1_000 : undefined };
}

/** @throws ConfigError naming the invalid setting. */
export function readConfig(flags: ConfigFlags = {}, environment: NodeJS.ProcessEnv = process.env) {
  const env = withSecretFiles(withEnvFile(environment));
  const variable = (name: string) => (env[name] === '' ? undefined : env[name]);
  const setting = (name: Setting) => variable(name);
  const isOn = (name: Setting, byDefault: '0' | '1') =>
    isSwitchedOn(name, setting(name) ?? byDefault);
  const drain = setting('VESFX_DRAIN_SEC') ?? '1';
  const database = readDatabase(flags.data, setting('VESFX_DATABASE_URL'), setting('VESFX_DATA'));
  const token = (name: Setting) => readToken(name, setting(name));
  const [adminToken, metricsToken] = [token('VESFX_ADMIN_TOKEN'), token('VESFX_METRICS_TOKEN')];
  if (adminToken !== undefined && adminToken === metricsToken) {
    throw new ConfigError('VESFX_METRICS_TOKEN must not be the admin token.');
  }
  return {
    version: version(),
    host: flags.host ?? setting('VESFX_HOST') ?? '127.0.0.1',
    /** 0 means any free port. */
    port: readNumber('The port', flags.port ?? setting('VESFX_PORT') ?? '8080', 65_535),
    /** Whether other processes of the same service also listen on that port. */
    reusePort: false,
    ...database,
    /** How long a start waits for a database that cannot be reached yet. */
    databaseWaitMs:
      1_000 *
      readNumber(
        'VESFX_DATABASE_WAIT_SEC',
        setting('VESFX_DATABASE_WAIT_SEC') ?? '120',
        MAX_DATABASE_WAIT_SEC,
        'whole number of seconds',
      ),
    /** Folder of the catalogue files. A missing file is read from the package. */
    catalogueDir: readCatalogueFolder(database, setting('VESFX_CATALOG')),
    /** Public address of the service, for links; by default the listening address. */
    publicUrl: readPublicUrl(setting('VESFX_PUBLIC_URL')),
    /** Public origins. Without `publicUrl`, links use the one that `Host` names, if it is listed. */
    publicHosts: readOrigins('VESFX_PUBLIC_HOSTS', setting('VESFX_PUBLIC_HOSTS')),
    /** Token for `/v1/admin/records`, which does not exist without one. */
    adminToken,
    /** Token for `/metrics`. Without one the admin token opens it; without both it does not exist. */
    metricsToken,
    /** Whether `/metrics` has the units of each account, which names customers to who reads it. */
    metricsAccounts: isOn('VESFX_METRICS_ACCOUNTS', '0'),
    /** Exact origins from which browsers may call; none by default. */
    corsOrigins: readOrigins('VESFX_CORS_ORIGINS', setting('VESFX_CORS_ORIGINS')),
    /** Takes the caller's address from the last `X-Forwarded-For`, for a server behind a proxy. */
    trustProxy: isOn('VESFX_TRUST_PROXY', '0'),
    collect: flags.collect ?? true,
    /** Address or e-mail of the operator, sent to the sources with every request. */
    contact: readContact(setting('VESFX_CONTACT')),
    /** Allows sources on this machine, for tests. */
    allowLoopbackSources: isOn('VESFX_ALLOW_LOOPBACK_SOURCES', '0'),
    /** Whether to keep every capture that no plan reaches any more, instead of one a day. */
    keepRaw:
      oneOf('VESFX_KEEP_RAW', ['plans', 'all'], setting('VESFX_KEEP_RAW') ?? 'plans') === 'all',
    /** How long the service accepts requests after a stop signal, while `/readyz` answers 503. */
    drainMs: 1_000 * readNumber('VESFX_DRAIN_SEC', drain, MAX_DRAIN_SEC, 'whole number of seconds'),
    calculator: isOn('VESFX_PUBLIC', '1'),
    /** What the settings of capabilities say, by name: each reads its own. */
    added: readAdded(flags, variable),
    /** Whether lines of the access log have the addresses of callers, which are personal data. */
    logAddresses: isOn('VESFX_LOG_ADDRESSES', '0'),
    logLevel: oneOf('VESFX_LOG_LEVEL', LOG_LEVELS, setting('VESFX_LOG_LEVEL') ?? 'info'),
    /** A notice in every answer (in English) and on every page, such as that of the demonstration. */
    notice: undefined as Readonly<Record<'es' | 'en', string>> | undefined,
  };
}

function readAdded(
  flags: object,
  variable: (name: string) => string | undefined,
): Readonly<Record<string, string | undefined>> {
  const given = new Map<string, unknown>(Object.entries(flags));
  const texts = Object.entries(addedSettings).map(([name, { flag, check }]) => {
    const value = given.get(/^--([a-z]+)/.exec(flag?.notation ?? '')?.[1] ?? '');
    const text = value === undefined ? variable(name) : [value].flat().join(' ');
    if (text !== undefined) check?.(text);
    return [name, text];
  });
  return Object.fromEntries(texts);
}

function oneOf<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  text: string,
): Choice {
  const choice = choices.find((other) => other === text);
  if (choice !== undefined) return choice;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
}

const ON = ['1', 'true'];
const OFF = ['0', 'false'];

/** @throws ConfigError for a text that is neither on nor off. */
export function isSwitchedOn(name: string, text: string): boolean {
  return ON.includes(oneOf(name, [...ON, ...OFF], text));
}

/** The names between commas. */
export function readList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A number from 0 on. @throws ConfigError for another text, or more than `max`. */
export function readNumber(name: string, text: string, max: number, noun = 'number'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new ConfigError(`${name} must be a ${noun} from 0 to ${max}, not "${text}".`);
}

interface DatabasePlace {
  /** The folder of `vesfx.db`. It is set even when PostgreSQL replaces it. */
  readonly dataDir: string;
  /** A PostgreSQL database that replaces the one in `dataDir`. */
  readonly postgres: PostgresAddress | undefined;
}

/** `--data` goes before the database URL. */
function readDatabase(flag?: string, url?: string, folder?: string): DatabasePlace {
  const embedded = flag ?? /^sqlite:(?:\/\/)?(.+)$/.exec(url ?? '')?.[1];
  const dataDir = resolve(embedded ?? folder ?? 'data');
  if (embedded !== undefined || url === undefined) return { dataDir, postgres: undefined };
  try {
    return { dataDir, postgres: readPostgresUrl(url) };
  } catch (error) {
    if (!(error instanceof PostgresUrlError)) throw error;
    throw new ConfigError(
      `VESFX_DATABASE_URL: ${error.message}; sqlite:FOLDER is a database of this machine.`,
    );
  }
}

/** Without a folder of the operator it is `catalog` in the data folder, once that is there. */
function readCatalogueFolder({ dataDir, postgres }: DatabasePlace, text = PACKAGED_CATALOGUE) {
  const [given, inData] = [resolve(text), join(dataDir, OWN_CATALOGUE)];
  const isFree = given === PACKAGED_CATALOGUE && postgres === undefined;
  return isFree && existsSync(inData) ? inData : given;
}

/** Where the database is, without the password. */
export function placeOf({ dataDir, postgres }: DatabasePlace): string {
  return postgres?.shown ?? dataDir;
}

function readToken(name: string, token: string | undefined): string | undefined {
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) {
    throw new ConfigError(`${name} must have at least ${MIN_TOKEN_LENGTH} characters.`);
  }
  return token;
}

function readOrigins(name: string, text = ''): readonly string[] {
  const origins = readList(text);
  for (const origin of origins) {
    if (isOrigin(origin)) continue;
    throw new ConfigError(
      `${name}: "${origin}" must be an origin as browsers send it, ` +
        'such as https://shop.example or http://localhost:3000, without a path.',
    );
  }
  return origins;
}

/** Origins are compared as text, so one that a browser would format differently never matches. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}

/** The contact is sent in a header, inside parentheses. */
function readContact(text: string | undefined): string | undefined {
  if (text === undefined || /^[!-'*-~]{1,200}$/.test(text)) return text;
  throw new ConfigError(
    'VESFX_CONTACT must be an address or a mail, without spaces and brackets, at most 200 characters.',
  );
}

/** Whether only programs of this machine reach that address. */
export function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * Whether links in answers may have an address that callers cannot reach: the service listens
 * beyond this machine, and no setting names its public address.
 */
export function lacksPublicUrl({ host, publicUrl, publicHosts }: Config): boolean {
  return !isOwnMachine(host) && publicUrl === undefined && publicHosts.length === 0;
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  // Links are made by adding a path to it.
  if (isWeb && url.href === url.origin + url.pathname) return url.href.replace(/\/$/, '');
  throw new ConfigError(
    'VESFX_PUBLIC_URL must be an http or https address without user, query and fragment.',
  );
}
