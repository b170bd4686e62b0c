import type { Usage, UsageOfADay } from '../../client/types.ts';
import { addUtcDays, parseUtcDay } from '../../domain/time.ts';
import { countText, shortDay } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { table } from '../frame/table.ts';
import { type ConsoleReader, filled } from './console-reader.ts';

type ShownUsage = Pick<Usage, 'from' | 'to' | 'days'>;

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

/** Every day of the answer's range, oldest first, also days without calls. */
export function callsByDay({ from, to, days }: ShownUsage): readonly Calls[] {
  const rows = Map.groupBy(days, ({ date }) => date);
  const all: Calls[] = [];
  for (let day = parseUtcDay(from); day !== undefined && day <= to; day = addUtcDays(day, 1)) {
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

/** The top of a scale: 1, 2 or 4 times a power of ten, so that its half is whole. */
export function scaleTop(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    const top = [1, 2, 4].map((step) => step * unit).find((one) => one >= Math.max(2, value));
    if (top !== undefined) return top;
  }
}

/** Chart and tables of one endpoint, or of all. */
export function usageView(
  answer: ShownUsage,
  endpoint: string | undefined,
  reader: ConsoleReader,
): Html {
  const { language, texts } = reader;
  const shown =
    endpoint === undefined
      ? answer
      : { ...answer, days: answer.days.filter((row) => row.endpoint === endpoint) };
  const days = callsByDay(shown);
  const daysWithCalls = days.filter(({ calls }) => calls > 0);
  if (daysWithCalls.length === 0) return html`<p class="empty">${texts.noUsage}</p>`;
  const columns = (first: string) => [
    { label: first },
    { label: texts.calls, kind: 'figure' as const },
    { label: texts.units, kind: 'figure' as const },
    { label: texts.errors, kind: 'figure' as const },
  ];
  const cells = ({ calls, units, errors }: Calls) =>
    [calls, units, errors].map((count) => countText(count, language));
  return html`${chart(days, reader)}
${table(
  texts.endpoint,
  columns(texts.endpoint),
  callsByEndpoint(shown).map((row) => [breakable(row.name), ...cells(row)]),
  { stacks: true },
)}
<details><summary>${texts.byDay}</summary>
${table(
  texts.byDay,
  columns(texts.day),
  daysWithCalls.toReversed().map((row) => [shortDay(row.name, language), ...cells(row)]),
  { stacks: true },
)}
</details>`;
}

/** An endpoint as the reference writes it: `GET /v1/fx/rates/{market}`. */
export function endpointText(name: string): string {
  return name.replaceAll(/\/:(\w+)/g, '/{$1}');
}

/** A path that may break after each slash. */
function breakable(name: string): Html {
  const [method = '', ...parts] = endpointText(name).split('/');
  return html`<code>${method}${parts.map((part) => html`/<wbr />${part}`)}</code>`;
}

/** Widths of a chart's day and of its bar, in the chart's own units. */
const DAY_WIDTH = 10;
const BAR_WIDTH = 8;
const CHART_HEIGHT = 100;
/** Least height of a bar, so that a day with few calls stays visible. */
const LEAST_HEIGHT = 1.5;

function chart(days: readonly Calls[], reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const top = scaleTop(Math.max(...days.map(({ calls }) => calls)));
  const height = (count: number) =>
    count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / top) * CHART_HEIGHT);
  const bars = days.map((day, position) => {
    const failed = height(day.errors);
    const answered = height(day.calls - day.errors);
    const x = position * DAY_WIDTH + (DAY_WIDTH - BAR_WIDTH) / 2;
    const bar = (name: string, size: number, from: number) =>
      size > 0 &&
      html`<rect class="${name}" x="${x}" y="${CHART_HEIGHT - from - size}" width="${BAR_WIDTH}" height="${size}"/>`;
    const said = `${shortDay(day.name, language)}: ${countText(day.calls, language)} ${texts.calls.toLowerCase()}, ${countText(day.errors, language)} ${texts.errors.toLowerCase()}`;
    return html`<g><title>${said}</title><rect class="day" x="${position * DAY_WIDTH}" y="0" width="${DAY_WIDTH}" height="${CHART_HEIGHT}"/>${bar('answered', answered, 0)}${bar('failed', failed, answered)}</g>`;
  });
  const total = (count: (day: Calls) => number) =>
    countText(
      days.reduce((whole, day) => whole + count(day), 0),
      language,
    );
  const [first, last] = [days[0]?.name ?? '', days.at(-1)?.name ?? ''].map((day) =>
    shortDay(day, language),
  );
  const label = filled(texts.chartOf, {
    from: first ?? '',
    to: last ?? '',
    calls: total(({ calls }) => calls),
    errors: total(({ errors }) => errors),
  });
  return html`<figure class="usage-chart">
<div class="scale figure" aria-hidden="true"><span>${countText(top, language)}</span><span>${countText(top / 2, language)}</span><span>0</span></div>
<svg role="img" aria-label="${label}" viewBox="0 0 ${days.length * DAY_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none">${bars}</svg>
<div class="ends" aria-hidden="true"><span>${first}</span><span>${last}</span></div>
<figcaption><span class="answered">${texts.answered}</span> <span class="failed">${texts.failed}</span></figcaption>
</figure>`;
}
