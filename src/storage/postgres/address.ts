/** Where a PostgreSQL database is, and how it is reached. */
export interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Undefined without TLS; else the server must prove its name to these authorities. */
  readonly tls: { readonly authorities: string | undefined } | undefined;
  /** Settings of the session that the server takes at its start, as `-c name=value`. */
  readonly options: string | undefined;
  /** The address as it may be shown: without the password. */
  readonly shown: string;
}
