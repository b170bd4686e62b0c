import { useState } from 'preact/hooks';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { copyText } from '../frame/copy-text.ts';
import { countText } from '../frame/format.ts';
import { type ConsoleData, type DemoKey, filled } from './console-data.ts';

/** What stands below the field: a problem, or a note that is none. */
export interface SignInSaid {
  readonly trouble?: string;
  readonly note?: string;
}

export interface SignInProps {
  readonly data: ConsoleData;
  readonly said?: SignInSaid;
  readonly isBusy?: boolean;
  /** Gets the field of the key, which has no name, so that no form can send it. */
  readonly field?: object;
  readonly onSubmit?: (event: SubmitEvent) => void;
}

/**
 * The form of the key; a demonstration also offers its own keys. The service writes it too. Outside of
 * a dialog the method `dialog` does nothing, so before the script is there no key is sent or lost.
 */
export function SignIn({ data, said = {}, isBusy, field, onSubmit }: SignInProps): Html {
  const { texts, demoKeys } = data;
  const isDemo = demoKeys.length > 0;
  const demoKey = (one: DemoKey) =>
    html`<button class="plan-choice" value=${one.key} disabled=${isBusy}><b>${one.plan}</b><span>${aboutPlan(one, data)}</span></button>`;
  return html`<div class="wrap entry">
<div><h1>${isDemo ? texts.enterDemo : texts.heading}</h1>
<p class="lead">${isDemo ? texts.enterDemoHelp : texts.lead}</p></div>
<noscript><p>${texts.needsScript} <a href=${data.docsAddress}>${texts.toDocs}</a></p></noscript>
${isDemo && html`<form class="plan-choices" method="dialog" onSubmit=${onSubmit}>${demoKeys.map(demoKey)}</form><${DemoKeys} ...${data} />`}
<form id="sign-in" class="panel" method="dialog" novalidate aria-busy=${isBusy ? 'true' : undefined} onSubmit=${onSubmit}>
<label for="key">${isDemo ? texts.orKey : texts.keyLabel}</label>
<p class="key-row"><input id="key" ref=${field} type="password" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="vfx_live_…" aria-describedby="key-help" aria-invalid=${said.trouble ? 'true' : undefined} />
<button class="main" disabled=${isBusy}>${isBusy ? texts.signingIn : texts.signIn}</button></p>
<p class="trouble" role="alert">${said.trouble}</p>
<p class="said" role="status">${said.note}</p>
<p class="hint" id="key-help">${texts.keyHelp} ${texts.noKey}</p>
</form>
</div>`;
}

/** The keys of a demonstration, for a terminal or a program. */
function DemoKeys({ texts, demoKeys }: Pick<ConsoleData, 'texts' | 'demoKeys'>): Html {
  const [said, setSaid] = useState('');
  const copy = async ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const key = currentTarget.parentElement?.querySelector('code');
    if (key) setSaid((await copyText(key)) ? texts.copied : texts.notCopied);
  };
  const row = ({ plan, key }: DemoKey) =>
    html`<li><b>${plan}</b> <code>${key}</code> <button type="button" aria-label="${texts.copy}: ${plan}" onClick=${copy}>${texts.copy}</button></li>`;
  return html`<details class="demo-keys"><summary>${texts.demoKeys}</summary>
<ul>${demoKeys.map(row)}</ul><p class="said" role="status">${said}</p></details>`;
}

function aboutPlan({ units, historyDays }: DemoKey, { language, texts }: ConsoleData): string {
  const count = (limit: number | null) =>
    limit === null ? texts.noLimit : countText(limit, language);
  return filled(texts.planInShort, { units: count(units), days: count(historyDays) });
}
