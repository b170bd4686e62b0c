import { OFFICIAL_RATES } from '../../../core/domain/markets.ts';
import { SIMULATED } from '../../../core/domain/source-health.ts';
import { caracasDayOf } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { nearDayText, rateText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { sourceName } from '../frame/source-names.ts';
import { agoText, type ReadStatus } from './status-view.ts';

/** The official rates in doubt, with their figures: the bank shows them, and nobody confirms them. */
export function doubtfulSection(status: ReadStatus): Html {
  const { doubtful = [], language, words, now, marketName } = status;
  const lines = doubtful.map(({ currency, valueDate, rate, reasons, since }) => {
    const why = heldReasonText(reasons[0] ?? '', language);
    const day = nearDayText(valueDate, caracasDayOf(now), language);
    return html`<li><strong>${marketName(OFFICIAL_RATES[currency])} ${rateText(rate, language)}</strong>, ${day}${why !== undefined && `: ${why}`}${' '}
<span class="quiet">· ${agoText(since, status)}</span></li>
`;
  });
  return (
    lines.length > 0 &&
    html`<h2>${words.doubtfulHeading}</h2>
<p>${words.doubtfulAbout}</p>
<ul class="held">
${lines}</ul>`
  );
}

/** Held records, one line for those that differ only in their time. */
export function heldSection(status: ReadStatus): Html {
  const { heldRecords, heldCount, readAt, language, words, marketName, simulated } = status;
  const groups = Map.groupBy(heldRecords, ({ subject, source, reason }) =>
    JSON.stringify([subject, source, reason]),
  );
  const lines = [...groups.values()].map(([one, ...others]) => {
    if (one === undefined) return undefined;
    const { subject, source, reason } = one;
    const known = heldReasonText(reason, language);
    const isSimulated = simulated || source === SIMULATED;
    const from = isSimulated ? words.simulated : (words.names[source] ?? sourceName(source));
    const about = words.heldSubjects[subject] ?? marketName(subject);
    const lastAt = Math.max(one.heldAt, ...others.map(({ heldAt }) => heldAt));
    const age = agoText(lastAt, status);
    const isPast = (readAt(subject) ?? 0) > lastAt;
    const origin = from !== about && html`· ${from} `;
    return html`<li><strong>${about}</strong>${known !== undefined && `: ${known}`}${' '}
<span class="quiet">${origin}· ${others.length === 0 ? age : words.heldTimes(others.length + 1, age)}${isPast && ` · ${words.laterAccepted}`}</span></li>
`;
  });
  const more = heldCount - heldRecords.length;
  return (
    heldCount > 0 &&
    html`<h2>${words.heldHeading(heldCount)}</h2>
<p>${words.heldAbout}</p>
<ul class="held">
${lines}</ul>
${more > 0 && html`<p class="quiet">${words.heldMore(more)}</p>`}`
  );
}
