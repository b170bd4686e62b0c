import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { withoutLimits } from '../plans.ts';
import { accountWithKey, alsoWith, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause } from '../wire.ts';
import { createImage, whyNoImage } from './image.ts';
import { Ledger } from './ledger.ts';

const IMAGE_MB = 96;

const NOT_SYNCED = changedLine(
  '/storage/sqlite/sqlite.ts',
  "requirePragma(db, 'synchronous', 2);",
  "db.exec('PRAGMA synchronous=NORMAL');",
);

export const power = scenario({
  name: 'power',
  title: 'Power cut',
  promise: 'Nothing acknowledged is lost, and no batch is stored in part.',
  control: '`synchronous=NORMAL`',
  full: { cuts: 50 },
  quick: { cuts: 1 },
  controlled: { cuts: 5 },
  shown: ({ cuts }) => `${cuts} cuts, ext4 image`,
  whyNot: whyNoImage,
  run: async (trial, { cuts }, subject) => {
    const image = createImage(trial, IMAGE_MB);
    const data = join(image.path, 'data');
    const setting = alsoWith(withoutLimits(trial), subject === 'control' ? NOT_SYNCED : {});
    const start = () => serve(trial, data, setting);
    const { key } = await accountWithKey(data, 'Escala');
    const client = new Client(16);
    trial.onEnd(() => client.close());
    const all = new Ledger();
    let served = await start();
    for (let cut = 0; cut < cuts && !trial.isSettled; cut += 1) {
      const chance = trial.chance.of(`cut ${cut}`);
      const ledger = new Ledger();
      let over = false;
      const load = ledger.write(client, {
        url: served.url,
        cycle: cut,
        chance,
        isOver: () => over,
      });
      await pause(chance.int(100, 700));
      image.cutPower();
      over = true;
      served.running.signal('SIGKILL');
      await Promise.all([served.running.ended, load]);
      image.unmount();
      image.mount();
      served = await start();
      await ledger.check(trial, client, served.url, key);
      all.add(ledger);
      trial.progress(`${cut + 1} of ${cuts} cuts`);
    }
    if (!trial.isSettled) await all.check(trial, client, served.url, key);
    await served.running.stop();
    image.unmount();
  },
});
