import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { official } from './harness/make.ts';
import { onPath } from './harness/on-path.ts';
import { startTestService } from './harness/service.ts';

/** Runs the addon's own tests in Python, a real service among what they ask. */

const FOLDER = fileURLToPath(new URL('odoo/', import.meta.url));
/** An interpreter starts slowly on a busy machine. */
const RUN_TIMEOUT_MS = 100_000;

const python = onPath('python3');

test('the Odoo add-on stores each rate of a real service once, on its value date', async ({
  skip,
}) => {
  if (python === undefined) return skip('there is no python3 on this machine');
  const service = await startTestService();
  await service.push(
    official('2026-11-19', { USD: 790.25, EUR: 910 }, { captured_at: '2026-11-18T21:10:00Z' }),
    // Captured on the UTC day after the one on which it took effect.
    official('2026-11-20', { USD: 800.5, EUR: 920.25 }, { captured_at: '2026-11-21T01:10:00Z' }),
    // Published but not in force: it stands at its value date already.
    official('2026-11-24', { USD: 801, EUR: 921 }, { captured_at: '2026-11-20T21:10:00Z' }),
  );
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    VESFX_URL: service.url,
    VESFX_KEY: await service.keyFor('Gratis'),
    VESFX_EXPECTED: JSON.stringify({
      'USD 2026-11-19': 790.25,
      'USD 2026-11-20': 800.5,
      'EUR 2026-11-19': 910,
      'EUR 2026-11-20': 920.25,
      'USD 2026-11-24': 801,
      'EUR 2026-11-24': 921,
    }),
    // Today is a Saturday; Monday is a bank holiday.
    VESFX_NEXT: JSON.stringify(
      Object.fromEntries(
        ['21', '22', '23'].flatMap((day) => [
          [`USD 2026-11-${day}`, 801],
          [`EUR 2026-11-${day}`, 921],
        ]),
      ),
    ),
  };
  const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', FOLDER];
  const { stderr } = await promisify(execFile)(python, args, { env, timeout: RUN_TIMEOUT_MS });
  expect(stderr).toMatch(/Ran 36 tests .*\n\nOK\n/);
});
