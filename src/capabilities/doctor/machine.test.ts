import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryDir } from '../../../test/harness/service.ts';
import { ConfigError, readConfig } from '../../core/config.ts';
import { examineDisk, examineMachine } from './machine.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const linksOf = (env: NodeJS.ProcessEnv) =>
  examineMachine(readConfig({}, env), NOW)
    .filter(({ subject }) => subject === 'public address')
    .map(({ level }) => level);

describe('links of a service that listens beyond this machine', () => {
  test.each([
    [{}, []],
    [{ VESFX_HOST: 'localhost' }, []],
    [{ VESFX_HOST: '127.0.0.2' }, []],
    [{ VESFX_HOST: '::1' }, []],
    [{ VESFX_HOST: '0.0.0.0' }, ['warning']],
    [{ VESFX_HOST: '::' }, ['warning']],
    [{ VESFX_HOST: '192.0.2.7' }, ['warning']],
    [{ VESFX_HOST: '0.0.0.0', VESFX_PUBLIC_URL: 'https://rates.example.net' }, []],
    [{ VESFX_HOST: '0.0.0.0', VESFX_PUBLIC_HOSTS: 'https://rates.example.net' }, []],
  ])('with %j the doctor reports %j (contract §4 Methodology)', (env, levels) => {
    expect(linksOf(env)).toEqual(levels);
  });

  test.each(['rates.example.net', 'https://rates.example.net/', '*', 'https://*.example.net'])(
    'VESFX_PUBLIC_HOSTS refuses %j, which is not an origin',
    (text) => {
      expect(() => readConfig({}, { VESFX_PUBLIC_HOSTS: text })).toThrow(ConfigError);
    },
  );
});

describe('free space on the disk of the data folder', () => {
  test.each<[number | undefined, string | undefined]>([
    [undefined, undefined],
    [1_000_000_000, undefined],
    [999_999_999, 'warning: Only 999 MB of disk space is free.'],
    [10_000_000, 'warning: Only 10 MB of disk space is free.'],
    [9_999_999, 'broken: The disk of the data folder is full.'],
    [0, 'broken: The disk of the data folder is full.'],
  ])('of %s bytes: the doctor reports %s', (freeBytes, found) => {
    const [finding] = examineDisk(freeBytes);
    expect(finding && `${finding.level}: ${finding.message}`).toBe(found);
  });
});

test.each([
  ['700', []],
  ['755', ['warning']],
  ['750', ['warning']],
  ['701', ['warning']],
])('a data folder with the permissions %s is reported: %j', async (mode, levels) => {
  const dataDir = await temporaryDir();
  chmodSync(dataDir, Number.parseInt(mode, 8));
  const found = examineMachine(readConfig({ data: dataDir }, {}), NOW).filter(
    ({ subject }) => subject === 'data folder',
  );
  expect(found.map(({ level }) => level)).toEqual(levels);
  for (const { remedy } of found) expect(remedy).toBe(`Run chmod 700 ${dataDir}.`);
});
