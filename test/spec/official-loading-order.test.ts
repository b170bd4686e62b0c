import { expect, test } from 'vitest';
import { iso, official } from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';

/** Each was read in the evening before its day, but Tuesday's: that was read on Thursday. */
const MONDAY = official('2026-11-16', { USD: 801 }, { captured_at: '2026-11-13T21:00:00Z' });
const TUESDAY = official('2026-11-17', { USD: 802 }, { captured_at: '2026-11-19T12:00:00Z' });
const WEDNESDAY = official('2026-11-18', { USD: 803 }, { captured_at: '2026-11-17T21:00:00Z' });
const THURSDAY = official('2026-11-19', { USD: 804 }, { captured_at: '2026-11-18T21:00:00Z' });

test.each([
  ['in the order of reading', [MONDAY, WEDNESDAY, THURSDAY, TUESDAY]],
  ['in the order of value dates', [MONDAY, TUESDAY, WEDNESDAY, THURSDAY]],
  ['backwards', [THURSDAY, WEDNESDAY, TUESDAY, MONDAY]],
  ['with the late one first', [TUESDAY, THURSDAY, WEDNESDAY, MONDAY]],
])(
  'a late official rate never becomes the figure of a later day, loaded %s (contract §1)',
  async (_, records) => {
    for (const bodies of [[records], records.map((record) => [record])]) {
      const service = await startTestService();
      for (const body of bodies) await service.push(...body);
      const key = await service.keyFor('Escala');
      const read = async (query: string) =>
        (await service.call(`/v1/fx/rates/reference/history?${query}`, { key })).json;
      const { points } = await read('granularity=raw');
      expect(
        points.map(({ rate, captured_at }: { rate: number; captured_at: string }) => [
          rate,
          captured_at,
        ]),
      ).toEqual([
        [801, '2026-11-16T04:00:00.000Z'],
        [802, '2026-11-17T04:00:00.000Z'],
        [803, '2026-11-18T04:00:00.000Z'],
        [804, '2026-11-19T04:00:00.000Z'],
      ]);
      expect((await read('date=2026-11-19')).rate).toBe(804);
      expect((await read('date=2026-11-17')).rate).toBe(802);
    }
  },
);

test.each([
  ['forwards', ['2026-11-17', '2026-11-18', '2026-11-19']],
  ['backwards', ['2026-11-19', '2026-11-18', '2026-11-17']],
  ['in no order', ['2026-11-18', '2026-11-19', '2026-11-17']],
])(
  'past rates read at one instant have the same history, listed %s (contract §1)',
  async (_, dates) => {
    const service = await startTestService();
    const rates = dates.map((date) => official(date, { USD: 800 + Number(date.slice(-2)) }));
    await service.push(...rates);
    const key = await service.keyFor('Escala');
    const { points } = (
      await service.call('/v1/fx/rates/reference/history?granularity=raw', { key })
    ).json;
    expect(
      points.map(({ rate, captured_at }: { rate: number; captured_at: string }) => [
        rate,
        captured_at,
      ]),
    ).toEqual([
      [817, '2026-11-17T04:00:00.000Z'],
      [818, '2026-11-18T04:00:00.000Z'],
      [819, iso(START)],
    ]);
  },
);
