const MESSAGES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'DNS lookup failed',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** What a failed connection is called, with its code: `DNS lookup failed (ENOTFOUND)`. */
export function connectionError(code: string): string {
  return `${MESSAGES[code] ?? 'the connection failed'} (${code})`;
}
