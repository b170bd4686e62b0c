import { OFFICIAL_RATES } from '../../domain/markets.ts';
import type { DoubtfulRate } from '../../domain/official.ts';
import { SIMULATED } from '../../domain/source-health.ts';
import { ageSec, caracasDayOf, type Instant } from '../../domain/time.ts';
import { ageText, nearDayText, rateText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { type Html, html } from '../frame/html.ts';
import { sourceName } from '../frame/source-names.ts';
import type { CardContext } from './source-card.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { StatusHeld, StatusView } from './status-view.ts';

/** Records that differ only in their time. */
interface HeldGroup extends Omit<StatusHeld, 'heldAt'> {
  readonly count: number;
  /** When the newest of them was held. */
  readonly lastAt: Instant;
}

/** The official rates in doubt, with their figures: the bank shows them, and nobody confirms them. */
export function doubtfulSection(
  { doubtful = [] }: StatusView,
  { language, now, marketName }: CardContext,
): Html | false {
  const words = STATUS_TEXTS[language];
  const line = ({ currency, valueDate, rate, reasons, since }: DoubtfulRate) => {
    const why = heldReasonText(reasons[0] ?? '', language);
    const day = nearDayText(valueDate, caracasDayOf(now), language);
    const age = ageText(ageSec({ since, now }), language);
    return html`<li><strong>${marketName(OFFICIAL_RATES[currency])} ${rateText(rate, language)}</strong>, ${day}${why !== undefined && `: ${why}`}${' '}
<span class="quiet">· ${age}</span></li>
`;
  };
  return (
    doubtful.length > 0 &&
    html`<h2>${words.doubtfulHeading}</h2>
<p>${words.doubtfulAbout}</p>
<ul class="held">
${doubtful.map(line)}</ul>`
  );
}

/** Held records, one line for each subject, source and reason. */
export function heldSection(
  records: readonly StatusHeld[],
  count: number,
  context: CardContext,
): Html {
  const { language, now, marketName, simulated } = context;
  const words = STATUS_TEXTS[language];
  const more = count - records.length;
  const line = ({ subject, source, reason, count: times, lastAt }: HeldGroup) => {
    const known = heldReasonText(reason, language);
    const isSimulated = simulated || source === SIMULATED;
    const from = isSimulated ? words.simulated : (words.names[source] ?? sourceName(source));
    const age = ageText(ageSec({ since: lastAt, now }), language);
    const about = words.heldSubjects[subject] ?? marketName(subject);
    const origin = from !== about && html`· ${from} `;
    return html`<li><strong>${about}</strong>${known !== undefined && `: ${known}`}${' '}
<span class="quiet">${origin}· ${times === 1 ? age : words.heldTimes(times, age)}</span></li>
`;
  };
  return html`<h2>${words.heldHeading(count)}</h2>
<p>${words.heldAbout}</p>
<ul class="held">
${grouped(records).map(line)}</ul>
${more > 0 && html`<p class="quiet">${words.heldMore(more)}</p>`}`;
}

function grouped(records: readonly StatusHeld[]): readonly HeldGroup[] {
  const groups = new Map<string, HeldGroup>();
  for (const { heldAt, ...alike } of records) {
    const name = JSON.stringify([alike.subject, alike.source, alike.reason]);
    const { count = 0, lastAt = heldAt } = groups.get(name) ?? {};
    groups.set(name, { ...alike, count: count + 1, lastAt: Math.max(lastAt, heldAt) });
  }
  return [...groups.values()];
}
