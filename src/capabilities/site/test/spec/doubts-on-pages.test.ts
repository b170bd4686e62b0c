import { describe, expect, test } from 'vitest';
import { bank, FRIDAY, THURSDAY, TUESDAY } from '../../../../../test/harness/bank-figures.ts';
import { ACCEPTED, HELD, judging, judgingMarkets } from '../../../../../test/harness/judging.ts';
import { official } from '../../../../../test/harness/make.ts';

/** What is in doubt (contract §8) is marked wherever people read it. */

describe('a quote in doubt (contract §8)', () => {
  /** A service at which only insistence published a jump, and a function that does it. */
  async function market() {
    const { service, read } = await judgingMarkets('parallel');
    return {
      board: async () => (await service.call('/board.json')).json,
      pageOf: async (path: string) => (await service.call(path)).text.toLowerCase(),
      async insist() {
        expect(await read(1_900, 1)).toEqual(HELD);
        expect(await read(1_900, 6)).toEqual(HELD);
        expect(await read(1_900, 11)).toEqual(ACCEPTED);
        service.clock.advance(2_000);
      },
    };
  }

  test('is told by its row and by the index of the board', async () => {
    const { board, insist } = await market();
    const isMarked = ({ rates }: { rates: readonly Record<string, unknown>[] }) =>
      rates.find((rate) => rate['market'] === 'parallel')?.['in_doubt'];
    const before = await board();
    expect([before, isMarked(before)]).toEqual([
      expect.not.objectContaining({ index_sources: expect.anything() }),
      undefined,
    ]);
    await insist();
    const after = await board();
    expect([after.index_sources, isMarked(after)]).toEqual([{ in_doubt: ['paralelo'] }, true]);
  });

  test.each([
    ['es', 'sin confirmar'],
    ['en', 'unconfirmed'],
  ])('is marked on the board and on the status page (%s)', async (language, mark) => {
    const { pageOf, insist } = await market();
    const paths = [`/?lang=${language}`, `/status?lang=${language}`];
    for (const path of paths) expect(await pageOf(path)).not.toContain(mark);
    await insist();
    for (const path of paths) expect(await pageOf(path)).toContain(mark);
  });
});

describe('a publication in doubt (contract §8)', () => {
  const NEXT = '2026-11-24';
  /** A devaluation: every figure 30 percent higher. */
  const JUMP = bank(601.4693);
  /** Another page, without doubts of its own. */
  const OTHER = bank(463.1687);

  async function published() {
    const found = await judging();
    await found.page('2026-11-18T20:00:00Z', '2026-11-19', THURSDAY);
    await found.page('2026-11-19T20:00:00Z', '2026-11-20', FRIDAY);
    const { service, get } = found;
    return {
      ...found,
      async expectMarked(pages: Readonly<Record<string, readonly string[]>>) {
        const board = (await service.call('/board.json')).json;
        expect(board.in_doubt).toHaveLength(5);
        expect(board.in_doubt).toEqual((await get('official')).in_doubt);
        for (const [path, said] of Object.entries(pages)) {
          const { text } = await service.call(path);
          for (const words of said) expect(text, path).toContain(words);
        }
      },
    };
  }

  test('that is held stands on the board and on the status page, as not confirmed, with its figure', async () => {
    const { page, expectMarked } = await published();
    expect(await page('2026-11-20T20:00:00Z', NEXT, JUMP)).toEqual(HELD);
    await expectMarked({
      '/?lang=es': ['Dólar BCV', 'sin confirmar', '601,4693', 'cambió demasiado de golpe'],
      '/?lang=en': ['BCV dollar', 'not confirmed', '601.4693', 'it changed too much at once'],
      '/status?lang=es': ['sin confirmar', 'BCV, dólar 601,4693', 'cambió demasiado de golpe'],
      '/status?lang=en': ['not confirmed', 'BCV, dollar 601.4693', 'it changed too much at once'],
      '/mes?lang=es': ['Sin confirmar, martes 24: 601,4693', 'cambió demasiado de golpe'],
      '/mes?lang=en': ['Not confirmed, Tuesday 24: 601.4693', 'it changed too much at once'],
    });
  });

  test('that is in force and that a witness contradicts is marked there too', async () => {
    const { page, service, ingestAll, expectMarked } = await published();
    expect(await page('2026-11-20T20:00:00Z', NEXT, OTHER)).toEqual(ACCEPTED);
    const at = '2026-11-24T12:00:00Z';
    service.clock.set(Date.parse(at));
    const { USD, EUR } = TUESDAY;
    const reading = official(NEXT, { USD, EUR }, { captured_at: at });
    await ingestAll([reading], { source: 'relay', isWitness: true });
    await expectMarked({
      '/?lang=es': ['Dólar BCV', 'sin confirmar', '463,1687', 'un testigo muestra otra cifra'],
      '/?lang=en': ['BCV dollar', 'not confirmed', '463.1687', 'a witness shows another figure'],
      '/status?lang=es': ['sin confirmar', 'BCV, dólar 463,1687', 'un testigo muestra'],
      '/status?lang=en': ['not confirmed', 'BCV, dollar 463.1687', 'a witness shows another'],
      '/mes?lang=es': ['sin confirmar', 'martes 24: 463,1687', 'un testigo muestra otra cifra'],
      '/mes?lang=en': ['not confirmed', 'Tuesday 24: 463.1687', 'a witness shows another figure'],
    });
  });
});
