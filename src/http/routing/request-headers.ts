/** The request headers that the service reads, and what is wrong with their form. */
export interface RequestHeaders {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  readonly origin: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly acceptLanguage: string | undefined;
  readonly acceptEncoding: string | undefined;
  /** Several keys: which one is meant cannot be told. */
  readonly severalKeys: boolean;
  readonly hosts: number;
  /** Size of all header lines. */
  readonly bytes: number;
}

type Found = { -readonly [Name in keyof RequestHeaders]: RequestHeaders[Name] };

/**
 * Reads the headers as they came, `[name, value, …]`. Node's own `headers` object joins repeated
 * ones out of sight and costs more than the rest of a request.
 */
export function readHeaders(raw: readonly string[]): RequestHeaders {
  const found: Found = {
    apiKey: undefined,
    authorization: undefined,
    ifNoneMatch: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    contentLength: undefined,
    origin: undefined,
    forwardedFor: undefined,
    acceptLanguage: undefined,
    acceptEncoding: undefined,
    severalKeys: false,
    hosts: 0,
    bytes: 0,
  };
  for (let position = 0; position < raw.length; position += 2) {
    const name = raw[position] ?? '';
    const value = raw[position + 1] ?? '';
    found.bytes += name.length + value.length + ': \r\n'.length;
    // The length rules out nearly all names before any text is compared.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') found.hosts += 1;
        break;
      case 6:
        if (name.toLowerCase() === 'origin') found.origin = value;
        break;
      case 9:
        if (name.toLowerCase() === 'x-api-key') {
          found.severalKeys ||= found.apiKey !== undefined;
          found.apiKey = value;
        }
        break;
      case 12:
        if (name.toLowerCase() === 'content-type') found.contentType = value;
        break;
      case 13:
        readThirteen(found, name.toLowerCase(), value);
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') found.contentLength = value;
        break;
      case 15:
        readFifteen(found, name.toLowerCase(), value);
        break;
      case 16:
        if (name.toLowerCase() === 'content-encoding') found.contentEncoding = value;
        break;
      default:
    }
  }
  return found;
}

function readThirteen(found: Found, name: string, value: string): void {
  if (name === 'if-none-match') found.ifNoneMatch = value;
  else if (name === 'authorization') found.authorization = value;
  else if (name === 'x-admin-token') found.authorization = `Bearer ${value}`;
}

function readFifteen(found: Found, name: string, value: string): void {
  if (name === 'x-forwarded-for') found.forwardedFor = value;
  else if (name === 'accept-language') found.acceptLanguage = value;
  else if (name === 'accept-encoding') found.acceptEncoding = value;
}
