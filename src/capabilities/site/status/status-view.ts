import type { DoubtfulRate } from '../../../core/domain/official.ts';
import type { SourceHealth } from '../../../core/domain/source-health.ts';
import { ageSec, type CaracasDay, type Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import type { StateView } from '../../../core/domain/words/state-words.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { ageText } from '../frame/format.ts';
import type { StatusTexts } from '../texts/es/status.ts';

/** A name and its value; false for one that is not shown. */
export type Fact = readonly [name: string, value: Html] | false;

/** A held record, without its figure, which is in doubt and not announced. */
export interface StatusHeld {
  /** The id of a market, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  readonly source: string;
  /** One word of judgement. */
  readonly reason: string;
  readonly heldAt: Instant;
}

/** The state of all sources, and when it was determined. */
export interface StatusView {
  /** How far the figures can be relied on. */
  readonly state: StateView;
  readonly sources: readonly SourceHealth[];
  readonly fetchedAt?: Instant;
  /** The central bank's next publication and when it is expected. */
  readonly nextPublication?: { readonly valueDate: CaracasDay; readonly by: Instant };
  /** The newest held records, and how many there are. */
  readonly heldRecords: readonly StatusHeld[];
  readonly heldCount: number;
  /** When the published quote of a market was read. */
  readonly readAt: (market: string) => Instant | undefined;
  /** Ids of the markets whose quotes are in doubt. */
  readonly inDoubt: readonly string[];
  /** Ids of the markets whose figures stay the same for too long. */
  readonly frozen: readonly string[];
  /** Official rates of held publications, which are announced as not confirmed. */
  readonly doubtful?: readonly DoubtfulRate[];
  readonly collecting: boolean;
  readonly checkedAt: Instant;
  readonly now: Instant;
  /** Name of a market in the reader's language. */
  readonly marketName: (id: string) => string;
}

/** The state for one reader. */
export interface ReadStatus extends StatusView {
  readonly language: Language;
  readonly words: StatusTexts;
  /** Whether this is the demonstration, which simulates its readings. */
  readonly simulated: boolean;
}

/** How long ago it was. */
export function agoText(since: Instant, { now, language }: ReadStatus): string {
  return ageText(ageSec({ since, now }), language);
}

/** Names with their values; nothing if there are none. */
export function figureList(facts: readonly Fact[]): Html {
  const shown = facts.filter((fact) => fact !== false);
  return (
    shown.length > 0 &&
    html`<dl class="figures">
${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
  );
}
