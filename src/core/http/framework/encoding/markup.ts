import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Html } from './html.ts';

/** The markup of elements, as the service sends it. A text alone is escaped. */
export function markupOf(content: Html): string {
  return renderToString(h(Fragment, null, content));
}

/** A value as JSON that an element of the page may contain: no text in it ends the element. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
