import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { readPostgresUrl } from '../src/storage/postgres/url.ts';
import { openStore } from '../src/storage/store.ts';
import { addressOf, asSuperuser, createDatabase, postgresPort } from './harness/postgres.ts';
import { ADMIN_TOKEN, startTestService } from './harness/service.ts';

/**
 * Checks `deploy/` against the product. It does not build images, but checks that every file and
 * command in them exists.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const files = readdirSync(DEPLOY);
/** Without comments. */
const linesOf = (name: string) =>
  read(name)
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'));

const linesOfSql = (name: string) =>
  read(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('--'));

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      command: z.array(z.string()).optional(),
      read_only: z.boolean().optional(),
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      depends_on: z.record(z.string(), z.unknown()).optional(),
      networks: z.array(z.string()),
      volumes: z.array(z.string()).optional(),
      tmpfs: z.array(z.string()).optional(),
      healthcheck: z.looseObject({ test: z.array(z.string()).optional() }).optional(),
    }),
  ),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});
/** One container on the embedded database, and several on PostgreSQL. */
const small = composeSchema.parse(parseYaml(read('compose.yaml')));
const large = composeSchema.parse(parseYaml(read('compose.postgres.yaml')));
const services = [small, large].flatMap((one) => Object.entries(one.services));
const ours = services.filter(([, { build }]) => build !== undefined);
const VOLUMES = [...Object.keys(small.volumes), ...Object.keys(large.volumes)];
const NETWORKS = [...Object.keys(small.networks), ...Object.keys(large.networks)];

/** The words after the launcher in the systemd unit. */
function unitCommand(): readonly string[] {
  const started = linesOf('vesfx.service').find((line) => line.startsWith('ExecStart='));
  return started?.split('/opt/vesfx/bin/vesfx.js ')[1]?.split(' ') ?? [];
}

