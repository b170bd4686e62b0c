import { type Html, html } from '../../../core/http/framework/encoding/html.ts';

export interface Segment<Value extends string> {
  readonly value: Value;
  readonly text: Html;
  readonly isDisabled?: boolean;
  readonly title?: string | undefined;
  /** Called when a pointer chooses it, and not when the arrow keys pass by. */
  readonly onPoint?: () => void;
}

interface SegmentsParts<Value extends string> {
  readonly name: string;
  readonly label: string;
  /** Whether the label is in sight. */
  readonly isLabelled?: boolean;
  readonly choices: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Its classes: `lines` marks the chosen one with a line instead. */
  readonly look?: string;
  readonly children?: Html;
}

/** A choice among a few, side by side. The stylesheet lets a ground slide to the chosen one. */
export function Segments<Value extends string>(parts: SegmentsParts<Value>): Html {
  const { name, label, isLabelled, choices, value: chosen, onChoose } = parts;
  const { look = 'segments', children } = parts;
  return html`<fieldset class=${look}><legend class=${isLabelled ? undefined : 'unseen'}>${label}</legend>${choices.map(
    ({ value, text, isDisabled, title, onPoint }) =>
      html`<label key=${value} title=${title}><input type="radio" name=${name} value=${value} autocomplete="off" checked=${value === chosen} disabled=${isDisabled} onChange=${() => onChoose(value)} onClick=${onPoint && (({ detail }: { readonly detail: number }) => detail > 0 && onPoint())} />${text}</label>`,
  )}${children}</fieldset>`;
}
