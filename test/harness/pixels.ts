import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { resolve } = createRequire(import.meta.url);
const FONTS = [500, 700].map((weight) =>
  readFileSync(resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)),
);

/** Shared by all files of a worker: the library starts once in a process. */
let started: Promise<unknown> | undefined;

/** The pixels of an SVG, four bytes each, row by row. */
export async function pixelsOf(svg: string, width: number): Promise<Buffer> {
  started ??= initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  await started;
  const fitTo = { mode: 'width', value: width } as const;
  return Buffer.from(new Resvg(svg, { fitTo, font: { fontBuffers: FONTS } }).render().pixels);
}

/** The pixels of a PNG. */
export function pixelsOfPng(png: Buffer): Promise<Buffer> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const image = `<image width="${width}" height="${height}" href="${href}"/>`;
  const head = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`;
  return pixelsOf(`<svg ${head}>${image}</svg>`, width);
}
