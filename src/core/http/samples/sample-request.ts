import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../app/access/access.ts';
import { parseJson } from '../../domain/exact-json.ts';
import type { Plans } from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';
import { WrittenBody } from '../framework/encoding/written-answer.ts';
import type { OpenCall } from '../pipeline/endpoint-call.ts';
import { ServiceRequest } from '../pipeline/service-request.ts';

/** The request of a sample: it comes from no client, and its caller is no account of the store. */
export function sampleRequest(
  { host, query }: { readonly host: string; readonly query: string },
  plans: Plans,
  now: Instant,
): ServiceRequest {
  const request = new ServiceRequest(messageTo(host), 'sample', now, () => '', 'GET');
  return Object.assign(request, { keylessQuery: query, caller: callerOf(plans) });
}

/** The cast is safe: of a message without a client, a call reads only these. */
function messageTo(host: string): IncomingMessage {
  const message = {
    ...{ rawHeaders: ['Host', host], headers: {}, method: 'GET', url: '' },
    socket: { destroyed: false, readableEnded: false },
  };
  return message as unknown as IncomingMessage;
}

/**
 * What the largest plan reads of the markets that every plan has, with the markup rules of the declared
 * samples: anyone reads a document, and a figure of another market is paid for.
 */
function callerOf({ list }: Plans): Caller {
  const [{ name } = {}, largest] = [list[0], list.at(-1)];
  if (name === undefined || largest === undefined) throw new Error('there is no plan');
  const plan = { ...largest, name };
  const id = 'sample';
  return {
    account: { id, name: id, plan: plan.name, status: 'active', createdAt: 0 },
    key: { id, accountId: id, digest: '', createdAt: 0, grant: { kind: 'full' } },
    plan,
    markups: ['tienda', 'shop'].map((tag) => ({
      ...{ tag, kind: 'percent', value: 3.5, markets: [], active: true },
    })),
  };
}

/**
 * What a call answers, read as JSON.
 * @throws ApiError as the endpoint refuses.
 */
export async function sampleAnswer(call: OpenCall, text: string | undefined): Promise<unknown> {
  if (text !== undefined) call.takeBody(text);
  call.check();
  const { body } = await (call.written?.() ?? call.answer());
  if (typeof body === 'function') return parseJson(await body());
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  return parseJson((bytes instanceof WrittenBody ? bytes.bytes : bytes).toString());
}
