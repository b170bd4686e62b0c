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
