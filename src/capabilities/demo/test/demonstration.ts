import { START, startTestService } from '../../../../test/harness/service.ts';
import { readSources } from '../../../core/compose.ts';
import { readConfig } from '../../../core/config.ts';
import { DemoFeed } from '../feed.ts';
import { shiftDaysAt } from '../figures.ts';

/** A service with the figures of a demonstration that starts at noon of a Saturday, where its clock stands. */
export async function startDemonstration() {
  const service = await startTestService({
    start: START,
    config: { publicUrl: 'http://127.0.0.1:8080' },
  });
  const { changePoller, ...toolbox } = service.service;
  const sources = await readSources(readConfig({}, {}), toolbox.markets);
  const shiftDays = shiftDaysAt(START);
  await new DemoFeed({ ...toolbox, sources, shiftDays, clock: service.clock }).fill();
  await changePoller.poll();
  return service;
}
