import { describe, expect, test, vi } from 'vitest';
import { sourceBench } from '../../../../../test/harness/source-bench.ts';
import { doctor } from '../../doctor.ts';

describe('vesfx doctor', () => {
  test('exits with 1 and names the sources while every enabled source fails', async () => {
    const { vesfx, feed, spare } = await sourceBench([doctor]);
    for (const one of [feed, spare]) {
      one.answers((_request, response) => response.writeHead(503).end());
    }
    for (const name of ['feed', 'spare']) await vesfx('source', 'run', name);
    const { code, out } = await vesfx('doctor');
    expect(code).toBe(1);
    expect(out).toContain('BROKEN   All sources in use are failing: feed, spare.');
    expect(out).toContain('warning  feed (failing): Its last reading failed');
    const told = JSON.parse((await vesfx('doctor', '--json')).out);
    expect(told).toMatchObject({ healthy: false, status: 'failing' });
    expect(told.findings).toContainEqual(
      expect.objectContaining({ level: 'broken', reason: 'all_sources_failing' }),
    );
    feed.says({ rate: 900.5 });
    await vesfx('source', 'run', 'feed');
    expect((await vesfx('doctor')).out).not.toContain('Every source');
  });
});

describe('contract §8: figures with one source', () => {
  const ONE_OFFICIAL = 'The official rate has one source';
  const ONE_RELAY = 'criptoya alone brings binance, bybit, okx';

  test('are told by the doctor, as no problem, until a source adds another', async () => {
    const { vesfx } = await sourceBench([doctor]);
    vi.stubEnv('VESFX_CATALOG', undefined);
    const told = async () => {
      const { findings } = JSON.parse((await vesfx('doctor', '--json')).out);
      return findings.filter(({ message }: { message: string }) =>
        /one source|alone/.test(message),
      );
    };
    expect(await told()).toEqual([
      {
        level: 'ok',
        subject: 'sources',
        message: `${ONE_OFFICIAL}: a witness would confirm or contradict it.`,
        remedy:
          'Switch one on with vesfx source enable: bcv-today, dolarapi-official (terms: docs/sources.md).',
      },
      {
        level: 'ok',
        subject: 'sources',
        message: `${ONE_RELAY}: reading one directly would give it an independent origin.`,
        remedy:
          'Switch one on with vesfx source enable: binance, bybit, okx (terms: docs/sources.md).',
      },
    ]);
    await vesfx('source', 'enable', 'bybit');
    expect(await told()).toEqual([
      expect.objectContaining({
        subject: 'sources',
        message: expect.stringContaining(ONE_OFFICIAL),
      }),
    ]);
    await vesfx('source', 'enable', 'bcv-today');
    expect(await told()).toEqual([]);
  });
});
