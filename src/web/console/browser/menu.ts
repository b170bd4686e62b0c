import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../frame/html.ts';

interface MenuItem {
  readonly text: string;
  /** Path of its icon on a grid of 24. */
  readonly icon: string;
  readonly isDanger?: boolean;
  readonly onChoose: () => unknown;
}

export const ICONS = {
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  rotate: 'M20 12a8 8 0 1 1-2.3-5.7M20 4v5h-5',
  remove: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
  refresh: 'M20 12a8 8 0 1 1-2.3-5.7M20 4v5h-5',
};

export function icon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}

const ITEM_HEIGHT = 44;
/** Padding, borders and the line above what cannot be undone. */
const EXTRA_HEIGHT = 40;
const GAP = 4;
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** One button with the actions of a row. Arrow keys move in it; Escape returns to the button. */
export function Menu({
  id,
  label,
  items,
}: {
  id: string;
  label: string;
  items: readonly MenuItem[];
}): Html {
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [place, setPlace] = useState<{
    readonly of: number;
    readonly top: number;
    readonly right: number;
  }>();
  const isOpen = place !== undefined;
  const style = { top: `${place?.top}px`, right: `${place?.right}px` };
  useLayoutEffect(() => {
    if (!isOpen) return;
    list.current?.querySelector('button')?.focus({ preventScroll: true });
    const close = () => setPlace(undefined);
    const onPress = ({ target }: Event) => {
      const isInside = target instanceof Node && list.current?.parentElement?.contains(target);
      if (isInside !== true) close();
    };
    // It does not follow its button.
    const onScroll = () => {
      if (button.current?.getBoundingClientRect().top !== place?.of) close();
    };
    addEventListener('scroll', onScroll, true);
    addEventListener('resize', close);
    addEventListener('pointerdown', onPress);
    return () => {
      removeEventListener('scroll', onScroll, true);
      removeEventListener('resize', close);
      removeEventListener('pointerdown', onPress);
    };
  }, [isOpen]);
  const open = () => {
    const edge = button.current?.getBoundingClientRect();
    if (edge === undefined) return;
    const height = items.length * ITEM_HEIGHT + EXTRA_HEIGHT;
    const isBelow = edge.bottom + GAP + height <= innerHeight;
    const top = isBelow ? edge.bottom + GAP : Math.max(GAP, edge.top - GAP - height);
    const right = document.documentElement.clientWidth - edge.right;
    setPlace({ of: edge.top, top, right });
  };
  const close = () => {
    button.current?.focus();
    setPlace(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      return close();
    }
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = all.findIndex((one) => one.matches(':focus'));
    const next = MOVES[event.key]?.(at, all.length);
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus({ preventScroll: true });
  };
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isOpen) return;
    event.preventDefault();
    open();
  };
  const item = ({ text, icon: path, isDanger, onChoose }: MenuItem) =>
    html`${isDanger && html`<hr role="separator" />`}<button type="button" role="menuitem" tabindex="-1" class=${isDanger ? 'danger' : undefined} onClick=${() => {
      close();
      onChoose();
    }}>${icon(path)}${text}</button>`;
  return html`<div class="menu"><button type="button" class="plain" ref=${button} data-menu=${id} aria-label=${label} title=${label} aria-haspopup="menu" aria-expanded=${String(isOpen)} aria-controls=${isOpen ? listId : undefined} onClick=${isOpen ? close : open} onKeyDown=${onButtonKey}>${icon('M5 12h.01M12 12h.01M19 12h.01')}</button>
${isOpen && html`<div class="menu-list" role="menu" id=${listId} aria-label=${label} ref=${list} style=${style} onKeyDown=${onKeyDown}>${items.map(item)}</div>`}</div>`;
}
