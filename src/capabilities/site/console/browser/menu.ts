import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';

interface MenuProps {
  readonly id: string;
  readonly label: string;
  readonly items: readonly {
    readonly text: string;
    /** Path of its icon on a grid of 24. */
    readonly path: string;
    readonly isDanger?: boolean;
    readonly onChoose: () => unknown;
  }[];
}

export const ICONS = {
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  rotate: 'M20 12a8 8 0 1 1-2.3-5.7M20 4v5h-5',
  list: 'M4 6h16M4 12h16M4 18h10',
  send: 'M4 12h15m-6-6 6 6-6 6',
  pause: 'M8 5v14M16 5v14',
  remove: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
};

export function icon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}

/**
 * Puts the focus on the menu of a changed row once the list has been read again; on the button for a
 * new row when there is none: a deleted row and the first one take the place of the focus with them.
 * @returns what names the changed row by the id of its menu.
 */
export function useFocusAfterChange(
  list: unknown,
  newButton: RefObject<HTMLButtonElement | null>,
): (id: string) => void {
  const changed = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (changed.current === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-menu="${changed.current}"]`);
    (row ?? newButton.current)?.focus();
    changed.current = undefined;
  }, [list]);
  return (id) => {
    changed.current = id;
  };
}

/**
 * One button with the actions of a row. The list is a popover: the browser places it, closes it and
 * returns the focus. Arrow keys move in it.
 */
export function Menu({ id, label, items }: MenuProps): Html {
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') list.current?.hidePopover();
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = all.findIndex((one) => one.matches(':focus'));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus({ preventScroll: true });
  };
  const onButtonKey = (event: KeyboardEvent & { currentTarget: HTMLButtonElement }) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  const item = ({ text, path, isDanger, onChoose }: MenuProps['items'][number], place: number) => {
    const onClick = () => {
      list.current?.hidePopover();
      onChoose();
    };
    return html`${isDanger && html`<hr role="separator" />`}<button type="button" role="menuitem" tabindex="-1" autofocus=${place === 0} class=${isDanger && 'danger'} onClick=${onClick}>${icon(path)}${text}</button>`;
  };
  return html`<div class="menu"><button type="button" class="plain" data-menu=${id} aria-label=${label} title=${label} aria-haspopup="menu" popovertarget=${listId} onKeyDown=${onButtonKey}>${icon('M5 12h.01M12 12h.01M19 12h.01')}</button>
<div class="menu-list" role="menu" popover="auto" id=${listId} aria-label=${label} ref=${list} onKeyDown=${onKeyDown}>${items.map(item)}</div></div>`;
}
