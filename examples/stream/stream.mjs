// Prints the rates whenever one changes. The client opens the stream again, after its last event.
import { Vesfx } from '@vesfx/client';

const vesfx = new Vesfx({ baseUrl: process.env.VESFX_URL, key: process.env.VESFX_KEY });
const mids = new Map();
for await (const event of vesfx.stream({ markets: ['parallel', 'binance'] })) {
  if (event.event === 'snapshot') mids.clear();
  for (const market of event.removed ?? []) mids.delete(market);
  for (const { market, mid } of event.rates) mids.set(market, mid);
  console.log(JSON.stringify(Object.fromEntries(mids)));
  const unsure = [...event.in_doubt, ...event.stale, ...event.frozen];
  if (unsure.length > 0) console.error(`Not to charge by: ${unsure.join(', ')}`);
}
