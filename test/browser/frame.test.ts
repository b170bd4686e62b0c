import { expect, test } from 'vitest';
import { describeInBrowser, expectGoodInEveryView } from '../harness/browser.ts';
import { startTestService } from '../harness/service.ts';

describeInBrowser('the frame of every page', (open) => {
  test('fits and is accessible in every view', async () => {
    const { url } = await startTestService();
    await expectGoodInEveryView(open, url);
  });

  test('the reader may choose the colours, and finds them again', async () => {
    const { url } = await startTestService();
    const { page, expectQuiet } = await open(url, { theme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.selectOption('#theme', 'dark');
    const dark = await ground();
    expect(dark).not.toBe('rgb(255, 255, 255)');
    await page.reload();
    expect(await ground()).toBe(dark);
    await page.selectOption('#theme', '');
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expectQuiet();
  });

  test('the language changes by a link, and the other pages keep it', async () => {
    const { url } = await startTestService();
    const { page, expectQuiet } = await open(url, { language: 'es' });
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?lang=en');
    expectQuiet();
  });
});
