import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CAPABILITIES } from '../src/capabilities.ts';
import { LEASE_MS } from '../src/core/app/collecting/collector-lease.ts';
import { settingsOfAll } from '../src/core/cli/added.ts';
import { readConfig } from '../src/core/config.ts';
import { FILE_ENDING } from '../src/core/secret-file.ts';
import { SETTINGS, type SettingTexts } from '../src/core/settings.ts';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { openStore } from '../src/core/storage/store.ts';
import { addressOf, asSuperuser, createDatabase, postgresPort } from './harness/postgres.ts';
import { ADMIN_TOKEN, START, startTestService, temporaryDir } from './harness/service.ts';
import { CAN_CHANGE_USER, installUnits, settingsOf } from './harness/units.ts';

/** Of Debian's package `prometheus`. */
const PROMTOOL = '/usr/bin/promtool';

/**
 * Checks `deploy/` against the product. It does not build images, but checks that every file and
 * command in them exists.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const files = readdirSync(DEPLOY, { withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? [entry.name] : [],
);
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

/** The words after the command in the systemd unit. */
function unitCommand(): readonly string[] {
  return settingsOf('vesfx.service', 'ExecStart')[0]?.split(' ').slice(1) ?? [];
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
    const all: Readonly<Record<string, Omit<SettingTexts, 'flag'>>> = {
      ...SETTINGS,
      ...settingsOfAll(CAPABILITIES),
    };
    const known = Object.entries(all).flatMap(([name, { isSecret }]) =>
      isSecret === true ? [name, name + FILE_ENDING] : [name],
    );
    const named = files.flatMap((name) => read(name).match(/VESFX_[A-Z_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    for (const [, { environment = {} }] of ours) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{VESFX_PUBLIC_URL\S* .*\}/, 'https://rates.example')
          .replace(/\$\{\w+:-([^}]*)\}/, '$1')
          .replace(/\$\{(\w+):\?[^}]*\}/, '0123456789abcdef of $1'),
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
    // The program is there once `npm run build:binary` has made it.
    const [program, ...others] = [...included].reverse();
    expect(program).toBe('dist/vesfx-linux-*');
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
      'VESFX_METRICS_TOKEN=',
    ]);
    expect(ours.map(([, { read_only }]) => read_only)).toEqual(ours.map(() => true));
    const dockerfile = linesOf('Dockerfile');
    expect(dockerfile.filter((line) => line.startsWith('USER '))).toEqual(['USER 1000:1000']);
    expect(dockerfile.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(dockerfile).toContain('ARG DEBIAN_IMAGE=debian:13.2-slim');
    expect(linesOf('vesfx.service')).toEqual(
      expect.arrayContaining(['User=vesfx', 'ProtectSystem=strict', 'NoNewPrivileges=yes']),
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

  test('the unit waits for a service that says it is ready, and ends one that gives no sign of life', () => {
    const unit = (name: string) => settingsOf('vesfx.service', name);
    expect(unit('Type')).toEqual(['notify']);
    // systemd-notify is a process of its own.
    expect(unit('NotifyAccess')).toEqual(['all']);
    expect(Number(unit('WatchdogSec')[0])).toBeGreaterThanOrEqual(30);
    // A start waits two minutes for the database.
    expect(Number(unit('TimeoutStartSec')[0])).toBeGreaterThan(120);
    expect(unit('Restart')).toEqual(['on-failure']);
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
    // A worker that is killed for memory does not take the others with it.
    expect(unit).toMatch(/^OOMPolicy=continue$/m);
    expect(unit).toMatch(/^TasksMax=\d+$/m);
    expect(unit).toMatch(/^LimitNOFILE=\d+$/m);
  });

  describe('the rules for Prometheus', () => {
    const rules = z.object({
      groups: z.array(
        z.object({
          rules: z.array(
            z.looseObject({
              alert: z.string(),
              expr: z.string(),
              labels: z.object({ severity: z.enum(['critical', 'warning']) }),
            }),
          ),
        }),
      ),
    });
    const alarms = rules
      .parse(parseYaml(read('alerts.yaml')))
      .groups.flatMap((group) => group.rules);

    test('every metric is in /metrics, and every alarm is explained', async () => {
      expect(alarms.length).toBeGreaterThan(10);
      const told = await metricsOfAService();
      expect(unknownIn(alarms, told)).toEqual([]);
      const guides = ['operating.md', 'operating.es.md'].map((name) =>
        readFileSync(join(ROOT, 'docs', name), 'utf8'),
      );
      for (const guide of guides) {
        expect(alarms.filter(({ alert }) => !guide.includes(`\`${alert}\``))).toEqual([]);
        const ours = [...told].filter((name) => !/^vesfx_(nodejs|process)_/.test(name));
        expect(ours.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
      }
    });

    test('no expression names a job, and all of one service stay apart from those of another', () => {
      expect(alarms.filter(({ expr }) => /job\s*=/.test(expr))).toEqual([]);
      const merged = alarms.filter(({ expr }) => /\b(max|min|sum)\b(?! by \(job)(?!_)/.test(expr));
      expect(merged.map(({ alert }) => alert)).toEqual([]);
    });

    test.skipIf(!existsSync(PROMTOOL))('promtool accepts them', () => {
      const told = execFileSync(PROMTOOL, ['check', 'rules', join(DEPLOY, 'alerts.yaml')]);
      expect(told.toString()).toContain(`SUCCESS: ${alarms.length} rules found`);
    });
  });
});

/** The names of all metrics of a real service. */
async function metricsOfAService(): Promise<ReadonlySet<string>> {
  const service = await startTestService();
  // Metrics without a value have no row.
  await service.service.store.takeLease('collector', START, START + LEASE_MS);
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const { text } = await service.call('/metrics', { headers });
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
}

/** The metrics in expressions that a service does not have. */
function unknownIn(queries: readonly { readonly expr: string }[], told: ReadonlySet<string>) {
  const asked = queries.flatMap(({ expr }) => expr.match(/\bvesfx_\w+/g) ?? []);
  return asked.filter((name) => !told.has(name.replace(/_bucket$/, '')));
}

describe('the dashboard and the scrape configuration', () => {
  const dashboard = z
    .object({
      uid: z.literal('vesfx'),
      panels: z.array(
        z.looseObject({
          id: z.number(),
          title: z.string().min(1),
          targets: z.array(z.looseObject({ expr: z.string().min(1) })).default([]),
        }),
      ),
      templating: z.object({
        list: z.array(z.looseObject({ name: z.string(), query: z.string() })),
      }),
    })
    .parse(JSON.parse(read('grafana.json')));

  test('every metric that the dashboard names exists, and those of the service itself are on it', async () => {
    const told = await metricsOfAService();
    const queries = dashboard.panels.flatMap(({ targets }) => targets);
    const chosen = dashboard.templating.list.map(({ query }) => ({ expr: query }));
    expect(queries.length).toBeGreaterThan(20);
    expect(unknownIn([...queries, ...chosen], told)).toEqual([]);
    const shown = ['database_up', 'collector_lease_held', 'alerts_open', 'quote_age_seconds'];
    for (const name of [...shown, 'source_failing_seconds', 'http_requests_total']) {
      expect(queries.filter(({ expr }) => expr.includes(`vesfx_${name}`))).not.toEqual([]);
    }
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Several services may be in one Prometheus.
    expect(queries.filter(({ expr }) => !expr.includes('{job=~"$job"'))).toEqual([]);
  });

  test('the scrape configuration reads /metrics with a token from a file, and the rules that are there', () => {
    const scrape = z.object({
      rule_files: z.array(z.string()),
      scrape_configs: z.array(
        z.strictObject({
          job_name: z.literal('vesfx'),
          scrape_interval: z.string(),
          scrape_timeout: z.string(),
          // The path is Prometheus's own default, /metrics.
          authorization: z.strictObject({ credentials_file: z.string() }),
          static_configs: z.array(
            z.strictObject({ targets: z.tuple([z.literal('127.0.0.1:8080')]) }),
          ),
        }),
      ),
    });
    const { rule_files: rules } = scrape.parse(parseYaml(read('prometheus.yml')));
    expect(rules.filter((name) => !files.includes(name))).toEqual([]);
  });

  test.skipIf(!existsSync(PROMTOOL))('promtool accepts both', async () => {
    const config = ['check', 'config', '--syntax-only', join(DEPLOY, 'prometheus.yml')];
    expect(execFileSync(PROMTOOL, config).toString()).toContain('is valid prometheus config');
    // It reads queries in rules only.
    const queries = dashboard.panels.flatMap(({ targets }) => targets);
    const rules = queries.map(({ expr }, index) => ({
      record: `panel:query${index}`,
      expr: expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(await temporaryDir(), 'queries.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const told = execFileSync(PROMTOOL, ['check', 'rules', file]).toString();
    expect(told).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

/** Absent from minimal machines. */
const ANALYZE = '/usr/bin/systemd-analyze';

describe('systemd', () => {
  test.skipIf(!existsSync(ANALYZE))('accepts the units and the timer', async () => {
    const folder = await temporaryDir();
    const units = files.filter((name) => /\.(?:service|timer)$/.test(name));
    expect(units).toEqual([
      ...['vesfx-backup.service', 'vesfx-backup.timer', 'vesfx-dump.service', 'vesfx-dump.timer'],
      'vesfx.service',
    ]);
    for (const name of units) {
      // It wants the command to exist.
      const unit = read(name).replaceAll('/usr/local/sbin/vesfx', join(DEPLOY, 'vesfx'));
      writeFileSync(join(folder, name), unit);
    }
    const paths = units.map((name) => join(folder, name));
    expect(execFileSync(ANALYZE, ['verify', ...paths], { encoding: 'utf8' })).toBe('');
  });

  test.skipIf(!CAN_CHANGE_USER)(
    'the units run in a checkout as their own user, and the operator runs each command by one name',
    async () => {
      const installed = await installUnits({ opt: ROOT.replace(/\/$/, ''), bin: '/nonexistent' });
      const { pid, url } = await installed.start();
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const created = await installed.asRoot(
        'account',
        'create',
        '--name',
        'a',
        '--plan',
        'gratis',
      );
      expect(created).toMatchObject({ code: 0 });
      const account = /acc_\w+/.exec(created.text)?.[0] ?? '';
      const key = /vfx_live_\w+/.exec((await installed.asRoot('key', 'create', account)).text)?.[0];
      const headers = { 'X-API-Key': key ?? '' };
      expect((await fetch(`${url}/v1/account`, { headers })).status).toBe(200);
      expect((await installed.asRoot('doctor')).text).toContain('The database is sound.');
      // The process of the unit is the service itself, so its signals reach it.
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(
        'bin/vesfx.js\0serve\0--workers',
      );

      const backup = await installed.runLine('vesfx-backup.service', 'ExecStart');
      expect(backup).toMatchObject({ code: 0, text: expect.stringContaining('Verified: ') });
      const leftOver = join(installed.copies, 'vesfx-20260101T000000Z.db.1-ab.new.check-xyz');
      mkdirSync(leftOver);
      utimesSync(leftOver, 0, 0);
      await installed.runLine('vesfx-backup.service', 'ExecStartPost');
      const [copy = '', ...more] = readdirSync(installed.copies);
      expect(more).toEqual([]);
      expect(copy).toMatch(/^vesfx-\d{8}T\d{6}Z\.db$/);
      const owned = [installed.data, installed.copies].flatMap((folder) =>
        readdirSync(folder).map((name) => join(folder, name)),
      );
      expect(owned.filter((path) => !installed.isOwnedByService(path))).toEqual([]);
    },
  );
});
