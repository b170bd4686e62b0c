import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { lowerPriority } from '../../../../core/app/lower-priority.ts';
import { readProductFile } from '../../../../core/product-files.ts';
import type { Drawing } from './painter.ts';

/** Answers go first. On Linux alone this is the priority of the thread, not of the process. */
const PICTURE_NICENESS = 5;
if (process.platform === 'linux') lowerPriority(PICTURE_NICENESS);

const WEIGHTS = [500, 700];
const fontBuffers = WEIGHTS.map((weight) =>
  readProductFile(`node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`),
);
await initWasm(readProductFile('node_modules/@resvg/resvg-wasm/index_bg.wasm'));

/** The code of the thread. Only `Painter` starts this file, and sends one drawing at a time. */
parentPort?.on('message', ({ svg, width }: Drawing) => {
  const fitTo = { mode: 'width', value: width } as const;
  const drawing = new Resvg(svg, { fitTo, font: { fontBuffers, defaultFontFamily: 'Inter' } });
  const image = drawing.render();
  parentPort?.postMessage(image.asPng());
  // Their memory belongs to the library, which nothing else tells that they are done.
  image.free();
  drawing.free();
});
