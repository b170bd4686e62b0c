import { expect, test } from 'vitest';
import { keptLog, START } from '../../test/harness/service.ts';
import { TROUBLE_LINE_EVERY_MS, Trouble } from './trouble.ts';

test('a trouble that every request meets makes one log line a minute, which counts the others', () => {
  const log = keptLog();
  const trouble = new Trouble(log, 'the disk is full');
  for (let at = 0; at < 2 * TROUBLE_LINE_EVERY_MS; at += 1_000) trouble.tell({ at }, START + at);
  expect(log.lines).toEqual([
    { level: 'warn', fields: { at: 0, untold: 0 }, message: 'the disk is full' },
    { level: 'warn', fields: { at: 60_000, untold: 59 }, message: 'the disk is full' },
  ]);
});

test('a clock that is set back does not silence it', () => {
  const log = keptLog();
  const trouble = new Trouble(log, 'the disk is full');
  trouble.tell({}, START);
  trouble.tell({}, START - TROUBLE_LINE_EVERY_MS + 1);
  expect(log.lines).toHaveLength(1);
  trouble.tell({}, START - TROUBLE_LINE_EVERY_MS);
  expect(log.lines).toHaveLength(2);
});
