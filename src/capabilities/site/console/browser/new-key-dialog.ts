import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { copyText } from '../../frame/copy-text.ts';
import { type UnsavedKey, useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';

/** A new key or secret, at the only moment when it can be seen. Only its owner's word closes it. */
export function NewKeyDialog(props: { newKey: UnsavedKey; onSaved: () => void }): Html {
  const { newKey, onSaved } = props;
  const { texts: all } = useConsole();
  const texts = newKey.isSecret ? { ...all, ...all.hooks.ofSecret } : all;
  const [said, setSaid] = useState('');
  const place = useRef<HTMLElement>(null);
  const copy = async () => {
    if (place.current === null) return;
    setSaid((await copyText(place.current)) ? texts.copied : texts.notCopied);
  };
  const onClose = () => {
    setSaid(texts.saveFirst);
    place.current?.closest('dialog')?.querySelector('h2')?.focus();
  };
  const content = html`<div id="new-key" class="stack">
<p><strong>${texts.newKeyHelp}</strong> ${newKey.isCurrent && texts.newKeyInUse}</p>
<pre class="whole" tabindex="0"><code ref=${place}>${newKey.key}</code></pre>
<div class="buttons"><button type="button" class="main" onClick=${copy}>${texts.copy}</button><button type="button" data-saved onClick=${onSaved}>${texts.saved}</button></div>
<p class="said" role="status">${said}</p></div>`;
  return h(Dialog, { title: texts.newKey, onClose, children: content });
}
