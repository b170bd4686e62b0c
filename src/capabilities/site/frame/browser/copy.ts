import { CODE_TEXTS } from '../../texts/texts.ts';
import { copyText } from '../copy-text.ts';
import { language } from './elements.ts';

/** Adds a copy button to every block of code. */

const texts = CODE_TEXTS[language];
const COPY_MARK = 'M9 9h11v12H9zM15 9V3H4v12h5';
const DONE_MARK = 'M4 12l6 6L20 6';
/** How long the button shows that the text was copied. */
const SAID_MS = 2_000;

function addButton(pre: HTMLPreElement): void {
  const box = document.createElement('div');
  box.className = 'code';
  box.innerHTML = `<button type="button" class="copy" title="${texts.copy}" aria-label="${texts.copy}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${COPY_MARK}"/></svg></button><span class="unseen" role="status"></span>`;
  pre.replaceWith(box);
  box.prepend(pre);
  const show = (said: string, mark: string) => {
    box.querySelector('.unseen')?.replaceChildren(said);
    box.querySelector('path')?.setAttribute('d', mark);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  box.querySelector('button')?.addEventListener('click', async () => {
    const done = await copyText(pre);
    show(done ? texts.copied : texts.failed, done ? DONE_MARK : COPY_MARK);
    clearTimeout(timer);
    timer = setTimeout(() => show('', COPY_MARK), SAID_MS);
  });
}

for (const pre of document.querySelectorAll('pre')) addButton(pre);
