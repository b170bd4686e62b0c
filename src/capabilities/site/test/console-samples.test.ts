import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startTestService } from '../../../../test/harness/service.ts';
import { CODE_KINDS, type CodeKind, sampleOf } from '../text/samples.ts';

const run = promisify(execFile);

/** How code of each language is run, where the language is there. */
const RUNNERS: Readonly<Record<CodeKind, (code: string) => [file: string, args: string[]]>> = {
  sh: (code) => ['/bin/sh', ['-c', code.replace(/^curl /, 'curl -sS ')]],
  js: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  python: (code) => ['python3', ['-c', code]],
  php: (code) => ['php', ['-r', code.replace(/^<\?php/, '')]],
};

const PROGRAMS: Readonly<Record<CodeKind, string>> = {
  sh: 'curl',
  js: process.execPath,
  python: 'python3',
  php: 'php',
};

function isThere(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':');
  return existsSync(program) || folders.some((folder) => existsSync(`${folder}/${program}`));
}

describe('the code that the console shows', () => {
  for (const kind of CODE_KINDS) {
    test.skipIf(!isThere(PROGRAMS[kind]))(
      `makes the request as it stands, whatever is in it: ${kind}`,
      async () => {
        const { url, keyFor, call } = await startTestService();
        const key = await keyFor('Inicio');
        const print = async (request: { method: string; path: string; body?: string }) => {
          const code = sampleOf(kind, { ...request, url: url + request.path, key });
          return (await run(...RUNNERS[kind](code))).stdout;
        };
        expect(await print({ method: 'GET', path: '/v1/account?a=b%27c&d=%22' })).toContain(
          '"acc_',
        );
        const env = { ...process.env, VESFX_KEY: key };
        const withoutKey = sampleOf(kind, { method: 'GET', url: `${url}/v1/account` });
        expect((await run(...RUNNERS[kind](withoutKey), { env })).stdout).toContain('"acc_');
        const tag = 'o-tag';
        const body = JSON.stringify({ tag, kind: 'fixed', value: 2, active: true }, undefined, 2);
        const created = await print({ method: 'POST', path: '/v1/account/markups', body });
        expect(created).toContain('"tag":"o-tag"');
        const odd = JSON.stringify({ tag: `'"\\\n$HOME ñ`, kind: 'fixed', value: 1 });
        expect(await print({ method: 'POST', path: '/v1/account/markups', body: odd })).toContain(
          'must be 1 to 32 of a-z',
        );
        await print({ method: 'DELETE', path: `/v1/account/markups/${tag}` });
        expect((await call('/v1/account/markups', { key })).json.markups).toEqual([]);
      },
    );
  }
});
