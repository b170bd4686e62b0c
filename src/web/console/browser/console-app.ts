import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Account } from '../../../client/types.ts';
import { type Html, html } from '../../frame/html.ts';
import type { ConsoleData } from '../console-data.ts';
import { hasEnded } from '../key-list.ts';
import { SignIn, type SignInSaid } from '../sign-in.ts';
import { ConsoleContext, failureIn, type UnsavedKey } from './console-context.ts';
import { clientWith, Session, type SessionEnd } from './console-session.ts';
import { KeysTab } from './keys-tab.ts';
import { MarkupsTab } from './markups-tab.ts';
import { NewKeyDialog } from './new-key-dialog.ts';
import { PlaygroundTab } from './playground-tab.ts';
import { SummarySkeleton, SummaryTab } from './summary-tab.ts';
import { linkedOperation, TABS, type TabName, useTab } from './tabs.ts';

const CONTENTS = {
  resumen: SummaryTab,
  claves: KeysTab,
  margenes: MarkupsTab,
  probar: PlaygroundTab,
} satisfies Readonly<Record<TabName, () => Html>>;

/** A reader signs in with a key, then sees and manages the account. */
export function ConsoleApp({ data }: { data: ConsoleData }): Html {
  const { texts } = data;
  const [account, setAccount] = useState<Account>();
  const [said, setSaid] = useState<SignInSaid>({});
  const [isBusy, setBusy] = useState(false);
  const [isResuming, setResuming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const session = useMemo(() => new Session((reason) => leave({ trouble: endText(reason) })), []);

  function endText(reason: SessionEnd): string {
    return reason === 'invalid_api_key' ? texts.keyEnded : texts.failures.account_suspended;
  }
  function leave(next: SignInSaid): void {
    session.forget();
    setAccount(undefined);
    setSaid(next);
  }
  async function enter(key: string): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setSaid({});
    try {
      const answer = await clientWith(key).account();
      session.keep(key);
      setAccount(answer);
    } catch (error) {
      setSaid({ trouble: failureIn(error, data) });
      field.current?.select();
    } finally {
      setBusy(false);
    }
  }
  // A button that was pressed before this script was there comes first. Else signs in with the tab's
  // key after a reload or a change of language.
  useLayoutEffect(() => {
    const pressed = document.querySelector<HTMLElement>('[data-pressed]');
    if (pressed !== null) return pressed.click();
    if (session.key === undefined) return;
    setResuming(true);
    session
      .call((vesfx) => vesfx.account())
      .then(setAccount, (error: unknown) => {
        // An invalid key has already led back to the form.
        if (session.key !== undefined) setSaid({ trouble: failureIn(error, data) });
      })
      .finally(() => setResuming(false));
  }, []);
  const isOut = account === undefined && !isResuming;
  const wasIn = useRef(false);
  useEffect(() => {
    if (isOut && wasIn.current) field.current?.focus();
    wasIn.current = account !== undefined;
  }, [isOut]);

  if (account !== undefined) {
    const onLeave = () => leave({ note: texts.signedOut });
    return h(AccountView, { data, session, first: account, onLeave });
  }
  if (isResuming) return SummarySkeleton({ label: texts.loading });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void enter(event.submitter?.getAttribute('value') ?? field.current?.value.trim() ?? '');
  };
  return h(SignIn, { data, said, isBusy, field, onSubmit });
}

interface AccountProps {
  readonly data: ConsoleData;
  readonly session: Session;
  readonly first: Account;
  readonly onLeave: () => void;
}

/** An open account: its name, the tabs, and the one in view. Opened tabs keep their state. */
function AccountView({ data, session, first, onLeave }: AccountProps): Html {
  const { texts } = data;
  const [account, setAccount] = useState(first);
  const [version, setVersion] = useState(0);
  const [trouble, setTrouble] = useState<string>();
  const [newKey, setNewKey] = useState<UnsavedKey>();
  const tab = useTab();
  const opened = useRef(new Set<TabName>());
  opened.current.add(tab);
  const place = useRef<HTMLDivElement>(null);

  const reload = async () => {
    try {
      setAccount(await session.call((vesfx) => vesfx.account()));
      setTrouble(undefined);
    } catch (error) {
      setTrouble(failureIn(error, data));
    }
  };
  useEffect(() => {
    if (version > 0) void reload();
  }, [version]);
  // A link of the reference leads to its operation, which takes the focus itself.
  useEffect(() => {
    if (linkedOperation() !== undefined) return;
    const heading = place.current?.querySelector<HTMLElement>('section:not([hidden]) h1');
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [tab]);
  // Leaving the page would lose a key that its owner has not saved.
  useEffect(() => {
    if (newKey === undefined) return;
    const keep = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [newKey]);

  const open = {
    ...{ data, session, account, reload, version },
    refresh: () => setVersion((before) => before + 1),
    showNewKey: setNewKey,
  };
  const liveKeys = account.keys.filter((key) => !hasEnded(key, Date.now())).length;
  const link = (name: TabName) =>
    html`<a href=${`#${name}`} aria-current=${name === tab ? 'page' : undefined}>${texts.tabs[name]}${name === 'claves' && html` <i>${liveKeys}</i>`}</a>`;
  return html`<${ConsoleContext.Provider} value=${open}><div id="account" ref=${place}>
<div class="app-bar"><div class="wrap"><nav class="tabs" aria-label=${texts.sections}>${TABS.map(link)}</nav>
<div class="who"><b id="account-name">${account.name}</b><span class="tag accent">${account.plan}</span><button type="button" id="sign-out" onClick=${onLeave}>${texts.signOut}</button></div></div></div>
<div class="wrap">${trouble && html`<p class="alert" role="alert">${trouble} <button type="button" onClick=${open.refresh}>${texts.retry}</button></p>`}
${TABS.filter((name) => opened.current.has(name)).map((name) => html`<section key=${name} id=${`tab-${name}`} class="tab" hidden=${name !== tab}>${h(CONTENTS[name], {})}</section>`)}</div>
${newKey && h(NewKeyDialog, { newKey, onSaved: () => setNewKey(undefined) })}
</div><//>`;
}
