import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { copyText } from '../../frame/copy-text.ts';
import { useConsole } from './console-context.ts';
import { icon } from './menu.ts';

/** How long the button shows that the text was copied. */
const SAID_MS = 2_000;
const COPY = 'M9 9h11v11H9zM5 15H4V4h11v1';
const DONE = 'M4 12l6 6L20 6';

interface CodeProps {
  readonly id?: string;
  readonly name: string;
  /** The name of the button that copies it. */
  readonly copy: string;
  /** What stands beside the button. */
  readonly tabs: Html;
  readonly children?: Html;
}

/** Code below its tabs, with a button that copies it. */
export function CodeBlock({ id, name, copy, tabs, children }: CodeProps): Html {
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
  if (!children)
    return html`<div class="code-bar">${tabs}</div><p class="cut">${texts.noContent}</p>`;
  return html`<div class="code-bar">${tabs}<button type="button" class="plain" title=${copy} aria-label=${copy} onClick=${onClick}>${icon(isDone ? DONE : COPY)}</button><span class="unseen" role="status">${said}</span></div>
<pre ref=${pre} tabindex="0" aria-label=${name}><code id=${id}>${children}</code></pre>`;
}
