import type { JudgementRule } from '../../domain/judgement.ts';
import { countText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { table } from '../frame/layout.ts';
import { judgementSection } from './judgement-section.ts';
import { RULES } from './methodology-rules.ts';

const FORMULA =
  `index = official × ${RULES.weights.bcv} + free market × ${RULES.weights.paralelo}` +
  ` + P2P median × ${RULES.weights.p2p}`;

const indexSection = html`<h2 id="index">The index</h2>
<p>The index is one figure for the dollar in bolivars, made of three: the official rate, the free
market and the middle of the peer-to-peer (P2P) markets. It is neither an official rate nor a price
at which anyone has to sell.</p>
<pre class="wrap"><code>${FORMULA}</code></pre>
${table(
  'Components of the index',
  [{ label: 'Component' }, { label: 'Weight', kind: 'figure' }, { label: 'Value', kind: 'wide' }],
  [
    [html`<code>bcv</code>`, RULES.weights.bcv, 'The official dollar rate in force.'],
    [html`<code>paralelo</code>`, RULES.weights.paralelo, 'The free-market reference.'],
    [html`<code>p2p</code>`, RULES.weights.p2p, 'The median of the P2P markets that quote USD.'],
  ],
)}
<ol>
<li>The value of a market is its <code>mid</code>. Only quotes of the snapshot take part.</li>
<li>The P2P median is taken twice. Markets further than ${RULES.deviationPercent}% from the first
median are outliers and left out; exactly ${RULES.deviationPercent}% stays. The second median, of
those that remain, is the component. The median of an even number is the mean of the middle
two.</li>
<li>An official rate more than ${RULES.bcvStaleHours} hours old gets weight zero. Its age counts
from 00:00 in Caracas of its value date, and is judged when you ask. This is a rule of calculation
and not a calendar of banking days.</li>
<li>A component that is missing gets weight zero too. The remaining weights are divided by their
sum, so that together they are 1.</li>
<li>The result is calculated exactly and rounded once, to 4 decimals. Without any usable component
there is no index.</li>
</ol>
<h3>Flags</h3>
${table(
  'Flags of the index',
  [{ label: 'Flag' }, { label: 'Meaning', kind: 'wide' }],
  [
    [
      html`<code>bcv_stale</code>`,
      `The official rate is over ${RULES.bcvStaleHours} hours old; its weight is zero.`,
    ],
    [
      html`<code>degraded</code>`,
      `Between 1 and ${RULES.degradedCount} P2P quotes remain after the outliers are out.`,
    ],
    [
      html`<code>missing_sources</code>`,
      'The components that have no value; their weights are zero.',
    ],
    [html`<code>outliers_excluded</code>`, 'The P2P markets that were left out as outliers.'],
  ],
)}
<h3>An example</h3>
<p>With the official rate at 889.5754, the free market at 940.25 and a P2P median of 930.625, the
index is 266.87262 + 188.05 + 465.3125 = 920.23512, rounded 920.2351. Were the official rate too
old, the weights would be 0, 0.2 ÷ 0.7 and 0.5 ÷ 0.7, and the index 653.3625 ÷ 0.7 =
933.375.</p>`;

function quoteSection(marketTable: Html): Html {
  return html`<h2 id="quotes">Quotes and their age</h2>
<p>Every rate is VES for one unit of the market's base currency. A rate is relayed as its source
published it and never improved. Where a source gives two sides and no middle, <code>mid</code> is
their mean, rounded to 8 decimals. P2P rates are representative quotes: no order book, and no
executed trades.</p>
<p><code>updated_at</code> is the time the source gives, or that of the observation where it gives
none. A quote is <code>stale</code> when its age is more than the threshold of its market. A quote
leaves the snapshot when it is older than its market's limit; official rates never do.</p>
${marketTable}`;
}

const officialSection = html`<h2 id="official">The official rate in force</h2>
<p>The Banco Central de Venezuela (BCV) publishes a rate with the date for which it holds, its value
date; usually in the afternoon, for the next banking day. The markets of type
<code>reference</code> serve the rate in force: the newest publication whose value date is today or
earlier in Caracas (UTC−4 all year). Another one takes effect at 00:00 in Caracas of its value
date, 04:00 in UTC, and that instant is its <code>updated_at</code>. What is published for a day to
come is shown at once among the central bank's other currencies.</p>
<p>In the table of banks, rows of another day than the publication's are <code>stale</code> and come
last; <code>days_behind</code> counts the days between.</p>`;

const calculationSection = html`<h2 id="calculations">Calculations</h2>
<p>All arithmetic is decimal and exact, and rounded once at the end, half away from zero: 1.005 to 2
decimals is 1.01.</p>
<h3>Conversion</h3>
<p>To VES an amount is multiplied by <code>mid</code>, from VES divided by it; the result has
${RULES.amountDecimals} decimals. Without a market the official rate of the currency is taken, not
the best one. A batch uses one rate; its totals add the inputs and the rounded results. Amounts
are greater than 0 and at most ${RULES.maxAmount}. Remittance markets convert only to VES.</p>
<h3>Route</h3>
<p>Markets that one could trade in are ranked by their <code>mid</code>: to VES the highest first,
from VES the lowest first. Rounded amounts never decide. Of equal rates the more recent goes first. The
official and the free-market references are not executable and take no part. Fees, liquidity, limits
and eligibility are not considered.</p>
<h3>Spread</h3>
<p>The gap between the official dollar rate and another market: <code>absolute</code> is compared −
reference with 4 decimals; <code>percentage</code> is the gap ÷ reference × 100, from the gap before
rounding, with 2 decimals. It is not the distance between buying and selling.</p>
<h3>History</h3>
<p>Each observation that changes or confirms a quote is kept as a capture. <code>daily</code> is the
last capture of each UTC day, <code>raw</code> every capture, at most the latest
${countText(RULES.maxRawPoints, 'en')}. An official rate is captured when it is observed or when it takes effect,
whichever is later.</p>
<h3>Markup</h3>
<p>A rule of your own account adds a percentage or a fixed amount of VES to <code>mid</code>; the
result, <code>mid_with_markup</code>, has 4 decimals and stands beside the original. A row whose
result would not be positive is left unmarked.</p>`;

const sourceSection = html`<h2 id="sources">Sources</h2>
<p>The official rates, the table of banks and the other currencies are publications of the
<strong>Banco Central de Venezuela</strong>, quoted as published (source:
<span lang="es">Banco Central de Venezuela</span>, www.bcv.org.ve). The central bank has no part in
this service and does not endorse it. All other markets are observations of public quotes; each row
says by its <code>market</code> and <code>updated_at</code> where and when.</p>
<h2 id="version">Version</h2>
<p>This page describes version <code>${RULES.version}</code>, which the index carries in its field
<code>version</code>. A change to any rule of the index is a new version.</p>`;

/** The methodology in English. */
export function englishMethodology(marketTable: Html, rules: readonly JudgementRule[]): Html {
  return html`<h1>Methodology</h1>
<p class="lead">How each figure of this service is made. Methodology version
<code>${RULES.version}</code>.</p>
${indexSection}
${quoteSection(marketTable)}
${officialSection}
${judgementSection(rules, 'en')}
${calculationSection}
${sourceSection}`;
}
