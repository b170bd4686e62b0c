import { readFileSync } from 'node:fs';

export interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Undefined without TLS. The server's certificate is verified against the authorities. */
  readonly tls: { readonly authorities: string | undefined } | undefined;
  /** Session settings for the server, as `-c name=value`. */
  readonly options: string | undefined;
  /** The address without the password, for messages. */
  readonly shown: string;
}

/** An invalid address of a PostgreSQL database. The message never contains the password. */
export class PostgresUrlError extends Error {}

const DEFAULT_PORT = 5432;

const PARAMETERS = ['sslmode', 'sslrootcert', 'host', 'options'];

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`. Every mode with TLS verifies the
 * server's certificate and name, because TLS without verification gives no protection. Without a
 * mode there is no TLS.
 * @throws PostgresUrlError
 */
export function readPostgresUrl(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new PostgresUrlError('it must look like postgres://user:password@host:5432/database');
  }
  const parameters = parametersOf(url);
  const host = parameters.get('host') ?? bareHost(url.hostname);
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const user = decoded(url.username, 'user');
  const database = decoded(url.pathname.slice(1), 'database');
  if (database?.includes('/') === true)
    throw new PostgresUrlError('the name of the database contains "/"');
  const shown = new URL(url);
  shown.password = '';
  return {
    host,
    port,
    user,
    password: decoded(url.password, 'password'),
    database,
    tls: readTls(parameters.get('sslmode'), parameters.get('sslrootcert')),
    options: parameters.get('options'),
    shown: shown.href,
  };
}

function parametersOf(url: URL): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!PARAMETERS.includes(name)) {
      throw new PostgresUrlError(`the parameter "${name}" is not one of ${PARAMETERS.join(', ')}`);
    }
    if (parameters.has(name)) throw new PostgresUrlError(`${name} is given twice`);
    parameters.set(name, value);
  }
  return parameters;
}

/** Removes the brackets of an IPv6 address. */
function bareHost(hostname: string): string {
  if (hostname === '') throw new PostgresUrlError('it has no host');
  return decoded(hostname.replace(/^\[(.*)\]$/, '$1'), 'host') ?? '';
}

function decoded(text: string, part: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    throw new PostgresUrlError(
      `the ${part} contains a "%" that begins no percent code; write "%" as %25`,
    );
  }
}

function readTls(mode: string | undefined, file: string | undefined): PostgresAddress['tls'] {
  switch (mode) {
    case undefined:
    case 'disable':
      if (file === undefined) return undefined;
      throw new PostgresUrlError('sslrootcert requires sslmode=verify-full');
    case 'require':
    case 'verify-ca':
    case 'verify-full':
      return { authorities: file === undefined ? undefined : certificates(file) };
    default:
      throw new PostgresUrlError(
        'sslmode is verify-full (require and verify-ca are the same here) or disable',
      );
  }
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new PostgresUrlError(`sslrootcert: the file ${file} cannot be read`);
  }
}
