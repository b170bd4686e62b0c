import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { openStore } from '../../storage/store.ts';
import type { Store } from '../ports/store.ts';
import { Accounts, MAX_ACCOUNT_NAME_LENGTH } from './accounts.ts';

const { plans } = loadCatalogue('catalog');

describe('the name of an account', () => {
  let dir: string;
  let store: Store;
  let accounts: Accounts;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'vesfx-accounts-'));
    store = await openStore({ dataDir: dir });
    accounts = new Accounts({ store, plans, clock: { now: () => 0 } });
  });

  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });

  test('is kept as given, without surrounding spaces', async () => {
    const longest = 'ñ'.repeat(MAX_ACCOUNT_NAME_LENGTH);
    for (const [given, kept] of [
      ['  La Tiendita, C.A. \n', 'La Tiendita, C.A.'],
      ['👩‍👧 = "1"', '👩‍👧 = "1"'],
      [longest, longest],
    ] as const) {
      expect((await accounts.create(given, 'gratis')).name).toBe(kept);
    }
  });

  test.each([
    ['is empty', ''],
    ['is only spaces', ' \t\n'],
    ['is one character too long', 'a'.repeat(MAX_ACCOUNT_NAME_LENGTH + 1)],
    ['has an escape sequence', 'a\u001b[31mred'],
    ['has a line break', 'a\nb'],
    ['has a tab', 'a\tb'],
    ['has a NUL', 'a\u0000b'],
    ['has DEL', 'a\u007f'],
    ['has a C1 control character', 'a\u009b31m'],
  ])('is refused when it %s', async (_, name) => {
    await expect(accounts.create(name, 'gratis')).rejects.toMatchObject({
      code: 'invalid_format',
      options: { field: 'name' },
    });
    expect(await store.listAccounts()).toEqual([]);
  });
});
