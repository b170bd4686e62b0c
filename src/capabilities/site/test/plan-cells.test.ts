import { expect, test } from 'vitest';
import { catalogueWith } from '../../../../test/harness/catalogue.ts';
import { read } from '../../../../test/harness/repository.ts';
import { startTestService } from '../../../../test/harness/service.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { planView } from '../console/plan-view.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';

const packaged: Record<string, Record<string, unknown>> = JSON.parse(read('catalog/plans.json'));
const CELLS = Object.entries(packaged['Escala'] ?? {});

/** A plan whose limits are all different, so that each is recognised wherever it is shown. */
const DISTINCT = Object.fromEntries(
  CELLS.map(([cell, value], place) => [cell, Array.isArray(value) ? value : 4_321 + place]),
);
const LIMITS = Object.entries(DISTINCT).filter(([, value]) => typeof value === 'number');

/** The limits that a page does not show. */
const missingIn = (page: string) =>
  LIMITS.flatMap(([cell, limit]) =>
    page.includes(Number(limit).toLocaleString('es-VE')) ? [] : [cell],
  );

test('contract §3 every cell of a plan is in the account, the reference and the console', async () => {
  const catalogueDir = await catalogueWith({
    plans: (plans) => Object.assign(plans['Escala'] ?? {}, DISTINCT),
  });
  const { service, call } = await startTestService({ config: { catalogueDir } });
  const { id } = await service.accounts.create('every cell', 'Escala');
  const { key } = await service.accounts.createKey(id);
  const account = (await call('/v1/account', { key })).json;

  expect(account.limits).toEqual(DISTINCT);
  expect(missingIn((await call('/docs/reference/errors')).text)).toEqual([]);
  const reader = { language: 'es' as const, texts: CONSOLE_TEXTS.es };
  expect(missingIn(markupOf(planView(account, reader)))).toEqual([]);
});
