import {
  FEATURE_LABELS,
  FEATURES,
  PLAN_CELLS,
  PLAN_LIMITS,
  type Plan,
  type Plans,
} from '../../../core/domain/plans.ts';
import type { Language } from '../../../core/domain/words/language.ts';
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
  return {
    label: texts.plans,
    columns: [
      { label: texts.plan },
      ...plans.list.map(({ name }) => ({ label: name, kind: 'figure' as const })),
    ],
    rows: [
      ...PLAN_LIMITS.map(({ key, label, feature }) =>
        row(label[language], (plan) =>
          feature === undefined || plan.features.includes(feature) ? limit(plan[key]) : '—',
        ),
      ),
      row(PLAN_CELLS.formats.label[language], ({ formats }) => formats.join(', ')),
      ...FEATURES.map((feature) =>
        row(FEATURE_LABELS[feature][language], ({ features }) => yesNo(features.includes(feature))),
      ),
    ],
  };
}
