import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { StoreAway, StoreBusy, StoreUnavailable } from '../../src/core/app/failures.ts';
import type { PostgresConnection } from '../../src/core/storage/postgres/connection.ts';
import { unavailable } from '../../src/core/storage/postgres/errors.ts';
import { PostgresPool } from '../../src/core/storage/postgres/pool.ts';
import { readPostgresUrl } from '../../src/core/storage/postgres/url.ts';
import { addressOf, postgresProxy } from '../harness/postgres.ts';

const CONNECTS_WITHIN_MS = 10_000;
const CALL_MS = 300;
const DELAY_MS = 1_500;

test('a connection that takes longer than a call may wait fails that call alone, and serves the next one', async () => {
  const proxy = await postgresProxy();
  const address = readPostgresUrl(addressOf(proxy.port, 'postgres'));
  const pool = new PostgresPool(address, CONNECTS_WITHIN_MS);
  onTestFinished(() => pool.close());
  const use = <T>(work: (connection: PostgresConnection) => Promise<T>, waitMs = CALL_MS) =>
    pool.use((connection) => {
      connection.setDeadline(() => performance.now() + CONNECTS_WITHIN_MS);
      return work(connection);
    }, performance.now() + waitMs);
  const ask = () => use((connection) => connection.run('select 1'));

  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const holding = use(async (connection) => {
    await connection.run('select 1');
    answered.resolve();
    await held.promise;
  }, CONNECTS_WITHIN_MS);
  await answered.promise;
  proxy.delay(DELAY_MS);
  await expect(ask()).rejects.toThrow(StoreBusy);
  expect(proxy.faults()).toBe(1);
  held.resolve();
  await holding;
  // The database answers all the while, so no call is refused because of the other one.
  expect((await ask()).rows).toHaveLength(1);
  const again = Promise.withResolvers<void>();
  const second = use(() => again.promise, CONNECTS_WITHIN_MS);
  // The connection that came late is there now, and no new one is needed.
  await expect.poll(ask, { timeout: CONNECTS_WITHIN_MS }).toMatchObject({ rowCount: 1 });
  again.resolve();
  await second;
});

test('a call that waits for a new connection takes one that is free before', async () => {
  const proxy = await postgresProxy();
  const pool = new PostgresPool(
    readPostgresUrl(addressOf(proxy.port, 'postgres')),
    CONNECTS_WITHIN_MS,
  );
  onTestFinished(() => pool.close());
  const until = () => performance.now() + CONNECTS_WITHIN_MS;
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = pool.use(async () => {
    begun.resolve();
    await held.promise;
  }, until());
  await begun.promise;
  // No new connection is ever made.
  proxy.hang();
  const waiting = Array.from({ length: 5 }, (_, n) => pool.use(async () => n, until()));
  await expect.poll(() => proxy.faults()).toBe(5);
  held.resolve();
  await holding;
  expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4]);
});

test('without any connection, a late one ends the refusals of all calls', async () => {
  const proxy = await postgresProxy();
  const pool = new PostgresPool(
    readPostgresUrl(addressOf(proxy.port, 'postgres')),
    CONNECTS_WITHIN_MS,
  );
  onTestFinished(() => pool.close());
  proxy.delay(DELAY_MS);
  const ask = () => pool.use(async () => 'answered', performance.now() + CALL_MS);
  await expect(ask()).rejects.toThrow(StoreAway);
  await expect(ask()).rejects.toThrow(StoreAway);
  await expect.poll(ask, { timeout: CONNECTS_WITHIN_MS }).toBe('answered');
});

function refusal(code: string): unknown {
  return unavailable(Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code }));
}

function failure(message: string, code?: string): unknown {
  return unavailable(Object.assign(new Error(message), code !== undefined && { code }));
}

test('a start waits for what may pass by itself', () => {
  for (const code of ['57P03', '57P01', '53300', '53200', '08006']) {
    expect(refusal(code), code).toBeInstanceOf(StoreAway);
  }
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']) {
    expect(failure('no', code), code).toBeInstanceOf(StoreAway);
  }
  expect(failure('Connection terminated unexpectedly')).toBeInstanceOf(StoreAway);
  for (const code of ['55P03', '57014']) expect(refusal(code), code).toBeInstanceOf(StoreBusy);
});

test('a start does not wait for what stays as it is', () => {
  const lasting = [
    ...['28P01', '28000', '3D000', '3F000', '42501', '25006', '53100'].map(refusal),
    failure('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    failure('The server does not support SSL connections'),
    failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    failure('altnames', 'ERR_TLS_CERT_ALTNAME_INVALID'),
  ];
  for (const error of lasting) {
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error, String(error)).not.toBeInstanceOf(StoreAway);
    expect(error, String(error)).not.toBeInstanceOf(StoreBusy);
  }
});
