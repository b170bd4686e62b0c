import { hash } from 'node:crypto';
import { notFound } from '../../../core/domain/errors.ts';
import {
  type WrittenAnswer,
  WrittenBody,
} from '../../../core/http/framework/encoding/written-answer.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import { isInProduct, readProductText } from '../../../core/product-files.ts';
import { type AssetName, type Assets, SCRIPTS, STYLE_FILES } from '../frame/asset-names.ts';

const FOLDER = 'src/capabilities/site';
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
const HASH_LENGTH = 10;

/**
 * Reads and hashes the scripts and stylesheets of the pages. An address contains a hash of the
 * content, so browsers may keep it for ever. Each is compressed at the first request.
 */
export function assetFiles() {
  const answers = new Map<string, WrittenAnswer>();
  const add = (name: string, text: string): string => {
    const mark = hash('sha256', text).slice(0, HASH_LENGTH);
    const dot = name.lastIndexOf('.');
    const address = `/assets/${name.slice(0, dot)}-${mark}${name.slice(dot)}`;
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    answers.set(address, {
      contentType: `${type}; charset=utf-8`,
      body: new WrittenBody(text),
      headers: ['Cache-Control', KEPT_FOR_GOOD, 'Cross-Origin-Resource-Policy', 'same-origin'],
    });
    return address;
  };
  const entries = new Map<AssetName, string>();
  for (const name of SCRIPTS) {
    entries.set(`${name}.js`, add(`${name}.js`, scriptText(name)));
  }
  for (const [name, paths] of Object.entries(STYLE_FILES)) {
    const own = paths.map((path) => readProductText(`${FOLDER}/${path}`)).join('');
    // In one file: the page is not painted before it has each of its stylesheets.
    const text = name === 'board' ? chartStyles() + own : own;
    // The cast is safe: the keys of an object literal are those of its type.
    entries.set(`${name as keyof typeof STYLE_FILES}.css`, add(`${name}.css`, text));
  }
  const address: Assets = (name) => entries.get(name) ?? missing(name);
  return { address, answers };
}

/** A checkout without its development packages has no bundler. Its pages work without scripts. */
const NOT_BUILT = `throw new Error('vesfx: the scripts of this page are not built: npm ci');`;

function scriptText(name: (typeof SCRIPTS)[number]): string {
  const file = `${FOLDER}/bundle/${name}.js`;
  return isInProduct(file) ? readProductText(file) : NOT_BUILT;
}

const chartStyles = () => readProductText('node_modules/uplot/dist/uPlot.min.css');

/** The addresses of the assets. Those of older versions are not served. */
export function assetPages(files: () => ReturnType<typeof assetFiles>): readonly Page[] {
  return [
    {
      path: '/assets/:file',
      respond: ({ path }) => files().answers.get(path) ?? unknownAddress(),
    },
    {
      // A worker controls only addresses below its own, so it stands beside the front page.
      path: '/service-worker.js',
      respond() {
        const { address, answers } = files();
        const answer = answers.get(address('service-worker.js')) ?? missing('service-worker.js');
        return { ...answer, headers: ['Cache-Control', 'no-cache'] };
      },
    },
  ];
}

function unknownAddress(): never {
  throw notFound('unknown_path');
}

function missing(name: string): never {
  throw new Error(`there is no asset ${name}`);
}
