export interface RequestHeaders {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  readonly transferEncoding: string | undefined;
  readonly origin: string | undefined;
  /** Where a browser says the request comes from: `same-origin`, `cross-site` … */
  readonly fetchSite: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly accept: string | undefined;
  readonly acceptLanguage: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly connection: string | undefined;
  readonly upgrade: string | undefined;
  /** The request has several keys, so none is accepted. */
  readonly severalKeys: boolean;
  /** The last `Host`. A request with several is refused. */
  readonly host: string | undefined;
  readonly hosts: number;
  /** Bytes of all header lines. */
  readonly bytes: number;
}

type Found = { -readonly [Name in keyof RequestHeaders]: RequestHeaders[Name] };

/** Reads `[name, value, …]`. Node's `headers` merges repeated ones silently and is slower. */
export function readHeaders(raw: readonly string[]): RequestHeaders {
  const found: Found = {
    apiKey: undefined,
    authorization: undefined,
    ifNoneMatch: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    contentLength: undefined,
    transferEncoding: undefined,
    origin: undefined,
    fetchSite: undefined,
    forwardedFor: undefined,
    accept: undefined,
    acceptLanguage: undefined,
    acceptEncoding: undefined,
    connection: undefined,
    upgrade: undefined,
    severalKeys: false,
    host: undefined,
    hosts: 0,
    bytes: 0,
  };
  for (let position = 0; position < raw.length; position += 2) {
    const name = raw[position] ?? '';
    const value = raw[position + 1] ?? '';
    found.bytes += name.length + value.length + ': \r\n'.length;
    read(found, name.toLowerCase(), value);
  }
  return found;
}

function read(found: Found, name: string, value: string): void {
  switch (name) {
    case 'host':
      found.host = value;
      found.hosts += 1;
      break;
    case 'x-api-key':
      found.severalKeys ||= found.apiKey !== undefined;
      found.apiKey = value;
      break;
    case 'authorization':
      found.authorization = value;
      break;
    case 'x-admin-token':
      found.authorization = `Bearer ${value}`;
      break;
    case 'if-none-match':
      found.ifNoneMatch = joined(found.ifNoneMatch, value);
      break;
    case 'origin':
      found.origin = joined(found.origin, value);
      break;
    case 'sec-fetch-site':
      found.fetchSite = joined(found.fetchSite, value);
      break;
    case 'content-type':
      found.contentType = joined(found.contentType, value);
      break;
    case 'content-length':
      found.contentLength = value;
      break;
    case 'content-encoding':
      found.contentEncoding = joined(found.contentEncoding, value);
      break;
    case 'transfer-encoding':
      found.transferEncoding = joined(found.transferEncoding, value);
      break;
    case 'x-forwarded-for':
      found.forwardedFor = joined(found.forwardedFor, value);
      break;
    case 'accept':
      found.accept = joined(found.accept, value);
      break;
    case 'accept-language':
      found.acceptLanguage = joined(found.acceptLanguage, value);
      break;
    case 'accept-encoding':
      found.acceptEncoding = joined(found.acceptEncoding, value);
      break;
    case 'connection':
      found.connection = joined(found.connection, value);
      break;
    case 'upgrade':
      found.upgrade = value;
      break;
    default:
  }
}

/**
 * Joins repeated headers: several lines are one list (RFC 9110 §5.3). Two values of a single-valued
 * header become `a, b`, which later checks refuse. Choosing one of them could differ from a proxy's
 * choice.
 */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
