import type { Key, Usage, UsageOfADay } from '../../../client/types.ts';
import { addUtcDays, parseUtcDay, utcDayOf, utcMonthOf } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { countText, numberText, shortDay } from '../frame/format.ts';
import { table } from '../frame/table.ts';
import { type ConsoleReader, filled } from './console-data.ts';

type ShownUsage = Pick<Usage, 'from' | 'to' | 'days'> & {
  /** The last day of the chart, when that is after the last one with a count. */
  readonly through?: string | undefined;
};

/** The ends of a month that has begun: its chart has a place for each day. */
export function daysOfMonth(month: string): { readonly from: string; readonly through: string } {
  const { start, end } = utcMonthOf(Date.parse(`${month}-01`));
  return { from: utcDayOf(start), through: utcDayOf(end - 1) };
}

/** Calls of a day, or to an endpoint. */
interface Calls {
  readonly name: string;
  readonly calls: number;
  readonly units: number;
  readonly errors: number;
}

function sum(name: string, rows: readonly UsageOfADay[]): Calls {
  const of = (count: (row: UsageOfADay) => number) =>
    rows.reduce((total, row) => total + count(row), 0);
  return {
    name,
    calls: of(({ calls }) => calls),
    units: of(({ units }) => units),
    errors: of((row) => row.client_errors + row.server_errors),
  };
}

/** Every day of the chart, oldest first, also days without calls. */
export function callsByDay({ from, to, through = to, days }: ShownUsage): readonly Calls[] {
  const rows = Map.groupBy(days, ({ date }) => date);
  const all: Calls[] = [];
  for (let day = parseUtcDay(from); day !== undefined && day <= through; day = addUtcDays(day, 1)) {
    all.push(sum(day, rows.get(day) ?? []));
  }
  return all;
}

/** Most called first. */
export function callsByEndpoint({ days }: ShownUsage): readonly Calls[] {
  return [...Map.groupBy(days, ({ endpoint }) => endpoint)]
    .map(([endpoint, rows]) => sum(endpoint, rows))
    .sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name));
}

/** Of each key of the account that works, and together of all else, which was revoked or not yet counted by key: they add up. */
export function callsByKey(
  { total_calls, total_units, keys }: Pick<Usage, 'total_calls' | 'total_units' | 'keys'>,
  live: readonly Key[],
  { texts }: Pick<ConsoleReader, 'texts'>,
): readonly Omit<Calls, 'errors'>[] {
  const used = new Map(keys.map((key) => [key.id, key]));
  const rows = live
    .map(({ id, label }) => ({
      name: label ?? `${texts.noName} (${id})`,
      calls: used.get(id)?.calls ?? 0,
      units: used.get(id)?.units ?? 0,
    }))
    .sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name));
  const rest = (of: 'calls' | 'units', total: number) =>
    total - rows.reduce((sum, row) => sum + row[of], 0);
  const calls = rest('calls', total_calls);
  const others = { name: texts.otherKeys, calls, units: rest('units', total_units) };
  return calls > 0 ? [...rows, others] : rows;
}

/** A bar of a list: a share of its largest figure. */
export function shareBar(value: number, most: number): Html {
  return html`<svg aria-hidden="true"><rect width="${(value / Math.max(1, most)) * 100}%" height="8" rx="4"/></svg>`;
}

/** The answer of one endpoint alone. */
export function usageOf(usage: ShownUsage, endpoint: string | undefined): ShownUsage {
  if (endpoint === undefined) return usage;
  return { ...usage, days: usage.days.filter((row) => row.endpoint === endpoint) };
}

/** The top of a scale: 1, 2 or 4 times a power of ten, so that its half is whole. */
export function scaleTop(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    const top = [1, 2, 4].map((step) => step * unit).find((one) => one >= Math.max(2, value));
    if (top !== undefined) return top;
  }
}

/** An endpoint as the reference writes it: `GET /v1/fx/rates/{market}`. */
export function endpointText(name: string): string {
  return name.replaceAll(/\/:(\w+)/g, '/{$1}');
}

/** A path that may break after each slash. */
export function breakable(name: string): Html {
  const [method = '', ...parts] = endpointText(name).split('/');
  return html`<code>${method}${parts.map((part) => html`/<wbr />${part}`)}</code>`;
}

