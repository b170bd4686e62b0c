import { expect, onTestFinished, test } from 'vitest';
import { manualClock, temporaryDir } from '../../../../../test/harness/service.ts';
import { openToolbox, readSources } from '../../../../core/compose.ts';
import { readConfig } from '../../../../core/config.ts';
import { caracasDayOf, MINUTE_MS } from '../../../../core/domain/time.ts';
import { DemoFeed } from '../../feed.ts';
import { shiftDaysAt } from '../../figures.ts';

const NOW = Date.parse('2026-11-22T22:00:00Z');

test('the failing source of the demonstration has failed since one instant, and its readings count', async () => {
  const clock = manualClock(NOW);
  const config = readConfig({ data: await temporaryDir() }, {});
  const toolbox = await openToolbox(config, { clock });
  onTestFinished(() => toolbox.store.close());
  const feed = async () =>
    new DemoFeed({
      ...toolbox,
      sources: await readSources(config, toolbox.markets),
      shiftDays: shiftDaysAt(NOW),
      clock,
    });
  const failing = async () => {
    const states = await toolbox.store.sourceStates();
    return states.filter(({ failure }) => failure !== undefined);
  };

  await (await feed()).fill();
  expect(await failing()).toMatchObject([
    { source: 'yadio', lastSuccessAt: NOW - 40 * MINUTE_MS, consecutiveFailures: 40 },
  ]);
  const today = caracasDayOf(NOW);
  expect(await toolbox.store.sourceDays(today)).toContainEqual(
    expect.objectContaining({ source: 'yadio', day: today, successes: 1, failures: 1 }),
  );
  clock.advance(5 * MINUTE_MS);
  // A feed of a later start goes on from what is stored.
  await (await feed()).tick();
  expect(await failing()).toMatchObject([
    {
      source: 'yadio',
      lastAttemptAt: NOW + 5 * MINUTE_MS,
      lastSuccessAt: NOW - 40 * MINUTE_MS,
      consecutiveFailures: 41,
    },
  ]);
});

test('no figure of the demonstration is newer than the last reading of the source that brings it', async () => {
  const clock = manualClock(NOW);
  const config = readConfig({ data: await temporaryDir() }, {});
  const toolbox = await openToolbox(config, { clock });
  onTestFinished(() => toolbox.store.close());
  const sources = await readSources(config, toolbox.markets);
  const shiftDays = shiftDaysAt(NOW);
  const feed = new DemoFeed({ ...toolbox, sources, shiftDays, clock });
  await feed.fill();
  await feed.tick();
  for (let tick = 0; tick < 3; tick += 1) {
    clock.advance(4_000);
    await feed.tick();
    const states = await toolbox.store.sourceStates();
    expect(Math.max(...states.map(({ lastSuccessAt = 0 }) => lastSuccessAt))).toBe(clock.now());
  }
});
