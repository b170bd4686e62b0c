import type { Market } from '../../../core/domain/markets.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import type { TextTable } from '../frame/table.ts';
import { ageInWords } from '../methodology/methodology-text.ts';
import { DOCS_TEXTS, MARKET_TABLE_TEXTS, MARKET_TYPE_TEXTS } from '../texts/texts.ts';

const code = (text: string) => `\`${text}\``;

/** Ids, names and aliases of the catalogue's markets, with the plans that have each. */
export function marketTable(markets: readonly Market[], language: Language): TextTable {
  const texts = MARKET_TABLE_TEXTS[language];
  const { fromPlan, plans } = DOCS_TEXTS[language];
  const heads = ['Id', texts.name, texts.aliases, plans, texts.type, texts.base, texts.fresh];
  return {
    label: texts.label,
    columns: heads.map((label) => ({ label })),
    rows: markets.map((market) => {
      const { id, name, nameEn, aliases, type, base, staleAfterSec, requiredPlan } = market;
      return [
        code(id),
        language === 'es' ? name : nameEn,
        aliases.length === 0 ? texts.none : aliases.map(code).join(', '),
        requiredPlan === undefined ? texts.allPlans : `${fromPlan} ${requiredPlan}`,
        MARKET_TYPE_TEXTS[language][type],
        base,
        ageInWords(staleAfterSec),
      ];
    }),
  };
}
