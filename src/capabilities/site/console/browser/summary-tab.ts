import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addUtcDays, utcDayOf } from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { countText, monthInWords } from '../../frame/format.ts';
import { Segments } from '../../frame/segments.ts';
import { filled } from '../console-data.ts';
import { hasEnded } from '../key-list.ts';
import { planView, unitsView } from '../plan-view.ts';
import {
  breakable,
  callsByEndpoint,
  callsByKey,
  daysOfMonth,
  endpointText,
  shareBar,
  usageOf,
  usageView,
} from '../usage-view.ts';
import { useConsole, useLoaded } from './console-context.ts';
import { ICONS, icon } from './menu.ts';

const PERIODS = ['7', 'month', '90'] as const;

/** The units and the calls of the month, by endpoint and by key, and the plan. */
export function SummaryTab(): Html {
  const open = useConsole();
  const { texts, language, call, account, version, refresh, plansAddress } = open;
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('month');
  const [endpoint, setEndpoint] = useState<string>();
  const [day, setDay] = useState('');
  // Every day of the chart has its figures as its title, which a finger cannot reach.
  const onPoint = ({ target }: Event) => {
    const title = target instanceof Element && target.closest('.usage-chart g')?.firstChild;
    if (title) setDay(title.textContent ?? '');
  };
  const { month } = account.usage;
  const { value: usage, trouble } = useLoaded(async () => {
    // The chart has the units' month, so that both can be compared.
    const ofMonth = period === 'month' ? daysOfMonth(month) : undefined;
    const from = ofMonth?.from ?? addUtcDays(utcDayOf(Date.now()), 1 - Number(period));
    const read = await call((vesfx) => vesfx.usage({ from }));
    return { ...read, through: ofMonth?.through };
  }, [period, month, version]);
  const rows = usage === undefined ? [] : callsByEndpoint(usage);
  const chosen = rows.some(({ name }) => name === endpoint) ? endpoint : undefined;
  const mostOf = (list: readonly { readonly calls: number }[]) =>
    Math.max(...list.map(({ calls }) => calls));
  const live = account.keys.filter((key) => !hasEnded(key, Date.now()));
  const keys = usage === undefined ? [] : callsByKey(usage, live, open);
  const heading =
    period === 'month'
      ? filled(texts.callsOf, { month: monthInWords(month, language) })
      : filled(texts.lastDays, { n: period });
  const row = ({ name, calls, errors }: (typeof rows)[number]) =>
    html`<tr key=${name}><th scope="row"><button type="button" class="row-choice" aria-pressed=${String(name === chosen)} aria-label=${endpointText(name)} onClick=${() => setEndpoint(name === chosen ? undefined : name)}>${breakable(name)}</button></th>
<td class="share">${shareBar(calls, mostOf(rows))}</td><td class="figure">${countText(calls, language)}</td><td class="figure${errors === 0 ? ' quiet' : ''}">${countText(errors, language)}</td></tr>`;
  const keyRow = ({ name, calls, units }: (typeof keys)[number]) =>
    html`<tr key=${name}><th scope="row">${name}</th><td class="share">${shareBar(calls, mostOf(keys))}</td><td class="figure">${countText(calls, language)}</td><td class="figure">${countText(units, language)}</td></tr>`;
  useEffect(() => setDay(''), [usage, chosen]);
  const isLoading = usage === undefined && trouble === undefined;
  const chart =
    usage === undefined
      ? isLoading && h(UsageSkeleton, {})
      : rows.length === 0
        ? html`<div class="empty chart-place"><p>${texts.noUsage}</p><a class="button main" href="#probar">${texts.tryApi}</a></div>`
        : usageView(usageOf(usage, chosen), open, day);
  return html`<h1 class="unseen" tabindex="-1">${texts.tabs.resumen}</h1>
<div class="panel use" id="usage"><div id="units">${unitsView(account, Date.now(), open)}</div>
<div onPointerOver=${onPoint} onClick=${onPoint}><div class="head"><h2>${heading}</h2><div class="tools">${h(
    Segments<(typeof PERIODS)[number]>,
    {
      name: 'period',
      label: texts.period,
      choices: PERIODS.map((value) => ({
        value,
        text: value === 'month' ? texts.month : `${value} d`,
      })),
      value: period,
      onChoose: setPeriod,
    },
  )}<button type="button" class="plain" id="refresh" aria-label=${texts.refresh} title=${texts.refresh} onClick=${refresh}>${icon(ICONS.rotate)}</button></div></div>
${chosen !== undefined && html`<p class="chosen"><span class="tag accent">${endpointText(chosen)}</span> <button type="button" class="link" onClick=${() => setEndpoint(undefined)}>${texts.allEndpoints}</button></p>`}
${trouble !== undefined && html`<p class="trouble">${trouble}</p>`}
${chart}
<p class="hint">${texts.usageHelp}</p></div></div>
${
  rows.length > 0 &&
  html`<div class="pair"><div class="panel" id="endpoints"><h2>${texts.byEndpoint}</h2>
<table><thead><tr><th scope="col">${texts.endpoint}</th><td class="share"></td><th scope="col" class="figure">${texts.calls}</th><th scope="col" class="figure">${texts.errors}</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>
<div class="panel" id="by-key"><h2>${texts.byKey}</h2>
<table><thead><tr><th scope="col">${texts.apiKey}</th><td class="share"></td><th scope="col" class="figure">${texts.calls}</th><th scope="col" class="figure">${texts.units}</th></tr></thead><tbody>${keys.map(keyRow)}</tbody></table></div></div>`
}
${
  isLoading
    ? html`<div key="loading" class="panel"><div class="skeleton list-place"></div></div>`
    : html`<div key="plan" class="panel wide-facts" id="plan"><div class="head"><h2>${filled(texts.plan, { plan: account.plan })}</h2><a href=${plansAddress}>${texts.comparePlans}</a></div>${planView(account, open)}</div>`
}`;
}

/** The place of the chart: one of made-up figures, out of sight. */
function UsageSkeleton(): Html {
  const open = useConsole();
  const to = utcDayOf(Date.now());
  const row = { endpoint: '', calls: 1_000, units: 0, client_errors: 0, server_errors: 0 };
  const usage = { from: addUtcDays(to, -29), to, days: [{ ...row, date: to }] };
  return html`<div class="skeleton"><p role="status">${open.texts.loading}</p><div class="of-chart" aria-hidden="true">${usageView(usage, open)}</div></div>`;
}

/** The same places without figures, while the account loads. */
export function SummarySkeleton({ label }: { label: string }): Html {
  const block = (name: string) => html`<div class=${`skeleton ${name}`}></div>`;
  return html`<div><div class="app-bar"><div class="wrap">${block('tabs-place')}</div></div>
<div class="wrap"><section class="tab"><div class="panel use"><div><div class="skeleton units-place"><p role="status">${label}</p></div></div><div>${block('units-place')}</div></div>
<div class="panel">${block('list-place')}</div></section></div></div>`;
}
