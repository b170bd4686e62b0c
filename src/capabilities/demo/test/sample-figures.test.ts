import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../../scripts/reference.ts';
import { hasCapability } from '../../../../test/harness/capabilities.ts';
import { read } from '../../../../test/harness/repository.ts';
import type { TestService } from '../../../../test/harness/service.ts';
import {
  examplesOf,
  publishedRates,
  ratesIn,
  ratesOfPage,
  type Shown,
} from '../../../../test/harness/shown-rates.ts';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import type { ApiDocument } from '../../../core/http/openapi/api-document.ts';
import { startDemonstration } from './demonstration.ts';

/** A reader who compares two samples of one day must find one official rate: that of the demonstration. */

const document: ApiDocument = referenceDocument('http://127.0.0.1:8080');

const PLACES: Readonly<Record<string, readonly Shown[]>> = {
  'README.md': ratesOfPage(read('README.md')),
  'README.es.md': ratesOfPage(read('README.es.md')),
  'docs/operating.md': ratesOfPage(read('docs/operating.md')),
  'docs/operating.es.md': ratesOfPage(read('docs/operating.es.md')),
  '/openapi.json': examplesOf(document).flatMap(({ value }) => ratesIn(value)),
};

/** The guides of a service, by address, as its list for language models names them. */
async function guidesOf({ call }: TestService): Promise<Record<string, readonly Shown[]>> {
  const shown: Record<string, readonly Shown[]> = {};
  for (const language of hasCapability('site') ? LANGUAGES : []) {
    const { text } = await call(`/llms.txt?lang=${language}`);
    const paths = [...text.matchAll(/\(\S+?(\/docs\/[\w-]+\.md\?\S+)\)/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(10);
    const guides = paths.filter((path) => !path.startsWith('/docs/reference.'));
    const texts = await Promise.all(guides.map(async (path) => (await call(path)).text));
    shown[`guides (${language})`] = texts.flatMap(ratesOfPage);
  }
  return shown;
}

describe('the samples of the documents, the reference, the guides and the README', () => {
  test('show for a day the official rate that the demonstration has for it', async () => {
    const service = await startDemonstration();
    const key = await service.keyFor('Escala');
    const published = await publishedRates(service.call, { key, to: '2026-11-24' });
    const places = { ...PLACES, ...(await guidesOf(service)) };
    for (const [place, shown] of Object.entries(places)) {
      expect([place, shown.length > 0]).toEqual([place, true]);
      expect([place, shown.filter((one) => !published.has(one))]).toEqual([place, []]);
    }
  });
});
