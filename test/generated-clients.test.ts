import { execFile } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fullMarket } from './harness/make.ts';
import { ROOT } from './harness/repository.ts';
import { startTestService, temporaryDir } from './harness/service.ts';

const run = promisify(execFile);

const HOME = join(ROOT, 'test', 'generators');
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript/bin/cli.js', 'openapi.json', '-o'],
  'hey-api': [
    '@hey-api/openapi-ts/bin/run.js',
    ...['-p', '@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
    ...['-i', './openapi.json', '-o'],
  ],
};
const OUTPUTS = { 'openapi-typescript': 'openapi-typescript.ts', 'hey-api': './hey-api' };

type Figures = (baseUrl: string, key: string) => Promise<unknown>;

/** The cast is safe: the compiler has checked the program just now. */
async function figuresOf(program: string): Promise<Figures> {
  return (await import(pathToFileURL(program).href)).figures as Figures;
}

test.each(['openapi-typescript', 'hey-api'] as const)(
  '§4 a client that %s makes converts and reads history and the board without a cast',
  async (generator) => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const key = await service.keyFor('Escala');
    const folder = await temporaryDir();
    const [tool = '', ...options] = GENERATORS[generator];
    const program = `with-${generator}.ts`;
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await copyFile(join(HOME, program), join(folder, program));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'openapi.json'), (await service.call('/openapi.json')).text);
    const node = (...args: readonly string[]) => run(process.execPath, args, { cwd: folder });

    await node(join(HOME, 'node_modules', tool), ...options, OUTPUTS[generator]);
    await node(
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['--ignoreConfig', '--strict', '--target', 'es2023', '--lib', 'es2023,dom'],
      ...['--module', 'nodenext', '--types', '', '--outDir', 'made', program],
    );

    const figures = await figuresOf(join(folder, 'made', program.replace('.ts', '.js')));
    const { json: conversion } = await service.call('/v1/fx/convert?from=USD&to=VES&amount=2.5', {
      key,
    });
    expect(await figures(service.url, key)).toEqual({
      amount: Object(conversion).to.amount,
      rate: Object(conversion).rate,
      stale: false,
      staleness_sec: Object(conversion).staleness_sec,
      points: [expect.any(Number)],
      official: Object(conversion).rate,
    });
  },
);
