import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../../../../test/harness/commands.ts';
import { read } from '../../../../test/harness/repository.ts';
import { temporaryDir } from '../../../../test/harness/service.ts';
import { allEndpoints } from '../../../core/http/endpoints/all.ts';

/** `vesfx routes`, the table of contents of the endpoints. */

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly checks: readonly string[];
  readonly cost: number;
  readonly file?: string;
}

async function routes(variables: Readonly<Record<string, string>> = {}): Promise<Listed[]> {
  const data = variables['VESFX_DATA'] ?? join(await temporaryDir(), 'none');
  const env = { ...process.env, ...variables, VESFX_DATA: data };
  const { code, out, err } = await runHere(['routes', '--json'], env);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const named = ({ method, path }: Pick<Listed, 'method' | 'path'>) => `${method} ${path}`;

test('vesfx routes lists every endpoint in its order, each in the file that declares it (contract §4)', async () => {
  const listed = await routes({ VESFX_ADMIN_TOKEN: 'a-token-of-the-operator' });
  const ofCore = allEndpoints({ admin: true });
  const own = listed.slice(0, ofCore.length);
  expect(own.map(named)).toEqual(ofCore.map(named));
  for (const { path, file = '' } of own) {
    expect([path, read(file).includes(`path: '${path}'`)]).toEqual([path, true]);
  }
});

test('vesfx routes gives the checks in the order of contract §4, and the units of a call', async () => {
  const listed = new Map((await routes()).map((one) => [named(one), one]));
  expect(listed.get('POST /v1/fx/bulk/convert')).toEqual({
    ...{ method: 'POST', path: '/v1/fx/bulk/convert', cost: 1 },
    checks: [
      ...['key', 'scope rates', 'plan with bulk_convert', 'JSON body'],
      ...['market in the plan', 'bulk hour'],
    ],
    file: 'src/core/http/endpoints/bulk-convert.ts',
  });
  const calculator = listed.get('GET /v1/fx/public/calculator');
  expect([calculator?.checks, calculator?.cost]).toEqual([['no key', 'limit by address'], 0]);
  // Without a token of the operator there is no such address.
  expect(listed.has('POST /v1/admin/records')).toBe(false);
});

test('vesfx routes needs no database, makes none, and leaves nothing behind (contract §14)', async () => {
  const folder = await temporaryDir();
  // Where the system puts temporary folders follows the environment of the process itself.
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await routes({ VESFX_DATA: join(folder, 'data'), VESFX_PORT: '1' });
  expect(readdirSync(folder)).toEqual([]);
});
