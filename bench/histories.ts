/** A separate process that requests histories, several at a time, until it gets a stop message. */

interface Order {
  readonly url: string;
  readonly key: string;
  readonly clients: number;
}

let pulled = 0;
let stopped = false;

async function pull({ url, key }: Order): Promise<void> {
  while (!stopped) {
    const response = await fetch(url, { headers: { 'X-API-Key': key } });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
    pulled += 1;
  }
}

process.once('message', async (order: Order) => {
  process.once('message', () => {
    stopped = true;
  });
  await Promise.all(Array.from({ length: order.clients }, () => pull(order)));
  process.send?.(pulled, () => process.exit());
});
