import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { PostgresUrlError, readPostgresUrl } from './url.ts';

describe('the address of a PostgreSQL database', () => {
  test('is parsed in all its parts, and shown without its password', () => {
    const url =
      'postgres://us%40er:p%40ss%2Fw%25rd@db.example:6432/ra%20tes?options=-c%20search_path=x';
    expect(readPostgresUrl(url)).toEqual({
      host: 'db.example',
      port: 6432,
      user: 'us@er',
      password: 'p@ss/w%rd',
      database: 'ra tes',
      tls: undefined,
      options: '-c search_path=x',
      shown: 'postgres://us%40er@db.example:6432/ra%20tes?options=-c%20search_path=x',
    });
    expect(readPostgresUrl('postgresql://[::1]')).toMatchObject({ host: '::1', port: 5432 });
    expect(readPostgresUrl('postgres://x/db?host=/run/postgres')).toMatchObject({
      host: '/run/postgres',
    });
  });

  test.each(['require', 'verify-ca', 'verify-full'])(
    'with sslmode=%s checks the server',
    (mode) => {
      expect(readPostgresUrl(`postgres://h/d?sslmode=${mode}`).tls).toEqual({
        authorities: undefined,
      });
    },
  );

  test.each([undefined, 'disable'])('with sslmode %s has no TLS', (mode) => {
    const query = mode === undefined ? '' : `?sslmode=${mode}`;
    expect(readPostgresUrl(`postgres://h/d${query}`).tls).toBeUndefined();
  });

  test.each([
    ['another scheme', 'mysql://u:secret-1@h/d'],
    ['no address', 'secret-1'],
    ['TLS that checks nothing', 'postgres://u:secret-1@h/d?sslmode=no-verify'],
    ['TLS perhaps', 'postgres://u:secret-1@h/d?sslmode=prefer'],
    ['an unknown parameter', 'postgres://u:secret-1@h/d?pgbouncer=true'],
    ['a parameter given twice', 'postgres://u:secret-1@h/d?sslmode=disable&sslmode=require'],
    ['certificates without TLS', 'postgres://u:secret-1@h/d?sslrootcert=/x'],
    ['certificates that are not there', 'postgres://u:secret-1@h/d?sslmode=require&sslrootcert=/x'],
    ['a % that is no code', 'postgres://u:secret-1%zz@h/d'],
  ])('is refused for %s, without its password', (_, url) => {
    const read = () => readPostgresUrl(url);
    expect(read).toThrow(PostgresUrlError);
    expect(read).not.toThrow(/secret-1/);
    const config = () => readConfig({}, { VESFX_DATABASE_URL: url });
    expect(config).toThrow(/^VESFX_DATABASE_URL: /);
    expect(config).not.toThrow(/secret-1/);
  });
});

describe('which database', () => {
  const URL = 'postgres://h/d';
  const which = (data: string | undefined, env: Record<string, string>) => {
    const { postgres, dataDir } = readConfig({ data }, env);
    return postgres?.shown ?? dataDir;
  };

  test('--data takes precedence over VESFX_DATABASE_URL, and that over VESFX_DATA', () => {
    expect(which('/flag', { VESFX_DATABASE_URL: URL, VESFX_DATA: '/env' })).toBe('/flag');
    expect(which(undefined, { VESFX_DATABASE_URL: URL, VESFX_DATA: '/env' })).toBe(URL);
    expect(which(undefined, { VESFX_DATABASE_URL: 'sqlite:/s', VESFX_DATA: '/env' })).toBe('/s');
    expect(which(undefined, { VESFX_DATA: '/env' })).toBe('/env');
    expect(which(undefined, { VESFX_DATABASE_URL: 'sqlite:///s' })).toBe('/s');
  });
});
