// Receives the messages of a webhook, and prints what each tells.
//
//   npm install https://rates.example/client/vesfx-client.tgz
//   VESFX_WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
//
// Node 20 or later. Put a web server with TLS in front. While you rotate the secret, give both,
// separated by a space.
import { createServer } from 'node:http';
import { VesfxError, verifyWebhook } from '@vesfx/client';

/** The service sends 20 kB at most. */
const MAX_BODY_BYTES = 65_536;
const secrets = (process.env.VESFX_WEBHOOK_SECRET ?? '').split(' ');

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The status to answer with. Any other than 2xx, and the service sends the message again. */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  const body = await bodyOf(request);
  if (body === undefined) return 413;
  try {
    const { id, type, data } = await verifyWebhook(request.headers, body, secrets);
    console.log(id, type, JSON.stringify(data));
    return 204;
  } catch (error) {
    if (!(error instanceof VesfxError)) throw error;
    console.error(error.message);
    return 400;
  }
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