/** The figures of the chart in short, the chart, what is `told` of a day, and the same as a table. */
export function usageView(usage: ShownUsage, reader: ConsoleReader, told = ''): Html {
  const { language, texts } = reader;
  const days = callsByDay(usage);
  const { calls, errors } = sum('', usage.days);
  const figures = [texts.calls, texts.units, texts.errors].map((label) => ({
    label,
    kind: 'figure' as const,
  }));
  const rows = days
    .filter((day) => day.calls > 0)
    .toReversed()
    .map((day) => [
      shortDay(day.name, language),
      ...[day.calls, day.units, day.errors].map((count) => countText(count, language)),
    ]);
  const counted = days.filter(({ name }) => name <= usage.to).length;
  const average = calls / Math.max(1, counted);
  // Below one request a day an average says nothing.
  const isTold = average >= 1;
  const said = {
    calls: countText(calls, language),
    errors: countText(errors, language),
    average: numberText(average, language, { min: 0, max: average < WHOLE_FROM ? 1 : 0 }),
    from: shortDay(usage.from, language),
    to: shortDay(usage.through ?? usage.to, language),
  };
  const figure = (value: string, name: string) => html`<p><b>${value}</b><span>${name}</span></p>`;
  const top = scaleTop(Math.max(...days.map((day) => day.calls)));
  const width = days.length * DAY_WIDTH;
  const level = CHART_HEIGHT - (average / top) * CHART_HEIGHT;
  return html`<div class="sums">${figure(said.calls, calls === 1 ? texts.oneCall : texts.callsInAll)}${isTold && figure(said.average, texts.perDay)}${figure(said.errors, texts.withError)}</div>
<figure class="usage-chart">
<div class="scale" aria-hidden="true"><span>${countText(top, language)}</span><span>${countText(top / 2, language)}</span><span>0</span></div>
<svg role="img" aria-label="${filled(texts.chartOf, said)}" viewBox="0 0 ${width} ${CHART_HEIGHT}" preserveAspectRatio="none">${days.map((day, place) => bars(day, { place, top }, reader))}${isTold && html`<line class="average" x1="0" x2="${width}" y1="${level}" y2="${level}"/>`}</svg>
${isTold && html`<svg class="average-name" aria-hidden="true"><text x="0" y="${level}%" dy="-3">${texts.average}</text><text x="0" y="${level}%" dy="13" class="value">${said.average}</text></svg>`}
<div class="ends" aria-hidden="true"><span>${said.from}</span><span>${said.to}</span></div>
<figcaption><span class="answered">${texts.answered}</span> <span class="failed">${texts.failed}</span><output>${told}</output></figcaption>
</figure>
<details><summary>${texts.byDay}</summary>${table(texts.byDay, [{ label: texts.day }, ...figures], rows)}</details>`;
}

/** From here on a tenth of a request a day says nothing. */
const WHOLE_FROM = 100;

/** Widths of a chart's day and of its bar, in the chart's own units. */
const DAY_WIDTH = 10;
const BAR_WIDTH = 6.4;
const CHART_HEIGHT = 100;
/** Least height of a bar, so that a day with few calls stays visible. */
const LEAST_HEIGHT = 1.5;

/** A day of the chart: what was answered, and above it what failed. */
function bars(
  { name, calls, errors }: Calls,
  { place, top }: { readonly place: number; readonly top: number },
  { language, texts }: ConsoleReader,
): Html {
  const height = (count: number) =>
    count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / top) * CHART_HEIGHT);
  const [answered, failed] = [height(calls - errors), height(errors)];
  const x = place * DAY_WIDTH + (DAY_WIDTH - BAR_WIDTH) / 2;
  const bar = (kind: string, size: number, from: number) =>
    size > 0 &&
    html`<rect class="${kind}" x="${x}" y="${CHART_HEIGHT - from - size}" width="${BAR_WIDTH}" height="${size}"/>`;
  const counted = (count: number, one: string, many: string) =>
    `${countText(count, language)} ${count === 1 ? one : many.toLowerCase()}`;
  const said = `${shortDay(name, language)}: ${counted(calls, texts.oneCall, texts.calls)}, ${counted(errors, texts.oneError, texts.errors)}`;
  return html`<g><title>${said}</title><rect class="day" x="${place * DAY_WIDTH}" y="0" width="${DAY_WIDTH}" height="${CHART_HEIGHT}"/>${bar('answered', answered, 0)}${bar('failed', failed, answered)}</g>`;
}
