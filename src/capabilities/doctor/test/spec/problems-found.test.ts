import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import {
  ADMIN_TOKEN,
  START,
  startTestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { LEASE_MS } from '../../../../core/app/collecting/collector-lease.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import { examineFigures } from '../../figures.ts';

/** The fetched parallel quote keeps the rest of the state quiet. */
const FIGURES = [official('2026-11-20', { USD: 244 }), quote('parallel', 300)];

type Service = Awaited<ReturnType<typeof startPushed>>;

/** A service whose official rates the operator pushes: no source of its catalogue is on. */
async function startPushed() {
  const catalogueDir = await temporaryDir();
  await writeFile(join(catalogueDir, 'sources.json'), '[]');
  return startTestService({ config: { catalogueDir } });
}

/** What the status and the doctor name, and the sources with held records. */
async function saidBy({ service, clock, call }: Service) {
  const { store, watch: _, ...edition } = service;
  const { json } = await call('/v1/status');
  const { findings } = await examineFigures(store, edition, clock.now());
  const bad = findings.filter(({ level }) => level !== 'ok');
  return {
    status: {
      reasons: json.reasons.map(({ name }: { name: string }) => name).toSorted(),
      isHeld: json.sources.some(({ held }: { held: number }) => held > 0),
    },
    doctor: {
      reasons: bad.flatMap(({ reason }) => reason ?? []).toSorted(),
      isHeld: bad.some(({ subject }) => subject === 'held records'),
    },
  };
}

async function lateSource({ service }: Service, failingSince?: number): Promise<void> {
  await service.store.saveSourceState({
    ...{ source: 'yadio', lastAttemptAt: START, lastSuccessAt: START - MINUTE_MS },
    ...{ consecutiveFailures: 3, nextRunAt: START + 5 * MINUTE_MS },
    ...(failingSince !== undefined && {
      failingSince,
      failure: { reason: 'timeout', message: 'late' } as const,
    }),
  });
}

const PROBLEMS: readonly (readonly [
  name: string,
  start: () => Promise<Service>,
  begin: (service: Service) => Promise<unknown>,
  said: string,
])[] = [
  ['a stale quote', startPushed, async ({ clock }) => clock.advance(DAY_MS), 'quotes_stale'],
  [
    'a failing source',
    startTestService,
    async (service) => {
      await lateSource(service, START - DAY_MS);
      service.clock.advance(SECOND_MS);
    },
    'all_sources_failing',
  ],
  [
    'no process that reads',
    startTestService,
    async (service) => {
      await service.service.store.takeLease('collector', START, START + LEASE_MS);
      await lateSource(service);
      service.clock.advance(DAY_MS);
    },
    'collecting_stopped',
  ],
];

test.each(PROBLEMS)(
  'contract §8 %s is the same for vesfx doctor and the status',
  async (_, start, begin, said) => {
    const service = await start();
    await service.push(...FIGURES);
    const quiet = await saidBy(service);
    expect(quiet.doctor).toEqual(quiet.status);
    expect(quiet.doctor.reasons).not.toContain(said);
    await begin(service);
    const found = await saidBy(service);
    expect(found.doctor).toEqual(found.status);
    expect(found.doctor.reasons).toContain(said);
  },
);

test('contract §8 an overdue publication is the same for vesfx doctor and the status', async () => {
  const service = await startPushed();
  await service.push(...FIGURES);
  const { nextPublication } = await service.service.watch.health();
  service.clock.set((nextPublication?.by ?? 0) - 1);
  const quiet = await saidBy(service);
  expect(quiet.doctor).toEqual(quiet.status);
  expect(quiet.doctor.reasons).not.toContain('publications_missed');
  service.clock.advance(SECOND_MS);
  const found = await saidBy(service);
  expect(found.doctor).toEqual(found.status);
  expect(found.doctor.reasons).toContain('publications_missed');
});

test('contract §8 nothing published, and a held record, are the same for vesfx doctor and the status', async () => {
  const service = await startPushed();
  const empty = await saidBy(service);
  expect(empty.doctor).toEqual(empty.status);
  expect(empty.doctor.reasons).toContain('no_figures');
  await service.push(...FIGURES, quote('binance', 300));
  expect((await saidBy(service)).doctor.isHeld).toBe(false);
  await service.call('/v1/admin/records', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(quote('binance', 9_000)),
  });
  service.clock.advance(SECOND_MS);
  const held = await saidBy(service);
  expect(held.doctor).toEqual(held.status);
  expect(held.doctor.isHeld).toBe(true);
});
