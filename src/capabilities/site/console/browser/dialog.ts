import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';

interface DialogProps {
  readonly title: string;
  /** Escape was pressed. */
  readonly onClose: () => void;
  readonly children?: Html;
}

/** A dialog that is open as long as it is there: its first field has the focus, or its title. Afterwards its opener has the focus again. */
export function Dialog({ title, onClose, children }: DialogProps): Html {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    // With a mouse or keys one goes on to type. A finger would get its keyboard over the form.
    if (matchMedia('(hover: hover)').matches) {
      dialog?.querySelector<HTMLElement>('form input, form select')?.focus();
    }
    return () => dialog?.close();
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  // Of two Escapes in a row the browser would not ask about the second.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel(event);
  };
  return html`<dialog ref=${place} class="sheet" aria-labelledby=${id} onCancel=${onCancel} onKeyDown=${onKeyDown}>
<h2 id=${id} tabindex="-1" autofocus>${title}</h2>
${children}
</dialog>`;
}
