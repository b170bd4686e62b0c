import type { Account, Key } from '../../../client/types.ts';
import { copyText, element } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { changeKeyForm, lastDayOf, mayHave, newKeyForm, revokeForm } from '../key-form.ts';
import { keysView, newKeyView, rotateForm } from '../keys-view.ts';
import { clicked, focusOn, onSubmit, openPanel, reader, texts } from './console-elements.ts';
import type { Session } from './console-session.ts';

/** The part for the account's keys. */
export function keysPart(session: Session, { reload }: { readonly reload: () => Promise<void> }) {
  const view = element('keys-view', HTMLElement);
  let account: Account | undefined;
  /**
   * Whether a new key is shown that its owner has not confirmed as saved. Leaving the page would
   * lose it.
   */
  let unsaved = false;
  /** Selects the button that opened the panel. It gets the focus back when the panel closes. */
  let opener = '[data-new-key]';

  const asking = {
    'data-rotate': askToRotate,
    'data-change': askToChange,
    'data-revoke': askToRevoke,
  };

  const list = document.createElement('div');
  const panels = document.createElement('div');
  view.append(list, panels);

  view.addEventListener('click', async (event) => {
    for (const [attribute, ask] of Object.entries(asking)) {
      const id = clicked(event, attribute);
      if (id === undefined) continue;
      const key = account?.keys.find((one) => one.id === id);
      if (isKeyUnsaved() || key === undefined) continue;
      opener = `[${attribute}="${id}"]`;
      ask(key);
    }
    if (clicked(event, 'data-new-key') !== undefined && !isKeyUnsaved()) {
      opener = '[data-new-key]';
      askForNew();
    }
    if (clicked(event, 'data-cancel') !== undefined) closePanel();
    if (clicked(event, 'data-saved') !== undefined) {
      unsaved = false;
      closePanel();
    }
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    const code = panels.querySelector('code');
    if (button !== null && code !== null) await copyKey(button, code);
  });
  addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });

  /** Scrolls to a new key that would be lost and says why. False without one. */
  function isKeyUnsaved(): boolean {
    if (!unsaved) return false;
    const status = panels.querySelector('[role=status]');
    if (status !== null) status.textContent = texts.saveFirst;
    panels.querySelector('h3')?.focus();
    return true;
  }

  function closePanel(): void {
    panels.replaceChildren();
    focusOn(list, [opener, '[data-new-key]']);
  }

  /** The focus must wait, because loading replaces the list. */
  async function closeAndReload(): Promise<void> {
    panels.replaceChildren();
    await reload();
    if (panels.childElementCount === 0) closePanel();
  }

  function askToRotate(key: Key): void {
    const form = openPanel(panels, rotateForm(key, reader));
    onSubmit(form, async () => {
      const grace = form.querySelector('select')?.value ?? '0';
      const rotation = { grace_sec: Number(grace) };
      const next = await session.call((vesfx) => vesfx.rotateKey(key.id, rotation));
      // Show the new key before anything else can fail: without it its owner could be locked out.
      if (key.current) session.keep(next.key);
      unsaved = true;
      openPanel(panels, newKeyView({ key: next.key, isCurrent: key.current }, reader));
      await reload();
    });
  }

  function askForNew(): void {
    const form = openPanel(panels, newKeyForm(reader));
    const read = keyFormReader(form);
    onSubmit(form, async () => {
      const { kind, label, expires, limits } = read();
      const body = {
        kind,
        ...(label !== '' && { label }),
        ...(expires !== '' && { expires_at: endOf(expires) }),
        ...limits,
      };
      const made = await session.call((vesfx) => vesfx.keys.create(body));
      unsaved = true;
      openPanel(panels, newKeyView({ key: made.key, isCurrent: false }, reader));
      await reload();
    });
  }

  function askToChange(key: Key): void {
    const form = openPanel(panels, changeKeyForm(key, reader));
    const read = keyFormReader(form);
    onSubmit(form, async () => {
      const { label, expires, limits } = read();
      const change = {
        label: label === '' ? null : label,
        // The form knows only the day. Sending an unchanged day would move the end to its last
        // moment.
        ...(expires !== lastDayOf(key) && {
          expires_at: expires === '' ? null : endOf(expires),
        }),
        ...limits,
      };
      await session.call((vesfx) => vesfx.keys.change(key.id, change));
      await closeAndReload();
    });
  }

  function askToRevoke(key: Key): void {
    const form = openPanel(panels, revokeForm(key, reader));
    onSubmit(form, async () => {
      await session.call((vesfx) => vesfx.keys.revoke(key.id));
      await closeAndReload();
    });
  }

  return {
    isKeyUnsaved,
    show(next: Account): void {
      account = next;
      show(list, keysView(next.keys, Date.now(), reader));
    },
    clear(): void {
      account = undefined;
      unsaved = false;
      show(list, null);
      panels.replaceChildren();
    },
  };
}

/** Copies the key, and says beside the button whether that worked. */
async function copyKey(button: Element, key: HTMLElement): Promise<void> {
  const said = (await copyText(key)) ? texts.copied : texts.notCopied;
  const status = button.parentElement?.querySelector('[role=status]');
  if (status instanceof Element) status.textContent = said;
}

/** A key ends with its last day in Caracas. */
function endOf(day: string): string {
  return `${day}T23:59:59-04:00`;
}

/** Shows the fields that a key of the chosen kind has. @returns what reads them. */
function keyFormReader(form: HTMLElement) {
  const values = () => new FormData(form instanceof HTMLFormElement ? form : undefined);
  const text = (name: string) => String(values().get(name) ?? '').trim();
  const showFields = () => {
    const kind = text('kind');
    for (const part of form.querySelectorAll<HTMLElement>('[data-for]')) {
      part.hidden = !(part.dataset['for'] ?? '').split(' ').includes(kind);
    }
    for (const box of form.querySelectorAll<HTMLInputElement>('[name=scope]')) {
      box.disabled = !mayHave(kind, box.value);
      if (box.parentElement !== null) box.parentElement.hidden = box.disabled;
    }
  };
  showFields();
  form.addEventListener('change', showFields);
  return () => {
    const kind = text('kind');
    const isPublishable = kind === 'publishable';
    const limits = {
      scopes: kind === 'full' ? undefined : values().getAll('scope').map(String),
      origins: isPublishable
        ? text('origins')
            .split(/[\s,]+/)
            .filter((origin) => origin !== '')
        : undefined,
      allow_no_origin: isPublishable ? values().has('no-origin') : undefined,
    };
    return { kind, label: text('label'), expires: text('expires'), limits };
  };
}
