import {
  KEY_NAME,
  type ServiceRequest,
  withoutKeys,
  withoutPathKey,
} from '../pipeline/service-request.ts';

/** Any kind of key. */
const KEY = /vfx_/i;
const HIDDEN = '…';
/** A text that is encoded more often is not shown. */
const ENCODINGS_READ = 3;

/** What the access log shows of a request; never a key, however it was sent. */
export function shownRequest({ path: sent, query: all, pathParameters, caller }: ServiceRequest) {
  const inside = pathParameters[KEY_NAME];
  const path = (withoutPathKey(sent)?.path ?? sent)
    .split('/')
    .map((segment) => (segment === inside ? HIDDEN : segment))
    .join('/');
  const { query } = withoutKeys(all);
  return {
    path: withoutSecrets(path),
    query: query === '' ? undefined : withoutSecrets(query),
    account: caller?.account.id,
  };
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
