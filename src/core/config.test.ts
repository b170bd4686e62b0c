import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../test/harness/certificates.ts';
import { ConfigError, lacksPublicUrl, PACKAGED_CATALOGUE, readConfig } from './config.ts';

describe('VESFX_ENV_FILE', () => {
  const file = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'vesfx-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'vesfx.env');
    writeFileSync(path, text);
    return path;
  };

  test('gives the settings that the environment lacks, as an env file of systemd writes them', () => {
    const lines =
      '# secrets\nVESFX_PORT=9000\nVESFX_ADMIN_TOKEN="0123456789abcdef"\nPGPASSWORD=p\n';
    const env = { VESFX_ENV_FILE: file(lines), VESFX_PORT: '9001' };
    expect(readConfig({}, env)).toMatchObject({ port: 9001, adminToken: '0123456789abcdef' });
    expect(env).toEqual({ ...env, PGPASSWORD: 'p' });
    expect(env).not.toHaveProperty('VESFX_ADMIN_TOKEN');
  });

  test('names a file that cannot be read, and a setting in it that is invalid', () => {
    const missing = { VESFX_ENV_FILE: '/nonexistent/vesfx.env' };
    expect(() => readConfig({}, missing)).toThrow(/^VESFX_ENV_FILE: \/nonexistent\/vesfx.env/);
    const short = { VESFX_ENV_FILE: file('VESFX_ADMIN_TOKEN=short') };
    expect(() => readConfig({}, short)).toThrow(ConfigError);
    const misspelt = { VESFX_ENV_FILE: file('VESFX_METRIC_TOKEN=0123456789abcdef') };
    expect(() => readConfig({}, misspelt)).toThrow(/has VESFX_METRIC_TOKEN, and there is no such/);
  });

  test.each([
    ['NODE_OPTIONS', 'only counts in the environment of the process: with systemd, Environment='],
    ['NODE_TLS_REJECT_UNAUTHORIZED', 'only counts in the environment'],
    ['UV_THREADPOOL_SIZE', 'only counts in the environment'],
    ['LD_PRELOAD', 'only counts in the environment'],
    ['SSL_CERT_FILE', 'only counts in the environment'],
    ['HTTPS_PROXY', 'uses no proxy'],
    ['no_proxy', 'uses no proxy'],
  ])('refuses %s, which would do nothing there', (name, why) => {
    const env = { VESFX_ENV_FILE: file(`${name}=1\n`) };
    expect(() => readConfig({}, env)).toThrow(new RegExp(`has ${name}, .*${why}`));
    expect(() => readConfig({}, { VESFX_ENV_FILE: file(`${name}=\n`) })).not.toThrow();
    // Where it works, it is none of our business.
    expect(() => readConfig({}, { [name]: '1' })).not.toThrow();
  });

  test.each(['TZ', 'NODE_ENV', 'PGSSLMODE'])('takes %s, which counts there', (name) => {
    const env: NodeJS.ProcessEnv = { VESFX_ENV_FILE: file(`${name}=UTC\n`) };
    expect(() => readConfig({}, env)).not.toThrow();
    expect(env[name]).toBe('UTC');
  });

  test('NODE_EXTRA_CA_CERTS is trusted from the file too, and an unusable one is refused', () => {
    const { cert } = makeCertificate({ name: 'Authority of a test', isAuthority: true });
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    const pem = file(`# two lines\n${cert}`);
    const env = { VESFX_ENV_FILE: file(`NODE_EXTRA_CA_CERTS=${pem}\n`) };
    readConfig({}, env);
    // Read at each reload.
    readConfig({}, env);
    const marks = (all: readonly string[]) =>
      new Set(all.map((one) => new X509Certificate(one).fingerprint256));
    const trusted = getCACertificates('default');
    expect(marks(trusted)).toEqual(marks([...before, cert]));
    expect(trusted).toHaveLength(marks(trusted).size);
    const absent = { VESFX_ENV_FILE: file('NODE_EXTRA_CA_CERTS=/nonexistent/ca.pem') };
    expect(() => readConfig({}, absent)).toThrow(/^NODE_EXTRA_CA_CERTS: .*\/nonexistent\/ca.pem/);
    const empty = { VESFX_ENV_FILE: file(`NODE_EXTRA_CA_CERTS=${file('no certificate')}`) };
    expect(() => readConfig({}, empty)).toThrow(/has no certificates in PEM/);
    // The one of the environment wins, and Node has read it.
    expect(() => readConfig({}, { ...absent, NODE_EXTRA_CA_CERTS: pem })).not.toThrow();
  });
});

