import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { filesIn } from '../scripts/compile.ts';
import { VesfxProcess } from '../testkit/vesfx-process.ts';
import { MAX_MAKING_MS, theProgram } from './harness/program.ts';
import { temporaryDir } from './harness/service.ts';

/** The image, by its steps: `deploy/install.sh` makes its only layer, and a root of its own runs it. */

const dockerfile = readFileSync(join('deploy', 'Dockerfile'), 'utf8');
const MAX_IMAGE_BYTES = 200_000_000;
const CHROOT = '/usr/sbin/chroot';
const UNSHARE = '/usr/bin/unshare';
const READY_MS = 100_000;

let program = '';
beforeAll(async () => {
  program = await theProgram();
}, MAX_MAKING_MS);

const settingsOfImage = Object.fromEntries(
  [...dockerfile.matchAll(/(VESFX_\w+|NODE_ENV)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

describe('the image', () => {
  test.runIf(process.getuid?.() === 0)(
    'has only the program and its libraries, under 200 MB; it starts as a user, and its check tells life',
    async () => {
      const root = join(await temporaryDir(), 'image');
      execFileSync('sh', ['deploy/install.sh', program, root], { stdio: 'ignore' });
      onTestFinished(() => rmSync(root, { recursive: true }));
      const files = filesIn(root);
      expect(
        files.filter((file) => !/^(?:usr\/bin\/vesfx|etc\/[\w.]+|.*\.so(?:\.\d+)*)$/.test(file)),
      ).toEqual([]);
      const bytes = files.map((file) => readFileSync(join(root, file)).length);
      expect(bytes.reduce((sum, of) => sum + of)).toBeLessThan(MAX_IMAGE_BYTES);

      const [, user = ''] = /^USER (\S+)$/m.exec(dockerfile) ?? [];
      const [entry = ''] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
      const command = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
      const check = JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
      // Every container has its devices.
      const script = `mkdir -p ${root}/dev && mount --bind /dev ${root}/dev && exec ${CHROOT} "$@"`;
      const inside = (...words: readonly string[]) => [
        ...['--mount', '--', 'sh', '-c', script, 'sh'],
        ...[`--userspec=${user}`, root, ...words],
      ];
      const env = { ...settingsOfImage, VESFX_HOST: '127.0.0.1', VESFX_PORT: '0' };
      const args = inside(entry, ...command, '--no-collect', '--json');
      const running = new VesfxProcess(args, { env, program: UNSHARE });
      onTestFinished(async () => {
        await running.kill();
      });
      const line = (await running.readyLine(READY_MS)) ?? running.err;
      const { port } = new URL(JSON.parse(line).listening);
      const probe = (VESFX_PORT: string) => {
        const { promise, resolve } = Promise.withResolvers<number>();
        execFile(UNSHARE, inside(...check), { env: { ...env, VESFX_PORT } }, (error) =>
          resolve(Number(error?.code ?? 0)),
        );
        return promise;
      };
      expect([await probe(port), await probe('9')]).toEqual([0, 1]);
      expect(await running.stop()).toMatchObject({ code: 0 });
    },
  );

  test('has no lint errors in its file', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
    expect(validate(dockerfile.replace('COPY --from', 'COPPY --from'))).not.toEqual([]);
  });
});
