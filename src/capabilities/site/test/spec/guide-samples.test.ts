import { describe, expect, test, vi } from 'vitest';
import { startServiceOfOwn } from '../../../../../test/harness/own-figures.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { publishedRates, ratesOfPage } from '../../../../../test/harness/shown-rates.ts';
import { LANGUAGES } from '../../../../core/domain/words/language.ts';
import { GUIDE_NAMES, guideFile } from '../../guides/guides.ts';

/* Figures in samples come from the running service (contract §27). */

/** Figures of the declared night, as the sources of the guides have them. */
const DECLARED =
  /(?<![\d.])(?:7[3-7]\d[.,]\d{4}|8[0-9]{2}[.,]\d{8}|867[.,]15|88[01][.,]\d\d|897[.,]50\d*|77107[.,]14|7[0-9]{4}\.\d\d|19662\.32|2120\.45|3469\.82|9252\.86|60[56]\d\d\.\d\d|12\.46|5\.77|4\.2111|0\.5491|963839|39000)(?!\d)/g;

const DECLARED_ONE = new RegExp(DECLARED.source);
const OF_DEMONSTRATION = /demonstration, of Friday 20 November|demostración, del viernes 20 de/;

const WHOLE_PAGE =
  /figures of the samples are those of the demonstration|cifras de los ejemplos son las de la demostración/;

/** What a service with official rates alone has not: once for each section that says so. */
const OF_OTHER_MARKETS = [
  ...['board-data', 'board-data', 'first-request', 'markups', 'pandas'],
  ...['switch-from-criptoya', 'switch-from-dolartoday', 'switch-from-yadio'],
];

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
    for (const name of GUIDE_NAMES) {
      const { text } = await call(`/docs/${name}.md?lang=${language}`);
      expect([name, OF_DEMONSTRATION.test(text)]).toEqual([name, DECLARED_ONE.test(text)]);
    }
    const { text } = await call(`/docs/first-request.md?lang=${language}`);
    expect(text).toContain('100 USD = 77107.14 VES');
    const { text: page } = await call(`/console?lang=${language}`);
    const dollar = /"sampleDollar":(\{[^}]*\})/.exec(page)?.[1] ?? '{}';
    expect(JSON.parse(dollar)).toMatchObject({ rate: 771.0714, isDemonstration: true });
  });

  test('of a service whose source has been away for weeks say their day, until that is too long ago', async () => {
    const service = await startServiceOfOwn();
    const noteOn = async (today: string, expected: RegExp) => {
      service.clock.set(Date.parse(`${today}T15:00:00Z`));
      await vi.waitFor(async () => {
        const { text } = await service.call(`/docs/invoice-rate.md?lang=${language}`);
        expect(text.trimEnd().split('\n').at(-1)).toMatch(expected);
      }, 30_000);
    };
    await noteOn('2026-12-20', /(?:Friday|viernes) 2026-11-20/);
    // Its Saturday is eight weeks ago.
    await noteOn('2027-01-09', /(?:Friday|viernes) 2026-11-20/);
    await noteOn('2027-01-16', OF_DEMONSTRATION);
  });

  test.each([
    ['none', []],
    ['none of this year', [24 * 365]],
  ])(
    'of a service whose other markets have %s are its own, but for whole sections that say so',
    async (_, readHoursAgo) => {
      const service = await startServiceOfOwn({ readHoursAgo });
      const guides: Record<string, string> = {};
      for (const name of ['invoice-rate', ...GUIDE_NAMES]) {
        guides[name] = await vi.waitFor(async () => {
          const { status, text } = await service.call(`/docs/${name}.md?lang=${language}`);
          expect(status).toBe(200);
          if (name === 'invoice-rate') expect(text).not.toMatch(OF_DEMONSTRATION);
          return text;
        }, 30_000);
      }
      // Where no section has a figure of its own, the page says once that all are the demonstration's.
      const partsOf = (text: string) => (WHOLE_PAGE.test(text) ? [text] : text.split(/^(?=## )/m));
      const parts = Object.entries(guides).flatMap(([name, text]) =>
        partsOf(text).map((part) => ({ name, part })),
      );
      const isSaid = ({ part }: { readonly part: string }) => OF_DEMONSTRATION.test(part);
      expect(parts.filter((one) => isSaid(one) !== DECLARED_ONE.test(one.part))).toEqual([]);
      const said = parts.filter(isSaid);
      expect(said.map(({ name }) => name).sort()).toEqual(OF_OTHER_MARKETS);
      expect(said.filter(({ part }) => /8[45]\d\.\d{4}/.test(part))).toEqual([]);
      const path = '/v1/fx/convert?from=USD&to=VES&amount=1&date=2026-11-20';
      const { rate } = (await service.call(path, service)).json;
      expect(guides['first-request']).toContain(String(rate));
      expect(guides['first-request']).toContain('2026-11-20');
    },
  );
});
