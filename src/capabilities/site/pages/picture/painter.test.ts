import { describe, expect, test } from 'vitest';
import { MAX_WAITING_PICTURES, Painter } from './painter.ts';

/** Draws a text as the pictures of links do. */
const written = (text: string) => ({
  svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 60"><text x="4" y="48" font-family="Inter" font-weight="700" font-size="40">${text}</text></svg>`,
  width: 300,
});

const refused = expect.objectContaining({ code: 'service_unavailable' });

describe('the painter of pictures', () => {
  test('draws real letters: capitals and small ones, accents and ñ all differ', async () => {
    const painter = new Painter();
    const letters = ['n', 'N', 'ñ', 'Ñ', 'a', 'á', 'u', 'ú', 'ü', '−', '-', '€', '¿'];
    const drawn = await Promise.all(letters.map((letter) => painter.draw(written(letter))));
    expect(new Set(drawn.map(String)).size).toBe(letters.length);
    // A character that the font lacks is drawn as the box of the font.
    const [box, otherBox] = [await painter.draw(written('▲')), await painter.draw(written('▼'))];
    expect(drawn.some((one) => one.equals(box))).toBe(false);
    expect(box.equals(otherBox)).toBe(true);
  });

  test('lets other work run while it draws', async () => {
    const painter = new Painter();
    await painter.draw(written('1'));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    await painter.draw({ ...written('756,7083'), width: 3_000 });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  test('ends a picture that takes too long, and draws the next one', async () => {
    const hurried = new Painter({ timeoutMs: 1 });
    await expect(hurried.draw(written('1'))).rejects.toEqual(refused);
    await expect(new Painter().draw(written('1'))).resolves.toBeInstanceOf(Buffer);
  });

  test('refuses a picture that cannot be drawn, and draws the next one', async () => {
    const painter = new Painter();
    await expect(painter.draw({ svg: '<svg', width: 10 })).rejects.toEqual(refused);
    await expect(painter.draw(written('1'))).resolves.toBeInstanceOf(Buffer);
  });

  test('ends its thread when nobody asks for pictures, and starts it again', async () => {
    const painter = new Painter({ idleMs: 1 });
    await painter.draw(written('1'));
    await expect.poll(() => painter.isRunning).toBe(false);
    await expect(painter.draw(written('1'))).resolves.toBeInstanceOf(Buffer);
  });

  test('MAX_WAITING_PICTURES wait, and one more is refused', async () => {
    const painter = new Painter();
    const waiting = Array.from({ length: MAX_WAITING_PICTURES }, () => painter.draw(written('1')));
    await expect(painter.draw(written('1'))).rejects.toEqual(refused);
    await Promise.all(waiting);
    await expect(painter.draw(written('1'))).resolves.toBeInstanceOf(Buffer);
  });
});
