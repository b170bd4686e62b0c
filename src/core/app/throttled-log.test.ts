import { expect, test } from 'vitest';
import { recordedLog, START } from '../../../test/harness/service.ts';
import { LOG_LINE_EVERY_MS, ThrottledLog } from './throttled-log.ts';

test('a recurring problem is logged once a minute, with the number of suppressed lines', () => {
  const log = recordedLog();
  const throttled = new ThrottledLog(log, 'the disk is full');
  for (let at = 0; at < 2 * LOG_LINE_EVERY_MS; at += 1_000) throttled.warn({ at }, START + at);
  expect(log.lines).toEqual([
    { level: 'warn', fields: { at: 0, suppressed: 0 }, message: 'the disk is full' },
    { level: 'warn', fields: { at: 60_000, suppressed: 59 }, message: 'the disk is full' },
  ]);
});

test('a clock that is set back does not silence it', () => {
  const log = recordedLog();
  const throttled = new ThrottledLog(log, 'the disk is full');
  throttled.warn({}, START);
  throttled.warn({}, START - LOG_LINE_EVERY_MS + 1);
  expect(log.lines).toHaveLength(1);
  throttled.warn({}, START - LOG_LINE_EVERY_MS);
  expect(log.lines).toHaveLength(2);
});
