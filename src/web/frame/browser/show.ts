import { Fragment, h, render } from 'preact';
import type { Html } from '../html.ts';

/** Shows the content in the element. Only what differs from before is replaced. */
export function show(place: HTMLElement, content: Html): void {
  render(h(Fragment, null, content), place);
}
