import { get } from 'node:http';

/** Measures the transferred size of a running service's pages: `bench/pages.ts ADDRESS`. */

interface Weighed {
  readonly path: string;
  readonly sent: number;
  readonly text: string;
}

function bytesOf(url: string, acceptEncoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': acceptEncoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(parts)));
    }).on('error', reject);
  });
}

async function weigh(origin: string, path: string): Promise<Weighed> {
  const sent = (await bytesOf(origin + path, 'br')).length;
  return { path, sent, text: String(await bytesOf(origin + path, 'identity')) };
}

/** A page with everything that it loads, each once. */
async function weighPage(origin: string, path: string): Promise<readonly Weighed[]> {
  const page = await weigh(origin, path);
  const found = new Map([[path, page]]);
  for (const [, address = ''] of page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    if (!found.has(address)) found.set(address, await weigh(origin, address));
  }
  return [...found.values()];
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const total = (all: readonly Weighed[]) => all.reduce((sum, { sent }) => sum + sent, 0);

const origin = process.argv[2] ?? 'http://127.0.0.1:8080';
const scripts = new Map<string, Weighed>();
for (const path of ['/', '/console', '/docs', '/methodology', '/status']) {
  const all = await weighPage(origin, path);
  const code = all.filter((one) => one.path.endsWith('.js'));
  for (const one of code) scripts.set(one.path, one);
  const [page] = all;
  console.log(
    `| \`${path}\` | ${kilobytes(page?.sent ?? 0)} | ${kilobytes(total(code))} | ${kilobytes(total(all))} |`,
  );
}
console.log(`all scripts: ${kilobytes(total([...scripts.values()]))} in ${scripts.size} files`);
