import { readFileSync } from 'node:fs';
import type { Market } from '../../domain/markets.ts';
import type { Plans } from '../../domain/plans.ts';
import { marketTable } from '../docs/market-table.ts';
import { planTable } from '../docs/plan-table.ts';
import type { Language } from '../frame/language.ts';
import { markdownTable } from '../frame/markdown.ts';
import type { GuideName } from './guides.ts';

/** The values for the placeholders of guides. */
export interface GuideFacts {
  /** Address of this service, without a slash at its end. */
  readonly publicUrl: string;
  readonly plans: Plans;
  readonly markets: readonly Market[];
}

const written = new Map<string, string>();

/** The text of the file, with its placeholders `{{…}}`. */
function guideFile(name: GuideName, language: Language): string {
  const file = `./${language}/${name}.md`;
  const text = written.get(file) ?? readFileSync(new URL(file, import.meta.url), 'utf8');
  written.set(file, text);
  return text;
}

/** A guide in Markdown, with the addresses and the plans of this service. */
export function guideText(name: GuideName, language: Language, facts: GuideFacts): string {
  return guideFile(name, language)
    .replaceAll('{{url}}', facts.publicUrl)
    .replaceAll('{{plans}}', () => markdownTable(planTable(facts.plans, language)))
    .replaceAll('{{markets}}', () => markdownTable(marketTable(facts.markets, language)));
}

/** Its first heading. */
export function guideTitle(name: GuideName, language: Language): string {
  return /^# (.*)$/m.exec(guideFile(name, language))?.[1] ?? name;
}
