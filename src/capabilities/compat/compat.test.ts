import { describe, expect, test } from 'vitest';
import { compat } from './compat.ts';

describe('VESFX_COMPAT (contract §12)', () => {
  const check = (text: string) => () => compat.settings?.VESFX_COMPAT?.check?.(text);

  test('names services between commas', () => {
    expect(check(' frankfurter, dolarapi,dolarapi,')).not.toThrow();
  });

  test.each(['dolarAPI', 'dolarapi;', 'monitor', 'all', 'constructor'])(
    'prevents the start for %j',
    (text) => {
      expect(check(text)).toThrow(`VESFX_COMPAT: "${text}" is not one of dolarapi`);
    },
  );

  test.each(['*.rates.example', '*.a-1.b', ''])('VESFX_COMPAT_HOST may be %j', (text) => {
    expect(() => compat.settings?.VESFX_COMPAT_HOST?.check?.(text)).not.toThrow();
  });

  test.each(['rates.example', '*', '*.Rates.example', '*.*.b', 'https://*.a.b', '*.a.b:80', '*.'])(
    'VESFX_COMPAT_HOST=%s prevents the start',
    (text) => {
      expect(() => compat.settings?.VESFX_COMPAT_HOST?.check?.(text)).toThrow('VESFX_COMPAT_HOST');
    },
  );

  test('VESFX_COMPAT_OPEN is on or off', () => {
    const open = (text: string) => () => compat.settings?.VESFX_COMPAT_OPEN?.check?.(text);
    expect(open('1')).not.toThrow();
    expect(open('yes')).toThrow('VESFX_COMPAT_OPEN must be one of 1, true, 0, false');
  });
});
