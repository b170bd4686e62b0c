import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { examineMachine } from '../../src/core/cli/commands/doctor/machine.ts';
import { readConfig } from '../../src/core/config.ts';
import { fillWithEmptyStore } from '../harness/empty-store.ts';
import { ON_POSTGRES, START, startTestService, temporaryDir } from '../harness/service.ts';

test.skipIf(ON_POSTGRES).each([
  ['700', undefined],
  ['755', '755'],
  ['750', '750'],
  ['701', '701'],
])(
  'a data folder with the permissions %s is reported at the start and by doctor: %s',
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
    const findings = examineMachine(readConfig({ data: dataDir }, {}), START);
    const found = findings.filter(({ subject }) => subject === 'data folder');
    expect(found.map(({ level, remedy }) => [level, remedy])).toEqual(
      permissions === undefined ? [] : [['warning', `Run chmod 700 ${dataDir}.`]],
    );
  },
);