describe('VESFX_CATALOG', () => {
  const folderOf = (data: string, env: NodeJS.ProcessEnv) => readConfig({ data }, env).catalogueDir;

  test('without it, the folder catalog of the data folder counts once it is there', () => {
    const data = mkdtempSync(join(tmpdir(), 'vesfx-config-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    expect(folderOf(data, {})).toBe(PACKAGED_CATALOGUE);
    mkdirSync(join(data, 'catalog'));
    expect(folderOf(data, {})).toBe(join(data, 'catalog'));
    expect(folderOf(data, { VESFX_CATALOG: '/etc/vesfx' })).toBe('/etc/vesfx');
    const url = 'postgres://vesfx@db/vesfx';
    const onPostgres = { VESFX_DATABASE_URL: url, VESFX_DATA: data };
    expect(readConfig({}, onPostgres).catalogueDir).toBe(PACKAGED_CATALOGUE);
  });
});

describe('VESFX_TRUST_PROXY', () => {
  const trusts = (value: string) => readConfig({}, { VESFX_TRUST_PROXY: value }).trustProxy;

  test('is on for 1 and true, and off for 0, false, an empty value or none', () => {
    expect(['1', 'true'].map(trusts)).toEqual([true, true]);
    expect(['0', 'false', ''].map(trusts)).toEqual([false, false, false]);
    expect(readConfig({}, {}).trustProxy).toBe(false);
  });

  test.each(['yes', 'on', 'TRUE', '2', ' 1', '10.0.0.1'])(
    'refuses "%s" instead of being off',
    (value) => {
      expect(() => trusts(value)).toThrow(
        new ConfigError(`VESFX_TRUST_PROXY must be one of 1, true, 0, false, not "${value}".`),
      );
    },
  );
});

describe('VESFX_PUBLIC_URL', () => {
  const publicUrl = (value: string) => readConfig({}, { VESFX_PUBLIC_URL: value }).publicUrl;

  test('takes an address with or without a path, and a link continues it', () => {
    expect(publicUrl('https://rates.example')).toBe('https://rates.example');
    expect(publicUrl('http://rates.example:8080/')).toBe('http://rates.example:8080');
    expect(publicUrl('https://shop.example/rates/')).toBe('https://shop.example/rates');
    expect(publicUrl('')).toBeUndefined();
  });

  test.each([
    ['another scheme', 'ftp://rates.example'],
    ['no scheme', 'rates.example'],
    ['a query', 'https://rates.example/?a=1'],
    ['a query without a name', 'https://rates.example/?'],
    ['a fragment', 'https://rates.example/#rates'],
    ['a name and password, which links would show', 'https://me:secret@rates.example'],
  ])('refuses %s', (_, value) => {
    expect(() => publicUrl(value)).toThrow(
      new ConfigError(
        'VESFX_PUBLIC_URL must be an http or https address without user, query and fragment.',
      ),
    );
  });
});

describe('VESFX_CORS_ORIGINS', () => {
  const origins = (value: string) => readConfig({}, { VESFX_CORS_ORIGINS: value }).corsOrigins;

  test('takes origins as browsers send them, separated by commas', () => {
    expect(origins('https://shop.example')).toEqual(['https://shop.example']);
    expect(origins(' https://a.example:8443 ,http://localhost:3000,, http://[::1]:81 ')).toEqual([
      'https://a.example:8443',
      'http://localhost:3000',
      'http://[::1]:81',
    ]);
    expect(origins('app://shop')).toEqual(['app://shop']);
    expect(origins('')).toEqual([]);
    expect(readConfig({}, {}).corsOrigins).toEqual([]);
  });

  test.each([
    ['any origin', '*'],
    ['a pattern', 'https://*.example'],
    ['a path', 'https://shop.example/app'],
    ['the root as a path', 'https://shop.example/'],
    ['a query', 'https://shop.example?a=1'],
    ['no scheme', 'shop.example'],
    ['no scheme, but a port', 'shop.example:8443'],
    ['no host', 'https://'],
    ['a scheme alone', 'file://'],
    ['a name and password', 'https://me:secret@shop.example'],
    ['the port that browsers leave out', 'https://shop.example:443'],
    ['upper case, which browsers do not send', 'https://Shop.example'],
    ['letters that browsers send otherwise', 'https://peña.example'],
    ['the word for no origin', 'null'],
    ['a space in between', 'https://a.example https://b.example'],
  ])('refuses %s, which no browser sends', (_, value) => {
    expect(() => origins(`https://first.example,${value}`)).toThrow(ConfigError);
    expect(() => origins(value)).toThrow(`VESFX_CORS_ORIGINS: "${value}" `);
  });
});

describe('links have the listening address', () => {
  test.each([
    { listens: 'on this machine only', flags: {}, env: {}, lacks: false },
    { listens: 'beyond it', flags: {}, env: { VESFX_HOST: '0.0.0.0' }, lacks: true },
    { listens: 'beyond it, by a flag', flags: { host: '0.0.0.0' }, env: {}, lacks: true },
    {
      listens: 'beyond it, with its public address',
      flags: {},
      env: { VESFX_HOST: '0.0.0.0', VESFX_PUBLIC_URL: 'https://rates.example' },
      lacks: false,
    },
    {
      listens: 'beyond it, with hosts that it may name',
      flags: {},
      env: { VESFX_HOST: '0.0.0.0', VESFX_PUBLIC_HOSTS: 'https://rates.example' },
      lacks: false,
    },
  ])('of a service that listens $listens: $lacks', ({ flags, env, lacks }) => {
    expect(lacksPublicUrl(readConfig(flags, env))).toBe(lacks);
  });
});
