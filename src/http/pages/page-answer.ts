import { acceptedCodings } from '../encoding/negotiation.ts';
import { matches } from '../encoding/validators.ts';
import type { Answer } from '../routing/answer.ts';
import type { RequestHeaders } from '../routing/request-headers.ts';
import type { PageAnswer } from '../routing/router.ts';
import { PageBody } from './page-body.ts';

/**
 * What is sent of a page: compressed as the client takes it, and nothing but its headers when the
 * client has it already.
 */
export async function answerWithPage(
  page: PageAnswer,
  { requestId, asked }: { readonly requestId: string; readonly asked: RequestHeaders },
): Promise<Answer> {
  const { status = 200, contentType, headers = [] } = page;
  const body = typeof page.body === 'string' ? new PageBody(page.body, { kept: false }) : page.body;
  const lines = ['X-Request-Id', requestId, ...headers, 'Vary', 'Accept-Encoding'];
  const isKept = !headers.includes('no-store');
  if (isKept) lines.push('ETag', body.etag);
  if (isKept && status === 200 && matches(asked.ifNoneMatch, body.etag)) {
    return { status: 304, headers: lines, body: undefined };
  }
  lines.push('Content-Type', contentType);
  const [coding = 'identity'] = acceptedCodings(asked.acceptEncoding);
  const coded = coding === 'identity' ? undefined : await body.coded(coding);
  if (coded === undefined) {
    return { status, headers: lines, body: body.bytes };
  }
  lines.push('Content-Encoding', coding);
  return { status, headers: lines, body: coded };
}
