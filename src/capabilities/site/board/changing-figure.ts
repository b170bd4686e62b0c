import { useState } from 'preact/hooks';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';

interface ChangingFigureParts {
  readonly text: string;
  /** Its class. */
  readonly kind: string;
}

/** A figure with a ground that fades when it changes under the eyes of the reader. */
export function ChangingFigure({ text, kind }: ChangingFigureParts): Html {
  const [first] = useState(text);
  // With another key it is another element, so that the ground fades each time.
  return html`<span key=${text} class="${kind}${text === first ? '' : ' wash'}">${text}</span>`;
}
