import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { MINUS, RATE_CHANGE, signedText } from '../frame/format.ts';

/** The text begins with its sign. The arrow and the colour repeat it; `more` has the same colour. */
export function moved(text: string, more?: Html): Html {
  const direction = text.startsWith('+') ? 'up' : text.startsWith(MINUS) ? 'down' : 'even';
  const arrow = { up: '▲', down: '▼', even: '=' }[direction];
  return html`<span class="${direction}"><span aria-hidden="true">${arrow}</span> ${text}${more}</span>`;
}

/** `+Bs. 0,8323`: an amount of bolívares with its sign. */
export function signedVes(amount: number, language: Language): string {
  const text = signedText(amount, language, RATE_CHANGE);
  const isSigned = text.startsWith('+') || text.startsWith(MINUS);
  return isSigned ? `${text.charAt(0)}Bs.\u00a0${text.slice(1)}` : `Bs.\u00a0${text}`;
}