describe('deploy/', () => {
  test('every command and flag exists', () => {
    const commands = [...ours.map(([, { command = [] }]) => command), unitCommand(), ['serve']];
    const told = new Map<string, string>();
    for (const [name = '', ...flags] of commands) {
      const help =
        told.get(name) ??
        execFileSync(process.execPath, ['bin/vesfx.js', name, '--help'], {
          cwd: ROOT,
          encoding: 'utf8',
        });
      told.set(name, help);
      expect(help).toContain(`Usage: vesfx ${name} `);
      for (const flag of flags.filter((word) => word.startsWith('--')))
        expect(help).toContain(flag);
    }
    expect([...told.keys()].sort()).toEqual(['collect', 'serve']);
  });

  test('every setting exists, and its value is accepted', () => {
    const known = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');
    const named = files.flatMap((name) => read(name).match(/VESFX_[A-Z_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.includes(`'${name}'`))).toEqual([]);
    for (const [, { environment = {} }] of ours) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{VESFX_PUBLIC_URL\S* .*\}/, 'https://rates.example')
          .replace(/\$\{\w+:-([^}]*)\}/, '$1')
          .replace(/\$\{\w+:\?[^}]*\}/, '0123456789abcdef'),
      ]);
      expect(() => readConfig({}, Object.fromEntries(filled))).not.toThrow();
    }
  });

  test('the example of the settings names each that the large set takes', () => {
    const taken = linesOf('compose.postgres.yaml').flatMap((line) =>
      [...line.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
    );
    const named = linesOf('.env.example').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(new Set(named)).toEqual(new Set(taken));
  });

  test('the process that reads the sources sends the alerts', () => {
    for (const service of [small.services['vesfx'], large.services['collector']]) {
      expect(service?.environment).toHaveProperty('VESFX_ALERTS');
      expect(service?.environment).toHaveProperty('VESFX_PUBLIC_URL');
      expect(service?.networks).toContain('outside');
    }
  });

  test('what only one container engine understands is not used', () => {
    // Podman knows no owner of a temporary file system.
    const temporary = services.flatMap(([, { tmpfs = [] }]) => tmpfs);
    expect(temporary.filter((mount) => mount.includes('uid='))).toEqual([]);
    // "wget --spider" asks with HEAD in some builds, which the proxy refuses with 405.
    const asked = services.flatMap(([, { healthcheck }]) => healthcheck?.test ?? []);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked).not.toContain('--spider');
  });

  test('every copied or mounted file exists', () => {
    const included = linesOf('Dockerfile.dockerignore').flatMap((line) =>
      line.startsWith('!') ? [line.slice(1)] : [],
    );
    // The tarball is there once `npm pack` has made it.
    const [tarball, ...others] = [...included].reverse();
    expect(tarball).toBe('vesfx-[0-9]*.tgz');
    expect(others.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    for (const [, { build, volumes = [] }] of services) {
      if (build !== undefined)
        expect(existsSync(join(DEPLOY, build.context, build.dockerfile))).toBe(true);
      for (const [from = ''] of volumes.map((volume) => volume.split(':'))) {
        if (from.startsWith('.')) expect(existsSync(join(DEPLOY, from))).toBe(true);
        else expect(VOLUMES).toContain(from);
      }
    }
  });

  test('dependencies and proxy targets are existing services', () => {
    const names = services.map(([name]) => name);
    expect(names).toEqual(['vesfx', 'database', 'server-1', 'server-2', 'collector', 'proxy']);
    for (const [, { depends_on: others = {}, networks }] of services) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(others)));
      expect(NETWORKS).toEqual(expect.arrayContaining(networks));
    }
    const upstreams = read('Caddyfile')
      .match(/reverse_proxy (.*) \{/)?.[1]
      ?.split(' ');
    expect(upstreams).toEqual(['server-1:8080', 'server-2:8080']);
    expect(read('Dockerfile')).toContain('VESFX_PORT=8080');
  });

  test('files have no secrets, images no "latest" tag, and ours runs without privileges', () => {
    const secret = /(PASSWORD|TOKEN|SECRET)/;
    for (const [, { environment = {}, image }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (secret.test(name)) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
      }
      expect(image).toMatch(/^vesfx:local$|:\d+\.\d+/);
    }
    expect(linesOf('.env.example').filter((line) => secret.test(line))).toEqual([
      'DATABASE_PASSWORD=',
      'DATABASE_ADMIN_PASSWORD=',
      'VESFX_ADMIN_TOKEN=',
    ]);
    expect(ours.map(([, { read_only }]) => read_only)).toEqual(ours.map(() => true));
    const dockerfile = linesOf('Dockerfile');
    expect(dockerfile.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(dockerfile.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(dockerfile).toContain('ARG NODE_IMAGE=node:26.10.0-bookworm-slim');
    expect(linesOf('vesfx.service')).toEqual(
      expect.arrayContaining(['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes']),
    );
  });

  test('the service has its own database role, which is no superuser', async () => {
    const { environment = {}, volumes = [] } = large.services['database'] ?? {};
    expect(environment['POSTGRES_USER']).not.toBe('vesfx');
    expect(volumes).toContain(
      './database-role.sql:/docker-entrypoint-initdb.d/database-role.sql:ro',
    );
    const database = await createDatabase();
    const role = `role_${database}`;
    const [setting = '', ...statements] = linesOfSql('database-role.sql');
    expect(setting).toBe('\\getenv password DATABASE_PASSWORD');
    expect(environment).toHaveProperty('DATABASE_PASSWORD');
    await asSuperuser(database, (client) =>
      client.query(
        statements
          .join('\n')
          .replaceAll(":'password'", "'of a test'")
          .replaceAll('DATABASE vesfx', `DATABASE ${database}`)
          .replaceAll(/(ROLE|TO) vesfx/g, `$1 ${role}`),
      ),
    );
    const postgres = readPostgresUrl(addressOf(await postgresPort(), database, role));
    const store = await openStore({ dataDir: '/nonexistent', postgres, waitMs: 20_000 });
    expect(await store.listAccounts()).toEqual([]);
    await store.close();
    const { rows } = await asSuperuser(database, (client) =>
      client.query('select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = $1', [
        role,
      ]),
    );
    expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }]);
  });

  test('memory, tasks and descriptors are limited', () => {
    for (const [, service] of services) {
      expect(service).toMatchObject({
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        pids_limit: expect.any(Number),
        ulimits: { nofile: { soft: expect.any(Number), hard: expect.any(Number) } },
      });
    }
    const unit = linesOf('vesfx.service').join('\n');
    expect(unit).toMatch(/^MemoryMax=\d+G$/m);
    expect(unit).toMatch(/^TasksMax=\d+$/m);
    expect(unit).toMatch(/^LimitNOFILE=\d+$/m);
  });

  test('every metric of the rules is in /metrics, and every alarm is explained', async () => {
    const rules = z.object({
      groups: z.array(
        z.object({ rules: z.array(z.looseObject({ alert: z.string(), expr: z.string() })) }),
      ),
    });
    const alarms = rules
      .parse(parseYaml(read('alerts.yaml')))
      .groups.flatMap((group) => group.rules);
    expect(alarms.length).toBeGreaterThan(5);
    const service = await startTestService();
    const headers = { 'X-Admin-Token': ADMIN_TOKEN };
    const { text } = await service.call('/metrics', { headers });
    const told = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
    const asked = alarms.flatMap(({ expr }) => expr.match(/\bvesfx_\w+/g) ?? []);
    expect(asked.filter((name) => !told.has(name.replace(/_bucket$/, '')))).toEqual([]);
    const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    expect(alarms.filter(({ alert }) => !guide.includes(`\`${alert}\``))).toEqual([]);
  });
});
