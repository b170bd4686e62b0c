import type { Log } from '../../../app/ports/log.ts';
import type { Answer } from '../routing/answer.ts';
import {
  KEY_NAME,
  type RequestContext,
  withoutKeys,
  withoutPathKey,
} from '../routing/request-context.ts';

/** Any kind of key. */
const KEY = /vfx_/i;
const HIDDEN = '…';
/** A text that is encoded more often is not shown. */
const ENCODINGS_READ = 3;

/** Logs a line for each answered request; never a key, however it was sent. */
export function logAccess(
  log: Log,
  request: RequestContext,
  answer: Answer,
  { ms, caller: address }: { readonly ms: number; readonly caller: string | undefined },
): void {
  const { requestId, caller } = request;
  const { method } = request.message;
  const inside = request.pathParameters[KEY_NAME];
  const path = (withoutPathKey(request.path)?.path ?? request.path)
    .split('/')
    .map((segment) => (segment === inside ? HIDDEN : segment))
    .join('/');
  const query = withoutKeys(request.query).query;
  const fields = {
    // Before all that callers choose, so that a program can read it without being misled.
    address,
    requestId,
    method,
    path: withoutSecrets(path),
    query: query === '' ? undefined : withoutSecrets(query),
    status: answer.status,
    ms: Math.ceil(ms * 1_000) / 1_000,
    bytes: method === 'HEAD' ? 0 : (answer.body?.length ?? 0),
    account: caller?.account.id,
  };
  log.debug(fields, 'request');
}

/** A text in which a key may stand is not shown at all: it may be percent-encoded, even several times. */
function withoutSecrets(text: string): string {
  let decoded = text;
  for (let times = 0; times < ENCODINGS_READ; times += 1) {
    if (KEY.test(decoded)) return HIDDEN;
    if (!decoded.includes('%')) return text;
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return HIDDEN;
    }
  }
  return HIDDEN;
}
