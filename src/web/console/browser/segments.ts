import { type Html, html } from '../../frame/html.ts';

/** A choice among a few, side by side. Its ground slides to the chosen one. */
export function Segments<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** `lines` marks the chosen one with a line instead. */
  readonly look?: 'lines';
}): Html {
  const { name, label, choices, value, onChoose, look } = props;
  const chosen = choices.findIndex(([one]) => one === value);
  const thumb = {
    width: `calc((100% - 8px) / ${choices.length})`,
    transform: `translateX(${chosen * 100}%)`,
  };
  const style = { gridTemplateColumns: `repeat(${choices.length}, minmax(0, 1fr))` };
  return html`<fieldset class=${look ?? 'seg'} style=${look ? undefined : style}><legend class="unseen">${label}</legend>
${look === undefined && html`<span class="thumb" style=${thumb}></span>`}
${choices.map(([one, text]) => html`<label key=${one}><input type="radio" name=${name} value=${one} checked=${one === value} onChange=${() => onChoose(one)} />${text}</label>`)}</fieldset>`;
}
