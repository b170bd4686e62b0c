import type { StatusReason } from '../../client/types.ts';
import type { ServiceStateName } from '../../core/domain/state-names.ts';
import { STATE_TEXTS } from '../texts/texts.ts';
import type { Language } from './language.ts';

/** Whether the figures can be relied on, as in `/v1/status` and `/board.json`. */
export interface StateView {
  readonly status: ServiceStateName;
  readonly reasons: readonly ReasonView[];
}

/** A problem; its sentence is `reasonText` in the language of the reader. */
export type ReasonView = Unchanging<Omit<StatusReason, 'message'>>;

/** A value that nobody changes, at any depth. */
export type Unchanging<Value> = { readonly [Name in keyof Value]: Unchanging<Value[Name]> };

/** Most names in a sentence. The others are counted. */
const NAMED = 4;

/** The names of markets and sources on a page. Without them a sentence has ids. */
interface ShownNames {
  readonly market?: (id: string) => string;
  readonly source?: (name: string) => string;
}

const asIs = (id: string) => id;

/** One reason in words, without full stop and time. */
export function reasonText(
  { name, markets, sources = [], count }: ReasonView,
  language: Language,
  shown: ShownNames = {},
): string {
  const texts = STATE_TEXTS[language];
  const names = markets?.map(shown.market ?? asIs) ?? sources.map(shown.source ?? asIs);
  const more = names.length - NAMED;
  const listed = names.slice(0, NAMED).join(', ');
  return texts.reasons[name](
    more > 0 ? `${listed} ${texts.more(more)}` : listed,
    count ?? names.length,
  );
}
