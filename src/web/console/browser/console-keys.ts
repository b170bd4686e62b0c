import { element } from '../../frame/browser/elements.ts';
import type { AccountAnswer, RotatedAnswer } from '../answers.ts';
import { keysView, newKeyView, rotateForm } from '../keys-view.ts';
import { clicked, copyText, language, onSubmit, openPanel, show } from './console-elements.ts';
import type { Session } from './console-session.ts';

/** The keys of the account, and putting a new one in the place of another. */
export function keysPart(session: Session, { reload }: { readonly reload: () => Promise<void> }) {
  const view = element('keys-view', HTMLElement);
  let account: AccountAnswer | undefined;
  /** A new key that its owner has not said to have kept: leaving the page would lose it. */
  let unsaved = false;

  const list = document.createElement('div');
  const panels = document.createElement('div');
  view.append(list, panels);

  view.addEventListener('click', async (event) => {
    const id = clicked(event, 'data-rotate');
    if (id !== undefined) {
      if (!unsaved) askToRotate(id);
      else panels.querySelector('h3')?.focus();
    }
    if (clicked(event, 'data-cancel') !== undefined) closePanel();
    if (clicked(event, 'data-saved') !== undefined) {
      unsaved = false;
      closePanel();
    }
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    const code = panels.querySelector('code');
    if (button !== null && code !== null) await copyText(button, code);
  });
  addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });

  function closePanel(): void {
    panels.replaceChildren();
    list.querySelector<HTMLElement>('[data-rotate]')?.focus();
  }

  function askToRotate(id: string): void {
    const key = account?.keys.find((one) => one.id === id);
    if (key === undefined) return;
    const form = openPanel(panels, rotateForm(key, language));
    onSubmit(form, async () => {
      const grace = form.querySelector('select')?.value ?? '0';
      const path = `/v1/account/keys/${encodeURIComponent(id)}/rotate`;
      const body = { grace_sec: Number(grace) };
      const next = await session.ask<RotatedAnswer>(path, { method: 'POST', body });
      // First of all: without the new key its owner could be locked out.
      if (key.current) session.keep(next.key);
      unsaved = true;
      openPanel(panels, newKeyView({ key: next.key, isCurrent: key.current }, language));
      await reload();
    });
  }

  return {
    show(next: AccountAnswer): void {
      account = next;
      show(list, keysView(next.keys, Date.now(), language));
    },
    clear(): void {
      account = undefined;
      unsaved = false;
      list.replaceChildren();
      panels.replaceChildren();
    },
  };
}
