import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillWithEmptyStore } from '../harness/empty-store.ts';
import { ON_POSTGRES, startTestService, temporaryDir } from '../harness/service.ts';

test.skipIf(ON_POSTGRES).each([
  ['700', undefined],
  ['755', '755'],
  ['750', '750'],
  ['701', '701'],
])(
  'a data folder with the permissions %s is reported at the start: %s',
  async (mode, permissions) => {
    const dataDir = await temporaryDir();
    await fillWithEmptyStore(dataDir);
    chmodSync(dataDir, Number.parseInt(mode, 8));
    const { log } = await startTestService({ dataDir });
    const warnings = log.lines.filter(({ message }) => message.includes('data folder'));
    expect(warnings).toEqual(
      permissions === undefined
        ? []
        : [
            {
              level: 'warn',
              fields: { dataDir, permissions },
              message: 'other users can read the data folder; run chmod 700 on it',
            },
          ],
    );
  },
);
