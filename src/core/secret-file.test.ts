import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { MAX_SECRET_FILE_BYTES, readSecretFile } from './secret-file.ts';
import { SETTINGS, type SettingTexts } from './settings.ts';

const TOKEN = '0123456789abcdef';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'vesfx-secret-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function file(content: string | Uint8Array, mode = 0o640): string {
  const path = join(folder(), 'secret');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('a secret from a file', () => {
  test('is its line without the end, as editors, echo and systemd write it', () => {
    for (const end of ['', '\n', '\r\n']) expect(readSecretFile(file(TOKEN + end))).toBe(TOKEN);
    expect(readSecretFile(file(' contraseña '))).toBe(' contraseña ');
    const link = join(folder(), 'link');
    symlinkSync(file(TOKEN), link);
    expect(readSecretFile(link)).toBe(TOKEN);
    // Credentials of systemd: others than the user are in an access list, shown as the group's right.
    for (const mode of [0o400, 0o440, 0o600]) expect(readSecretFile(file(TOKEN, mode))).toBe(TOKEN);
  });

  test.each([
    ['that is not there', () => join(folder(), 'none'), /none cannot be read: ENOENT/],
    ['that is a folder', folder, /is no regular file\.$/],
    ['that is a pipe, for which it would wait', pipe, /is no regular file\.$/],
    ['that is empty', () => file(''), /is empty\.$/],
    ['of spaces and an end', () => file('  \n'), /is empty\.$/],
    ['of several lines', () => file(`${TOKEN}\n${TOKEN}\n`), /has more than one line\.$/],
    ['of other bytes than UTF-8', () => file(Uint8Array.of(0xff)), /is not text in UTF-8\.$/],
    ['that all can read', () => file(TOKEN, 0o644), /^every user can read .* chmod o-r\.$/],
    [
      'that is too long',
      () => file('x'.repeat(MAX_SECRET_FILE_BYTES + 1)),
      /has more than 4096 bytes\.$/,
    ],
  ])('is refused from one %s', (_, make, message) => {
    expect(() => readSecretFile(make())).toThrow(message);
  });

  test('may have 4096 bytes', () => {
    const longest = 'x'.repeat(MAX_SECRET_FILE_BYTES);
    expect(readSecretFile(file(longest))).toBe(longest);
  });

  function pipe(): string {
    const path = join(folder(), 'pipe');
    execFileSync('mkfifo', ['-m', '600', path]);
    return path;
  }
});

describe('VESFX_…_FILE', () => {
  test('gives every secret of the table, also from VESFX_ENV_FILE, and is read anew each time', () => {
    const secret = file(`${TOKEN}\n`);
    const lines = file(`VESFX_ADMIN_TOKEN_FILE=${secret}\nVESFX_ADMIN_TOKEN=\n`);
    const env = { VESFX_ENV_FILE: lines, VESFX_DATABASE_URL_FILE: file('sqlite:/srv/rates') };
    expect(readConfig({}, env)).toMatchObject({ adminToken: TOKEN, dataDir: '/srv/rates' });
    writeFileSync(secret, `another ${TOKEN}\n`);
    expect(readConfig({}, env).adminToken).toBe(`another ${TOKEN}`);
    // An empty variable counts as absent.
    expect(readConfig({}, { VESFX_ADMIN_TOKEN_FILE: '' }).adminToken).toBeUndefined();
  });

  test('is refused beside the secret itself, and for what its file has', () => {
    const both = { VESFX_ADMIN_TOKEN: TOKEN, VESFX_ADMIN_TOKEN_FILE: file(TOKEN) };
    expect(() => readConfig({}, both)).toThrow(
      new ConfigError('VESFX_ADMIN_TOKEN and VESFX_ADMIN_TOKEN_FILE are both set: remove one.'),
    );
    const short = { VESFX_METRICS_TOKEN_FILE: file('short') };
    expect(() => readConfig({}, short)).toThrow('VESFX_METRICS_TOKEN must have at least 16');
    const empty = { VESFX_METRICS_TOKEN_FILE: file('') };
    expect(() => readConfig({}, empty)).toThrow(/^VESFX_METRICS_TOKEN_FILE: .* is empty\.$/);
  });

  test('is no setting for what is no secret', () => {
    for (const [name, { isSecret }] of Object.entries<SettingTexts>(SETTINGS)) {
      const env = { VESFX_ENV_FILE: file(`${name}_FILE=/nonexistent\n`) };
      const message =
        isSecret === true ? `${name}_FILE: /nonexistent cannot be read` : 'no such setting';
      expect(() => readConfig({}, env)).toThrow(message);
    }
  });
});
