import type { Plan, Plans } from '../../core/domain/plans.ts';
import type { Language } from '../../core/domain/words/language.ts';
import { countText } from '../frame/format.ts';
import type { TextTable } from '../frame/table.ts';
import { DOCS_TEXTS } from '../texts/texts.ts';

/** The plans and their limits, for the reference and the guides. */
export function planTable(plans: Plans, language: Language): TextTable {
  const texts = DOCS_TEXTS[language];
  const limit = (value: number | null) =>
    value === null ? texts.noLimit : countText(value, language);
  const yesNo = (value: boolean) => (value ? texts.yes : texts.no);
  const row = (label: string, cell: (plan: Plan) => string) => [label, ...plans.list.map(cell)];
  const { planRows } = texts;
  return {
    label: texts.plans,
    columns: [
      { label: texts.plan },
      ...plans.list.map(({ name }) => ({ label: name, kind: 'figure' as const })),
    ],
    rows: [
      row(planRows.units, ({ unitsPerMonth }) => limit(unitsPerMonth)),
      row(planRows.requests, ({ requestsPerMinute }) => limit(requestsPerMinute)),
      row(planRows.history, ({ historyDays }) => limit(historyDays)),
      row(planRows.officialHistory, ({ officialDays }) => limit(officialDays)),
      row(planRows.formats, ({ formats }) => formats.join(', ')),
      row(planRows.keys, ({ keysMax }) => limit(keysMax)),
      row(planRows.publicKeys, ({ publicKeysMax }) => limit(publicKeysMax)),
      row(planRows.markups, ({ markupsMax }) => limit(markupsMax)),
      row(planRows.markets, ({ features }) => yesNo(features.includes('markets'))),
      row(planRows.spread, ({ features }) => yesNo(features.includes('spread'))),
      row(planRows.bulk, ({ features }) => yesNo(features.includes('bulk_convert'))),
      row(planRows.batches, ({ features, bulkCallsPerHour }) =>
        features.includes('bulk_convert') ? limit(bulkCallsPerHour) : '—',
      ),
      row(planRows.route, ({ features }) => yesNo(features.includes('route'))),
    ],
  };
}
