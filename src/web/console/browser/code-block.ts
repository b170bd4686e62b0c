import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from '../../frame/copy-text.ts';
import { type Html, html } from '../../frame/html.ts';
import { useConsole } from './console-context.ts';
import { icon } from './menu.ts';

/** How long the button shows that the text was copied. */
const SAID_MS = 2_000;
const COPY = 'M9 9h11v11H9zM5 15H4V4h11v1';
const DONE = 'M4 12l6 6L20 6';

/** Code with a button that copies it. */
export function CodeBlock(props: { id?: string; name: string; children?: Html }): Html {
  const { id, name, children } = props;
  const { texts } = useConsole();
  const pre = useRef<HTMLPreElement>(null);
  const [isDone, setDone] = useState<boolean>();
  useEffect(() => {
    if (isDone === undefined) return;
    const timer = setTimeout(() => setDone(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const onClick = async () => {
    if (pre.current !== null) setDone(await copyText(pre.current));
  };
  const said = isDone === undefined ? '' : isDone ? texts.codeCopied : texts.codeNotCopied;
  return html`<div class="code-block"><pre ref=${pre} tabindex="0" aria-label=${name}><code id=${id}>${children}</code></pre>
<button type="button" class="plain" title=${texts.copyCode} aria-label=${texts.copyCode} onClick=${onClick}>${icon(isDone ? DONE : COPY)}</button><span class="unseen" role="status">${said}</span></div>`;
}
