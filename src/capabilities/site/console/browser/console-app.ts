import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VesfxError } from '../../../../client/errors.ts';
import type { Account } from '../../../../client/types.ts';
import { caracasTimeOf } from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { type ConsoleData, filled } from '../console-data.ts';
import { failureIn } from '../failures.ts';
import { hasEnded } from '../key-list.ts';
import { SignIn } from '../sign-in.ts';
import { ConsoleContext, type UnsavedKey } from './console-context.ts';
import { type Session, useSession } from './console-session.ts';
import { KeysTab } from './keys-tab.ts';
import { MarkupsTab } from './markups-tab.ts';
import { NewKeyDialog } from './new-key-dialog.ts';
import { PlaygroundTab } from './playground-tab.ts';
import { SummarySkeleton, SummaryTab } from './summary-tab.ts';
import { linkedOperation, TABS, type TabName, useTab } from './tabs.ts';
import { WebhooksTab } from './webhooks/webhooks-tab.ts';

const CONTENTS = {
  resumen: SummaryTab,
  claves: KeysTab,
  margenes: MarkupsTab,
  webhooks: WebhooksTab,
  probar: PlaygroundTab,
} satisfies Readonly<Record<TabName, () => Html>>;

/** While the account cannot be read, the page reads it again after this long, or later if the service asks for it. */
const RETRY_MS = 5_000;

/** What was read so long ago is read again when its reader comes back to it. */
const OLD_MS = 30_000;

/** A reader signs in with a key, then sees and manages the account. */
export function ConsoleApp({ data }: { data: ConsoleData }): Html {
  const session = useSession(data);
  const { key: own, account, said, busy, enter, leave, resume } = session;
  const { texts } = data;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // What was pressed before this script was there comes first.
    const pressed = document.querySelector<HTMLElement>('[data-pressed]');
    if (pressed === null) void resume();
    else pressed.click();
  }, []);
  const isOpen = account !== undefined;
  useLayoutEffect(() => scrollTo(0, 0), [isOpen]);
  useEffect(() => {
    if (said.trouble === undefined && said.note === undefined) return;
    // After the account, the page is seen from its top.
    field.current?.focus({ preventScroll: said.trouble === undefined });
    field.current?.select();
  }, [said, busy]);
  if (account !== undefined) return h(AccountView, { data, session, account });
  if (busy === 'resuming') return SummarySkeleton({ label: texts.loading });
  // The key is there, and the account could not be read: nobody has to type the key again.
  if (own.current !== undefined && said.trouble !== undefined) {
    return html`<div class="wrap"><p class="alert" role="alert">${said.trouble} <button type="button" onClick=${resume}>${texts.retry}</button> <button type="button" id="sign-out" onClick=${() => leave({ note: texts.signedOut })}>${texts.signOut}</button></p></div>`;
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const key = event.submitter?.getAttribute('value') ?? field.current?.value.trim();
    if (key) void enter(key);
    else leave({ trouble: texts.keyMissing });
  };
  return h(SignIn, { data, said, isBusy: busy !== undefined, field, onSubmit });
}

interface AccountProps {
  readonly data: ConsoleData;
  readonly session: Session;
  readonly account: Account;
}

/** An open account: its name, the tabs, and the one in view. Opened tabs keep their state. */
function AccountView({ data, session, account }: AccountProps): Html {
  const { texts } = data;
  const [version, setVersion] = useState(0);
  /** What is wrong with the account, and after how long it is read again. */
  const [trouble, setTrouble] = useState<{ readonly text: string; readonly retryMs: number }>();
  const readAt = useRef(Date.now());
  const [newKey, setNewKey] = useState<UnsavedKey>();
  const tabs = TABS.filter((name) => name !== 'webhooks' || data.webhooks !== undefined);
  const tab = useTab(tabs);
  const opened = useRef(new Set<TabName>());
  opened.current.add(tab);
  const place = useRef<HTMLDivElement>(null);

  const read = async () => {
    try {
      await session.reload();
      setTrouble(undefined);
      readAt.current = Date.now();
      return true;
    } catch (error) {
      const asked = error instanceof VesfxError ? error.retryAfterSec : undefined;
      const retryMs = Math.max(RETRY_MS, (asked ?? 0) * 1_000);
      setTrouble({ text: failureIn(error, data), retryMs });
      return false;
    }
  };
  const readTabs = () => setVersion((before) => before + 1);
  const refresh = async () => {
    readTabs();
    await read();
  };
  // A link of the reference leads to its operation, which takes the focus itself.
  useEffect(() => {
    if (linkedOperation() !== undefined) return;
    const heading = place.current?.querySelector<HTMLElement>('section:not([hidden]) h1');
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [tab]);
  useEffect(() => {
    const before = document.title;
    document.title = `${texts.tabs[tab]} · vesfx`;
    return () => {
      document.title = before;
    };
  }, [tab]);
  // A browser may say that it is online before it is, or never say so.
  useEffect(() => {
    if (trouble === undefined) return;
    const retry = async () => {
      if (await read()) readTabs();
    };
    addEventListener('online', retry);
    const timer = setTimeout(retry, trouble.retryMs);
    return () => {
      removeEventListener('online', retry);
      clearTimeout(timer);
    };
  }, [trouble]);
  // Another tab or a program may have changed the account meanwhile.
  useEffect(() => {
    const look = () => {
      if (!document.hidden && Date.now() - readAt.current >= OLD_MS) void refresh();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [tab]);
  // Leaving the page would lose a key that its owner has not saved.
  useEffect(() => {
    if (newKey === undefined) return;
    const keep = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [newKey]);

  // Once its dialog is gone, the new key's row has the focus, so it is in view in a long list.
  const onSaved = () => {
    setNewKey(undefined);
    setTimeout(() => document.querySelector<HTMLElement>(`[data-menu="${newKey?.id}"]`)?.focus());
  };
  const more = { account, trouble: trouble?.text, refresh, version, showNewKey: setNewKey };
  const open = { ...data, ...session, ...more };
  const liveKeys = account.keys.filter((one) => !hasEnded(one, Date.now())).length;
  const link = (name: TabName) =>
    html`<a href=${`#${name}`} aria-current=${name === tab ? 'page' : undefined}>${texts.tabs[name]}${name === 'claves' && html` <i>${liveKeys}</i>`}</a>`;
  return html`<${ConsoleContext.Provider} value=${open}><div id="account" ref=${place}>
<div class="app-bar"><div class="wrap"><nav class="tabs" aria-label=${texts.sections}>${tabs.map(link)}</nav>
<div class="who"><b id="account-name">${account.name}</b><button type="button" id="sign-out" onClick=${() => session.leave({ note: texts.signedOut })}>${texts.signOut}</button></div></div></div>
<div class="wrap">${trouble && html`<p class="alert" role="alert">${trouble.text} ${filled(texts.dataOf, { time: caracasTimeOf(readAt.current) })} <button type="button" onClick=${refresh}>${texts.retry}</button></p>`}
${tabs.filter((name) => opened.current.has(name)).map((name) => html`<section key=${name} id=${`tab-${name}`} class="tab" hidden=${name !== tab}>${h(CONTENTS[name], {})}</section>`)}</div>
${newKey && h(NewKeyDialog, { newKey, onSaved })}
</div><//>`;
}
