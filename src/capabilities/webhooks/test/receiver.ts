import { Webhook } from 'standardwebhooks';
import type { Answer } from '../../../../test/harness/upstream.ts';
import { startUpstream } from '../../../../test/harness/upstream.ts';

/** The fields that tests look at. */
interface Told {
  readonly [name: string]: unknown;
  readonly market: string;
  readonly rates: Readonly<Record<string, object>>;
  readonly rate: { readonly mid: number };
  readonly previous: { readonly mid: number };
}

export interface Received {
  readonly id: string;
  readonly signature: string;
  readonly timestamp: number;
  readonly userAgent: string;
  readonly text: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Told };
}

/** A server that keeps what it gets, and answers 204 unless the test says otherwise. */
export async function startReceiver() {
  const upstream = await startUpstream();
  const got: Received[] = [];
  let answer: Answer = (_request, response) => response.writeHead(204).end();
  upstream.answers((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name]);
      const text = Buffer.concat(chunks).toString('utf8');
      got.push({
        id: header('webhook-id'),
        signature: header('webhook-signature'),
        timestamp: Number(header('webhook-timestamp')),
        userAgent: header('user-agent'),
        ...{ text, body: JSON.parse(text) },
      });
      answer(request, response);
    });
  });
  return {
    url: upstream.url,
    got,
    answers(given: Answer) {
      answer = given;
    },
    says(status: number, headers: Readonly<Record<string, string>> = {}) {
      answer = (_request, response) => response.writeHead(status, headers).end('an answer');
    },
  };
}

/** Whether the package of Standard Webhooks accepts what was received. It knows only the time of now. */
export function verifies(secret: string, { id, timestamp, signature, text }: Received): boolean {
  const webhook = new Webhook(secret);
  const signed = webhook.sign(id, new Date(timestamp * 1_000), text);
  return signature.split(' ').includes(signed);
}
