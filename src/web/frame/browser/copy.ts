import { CODE_TEXTS } from '../../texts/texts.ts';
import { copyText } from '../copy-text.ts';
import { language } from './elements.ts';

/** Adds a copy button to every block of code. */

const texts = CODE_TEXTS[language];
const SVG = 'http://www.w3.org/2000/svg';
const COPY_MARK = 'M9 9h11v12H9zM15 9V3H4v12h5';
const DONE_MARK = 'M4 12l6 6L20 6';
/** How long the button shows that the text was copied. */
const SAID_MS = 2_000;

function mark(): SVGPathElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', COPY_MARK);
  svg.append(path);
  return path;
}

function addButton(pre: HTMLPreElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.title = texts.copy;
  button.setAttribute('aria-label', texts.copy);
  const path = mark();
  if (path.parentElement !== null) button.append(path.parentElement);
  const said = document.createElement('span');
  said.className = 'unseen';
  said.setAttribute('role', 'status');
  const box = document.createElement('div');
  box.className = 'code';
  pre.replaceWith(box);
  box.append(pre, button, said);
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', async () => {
    const done = await copyText(pre);
    said.textContent = done ? texts.copied : texts.failed;
    path.setAttribute('d', done ? DONE_MARK : COPY_MARK);
    clearTimeout(timer);
    timer = setTimeout(() => {
      said.textContent = '';
      path.setAttribute('d', COPY_MARK);
    }, SAID_MS);
  });
}

for (const pre of document.querySelectorAll('pre')) addButton(pre);
