import { describe, expect, test, vi } from 'vitest';
import { startServiceOfOwn } from '../../../../../test/harness/own-figures.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { publishedRates, ratesOfPage } from '../../../../../test/harness/shown-rates.ts';
import { LANGUAGES } from '../../../../core/domain/words/language.ts';
import { GUIDE_NAMES, guideFile } from '../../guides/guides.ts';

/* Figures in samples come from the running service (contract §27). */

/** Figures of the declared night, as the sources of the guides have them. */
const DECLARED =
  /(?<![\d.])(?:7[3-7]\d[.,]\d{4}|8[0-9]{2}[.,]\d{8}|867[.,]15|88[01][.,]\d\d|897[.,]50\d*|77107[.,]14|7[0-9]{4}\.\d\d|19662\.32|60[56]\d\d\.\d\d|12\.46|5\.77|4\.2111|0\.5491|963839|39000)(?!\d)/g;

/** The guides of the service, once their figures are its own. */
async function guidesOf({ call }: Awaited<ReturnType<typeof startServiceOfOwn>>, language: string) {
  const texts: Record<string, string> = {};
  for (const name of GUIDE_NAMES) {
    texts[name] = await vi.waitFor(async () => {
      const { text } = await call(`/docs/${name}.md?lang=${language}`);
      expect(text).not.toMatch(/demonstration, of Friday 20|demostración, del viernes 20/);
      return text;
    }, 30_000);
  }
  return texts;
}

describe.each(LANGUAGES)('contract §27 the samples of the guides, language %s', (language) => {
  test('show the figures that the service has, and none of the demonstration', async () => {
    const service = await startServiceOfOwn();
    const published = await publishedRates(service.call, { key: service.key, to: '2026-11-30' });
    const guides = await guidesOf(service, language);
    const sources = GUIDE_NAMES.flatMap((name) => guideFile(name, language).match(DECLARED) ?? []);
    expect(sources.length).toBeGreaterThan(80);
    const left = Object.entries(guides).flatMap(([name, text]) =>
      (text.match(DECLARED) ?? []).map((figure) => [name, figure]),
    );
    expect(left).toEqual([]);
    const shown = Object.values(guides).flatMap(ratesOfPage);
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((one) => !published.has(one))).toEqual([]);
  });

  test('are as in the reference, whose pages show no rate of the demonstration without saying so', async () => {
    const service = await startServiceOfOwn();
    const published = await publishedRates(service.call, { key: service.key, to: '2026-11-30' });
    const own = await vi.waitFor(async () => {
      const { text } = await service.call(`/docs/reference.md?lang=${language}`);
      expect(text).toMatch(/this service answered on|este servicio respondió el/);
      return text.replaceAll(/^.*\((?:demonstration|demostración)\) .*\n\n```[\s\S]*?\n```$/gm, '');
    }, 30_000);
    expect(own).not.toMatch(/771[.,]0714|77107|766[.,]8603|889[.,]4539/);
    // A row of CSV may be of any market.
    const shown = ratesOfPage(own.replaceAll(/^```csv[\s\S]*?^```$/gm, ''));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((one) => !published.has(one))).toEqual([]);
  });

  test('and those of the console, show one official dollar', async () => {
    const service = await startServiceOfOwn();
    const published = await publishedRates(service.call, { key: service.key, to: '2026-11-30' });
    await vi.waitFor(async () => {
      const { text } = await service.call(`/console?lang=${language}`);
      const { rate, valueDate } = JSON.parse(/"sampleDollar":(\{[^}]*\})/.exec(text)?.[1] ?? '{}');
      expect(published).toContain(`USD ${valueDate} ${rate}`);
    }, 30_000);
  });

  test('say in prose and in comments what the API answers', async () => {
    const service = await startServiceOfOwn();
    const { call, key } = service;
    const guides = await guidesOf(service, language);
    // The week of the 27th has a bank holiday.
    const path = '/v1/fx/convert?from=USD&to=VES&amount=100&date=2026-11-20';
    const { rate, to } = (await call(path, { key })).json;
    expect(guides['first-request']).toContain(`100 USD = ${to.amount} VES`);
    expect(guides['switch-from-dolarapi']).toContain(`"promedio": ${rate},`);
    expect(guides['till']).toContain(`rate: '${rate}', valueDate: '2026-11-20'`);
    expect(guides['pandas']).toMatch(language === 'en' ? /On Sunday 15 / : /El domingo 15 /);
    const { close } = (await call('/v1/fx/official/month?month=2026-10', { key })).json;
    expect(guides['month-end']).toContain(
      String(close).replace('.', language === 'en' ? '.' : ','),
    );
  });

  test('of a service without figures are those of the demonstration, which each page says', async () => {
    const { call } = await startTestService();
    const { text } = await call(`/docs/first-request.md?lang=${language}`);
    expect(text).toContain('100 USD = 77107.14 VES');
    expect(text).toMatch(/demonstration, of Friday 20 November|demostración, del viernes 20 de/);
  });
});
