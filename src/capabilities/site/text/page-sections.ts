import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';

export interface SectionsProps {
  readonly sections: readonly { readonly anchor: string; readonly text: string }[];
}

/** The part of the window, from its top, in which the heading that a reader reads stands. */
const READ_AT = 0.3;

/** Space above a group of the index, in which the stylesheet fades what scrolls out. */
const GROUP_GAP = 16;

/** The sections of the page, with the one that is being read: the last one above a third of the window. */
export function Sections({ sections }: SectionsProps): Html {
  const [current, setCurrent] = useState<string | undefined>();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // A long index begins at the group in which the page of the reader stands.
    const index = list.current?.closest('nav');
    const group = index?.querySelector<HTMLElement>('h2:has(+ ul [aria-current=page])');
    if (index && group) index.scrollTop = group.offsetTop - index.offsetTop - GROUP_GAP;
  }, []);
  useEffect(() => {
    const find = () => {
      const top = (anchor: string) =>
        document.getElementById(anchor)?.getBoundingClientRect().top ?? 0;
      const { scrollHeight } = document.documentElement;
      const atEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2;
      const passed = sections.filter(({ anchor }) => top(anchor) < innerHeight * READ_AT);
      setCurrent((atEnd ? sections : passed).at(-1)?.anchor);
    };
    find();
    addEventListener('scroll', find);
    addEventListener('resize', find);
    return () => {
      removeEventListener('scroll', find);
      removeEventListener('resize', find);
    };
  }, [sections]);
  if (sections.length === 0) return null;
  return html`<ul ref=${list}>${sections.map(
    ({ anchor, text }) =>
      html`<li><a href="#${anchor}" aria-current=${anchor === current ? 'location' : undefined}>${text}</a></li>`,
  )}</ul>`;
}
