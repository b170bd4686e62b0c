/*
 * What Node runs first in the program of one file. It takes the bundle, and the code that V8 compiled of
 * it when the program was made, which makes every start shorter. On another architecture or with other
 * flags V8 does not take that code, and compiles the bundle.
 */
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const COMPILED = 'program.cache';
const isCompiled = getAssetKeys().includes(COMPILED);
const script = new Script(getAsset('program.js', 'utf8'), {
  filename: 'vesfx.js',
  cachedData: isCompiled ? Buffer.from(getRawAsset(COMPILED)) : undefined,
});
script.runInThisContext()(require);
