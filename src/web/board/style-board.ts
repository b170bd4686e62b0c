/** The board: cards of figures, the converter, the chart. */
export const BOARD_STYLE = `
.board main { max-width: 76rem; padding-top: 0.5rem; }
.board-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.5rem; }
.board-head p { margin: 0; }
.board section { margin-top: 1.75rem; }
.board h2 { font-size: 1.15rem; margin: 0 0 0.6rem; }
.board h3 { font-size: 0.95rem; font-weight: 600; color: var(--quiet); margin: 0 0 0.3rem; }
.cards { display: grid; gap: 0.9rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
.cards.two { grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.card {
  border: 1px solid var(--line);
  border-radius: 10px;
  padding: 1rem 1.1rem;
  background: var(--card);
}
.card p { margin: 0.2rem 0; }
.card.empty { grid-column: 1 / -1; text-align: center; padding: 3rem 1rem; }
.figures, .big, .medium, .change, .age, .formula, output { font-variant-numeric: tabular-nums; }
.figure-line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; }
.big { font-size: 2.3rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; }
.medium { font-size: 1.6rem; line-height: 1.25; font-weight: 620; letter-spacing: -0.01em; }
.unit { color: var(--quiet); }
.given { color: var(--quiet); font-size: 1.1rem; }
.up { color: var(--up); }
.down { color: var(--down); }
.small { font-size: 0.85rem; }
.code { font-size: 0.8rem; }
.age { white-space: nowrap; }
.stale {
  display: inline-block;
  padding: 0 0.45rem;
  border-radius: 4px;
  background: var(--stale-ground);
  color: var(--stale);
  font-size: 0.8rem;
  line-height: 1.5;
}
.age { margin-right: 0.4rem; }
td .age { margin-right: 0; }
td > .stale { display: block; width: fit-content; margin: 0.1rem 0 0 auto; white-space: nowrap; }
td > .stale[hidden] { display: none; }
.card .next { margin-top: 0.7rem; padding-top: 0.6rem; border-top: 1px solid var(--line); }
.cut-off:empty { display: none; }
.cut-off {
  background: var(--stale-ground);
  color: var(--stale);
  border-radius: 8px;
  padding: 0.6rem 0.9rem;
}
.convert { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(16rem, 1fr) minmax(0, 1.4fr); }
.field { display: grid; gap: 0.15rem; margin: 0 0 0.7rem; }
.field label { font-size: 0.9rem; color: var(--quiet); }
.field input, .field select { width: 100%; min-width: 0; }
#amount { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; }
.conversion { display: flex; flex-direction: column; gap: 0.25rem; justify-content: center; min-height: 11rem; }
.conversion .actions { margin-top: 0.6rem; }
.conversion .big { overflow-wrap: anywhere; }
.problem { color: var(--up); }
.formula { overflow-wrap: anywhere; }
.chart-choice fieldset {
  border: 0;
  margin: 0 0 0.5rem;
  padding: 0;
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1.1rem;
}
.chart-choice legend { float: left; margin-right: 1.1rem; padding: 0; color: var(--quiet); }
.chart-choice label { white-space: nowrap; }
.chart-choice .field { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.chart-choice .field select { width: auto; }
.chart { min-height: 22rem; border: 1px solid var(--line); border-radius: 10px; padding: 0.6rem 0.3rem; background: var(--card); }
.chart:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.chart .uplot { font: inherit; }
.chart .u-legend { font-size: 0.85rem; text-align: left; }
.chart .u-legend th, .chart .u-legend td { border: 0; padding: 0.1rem 0.3rem; }
.chart .u-select { background: var(--selected); }
.chart .u-value { font-variant-numeric: tabular-nums; }
.converter .actions { margin-top: 0.9rem; }
.board tbody th { white-space: normal; line-height: 1.35; }
@media (max-width: 48rem) {
  .roomy { display: none; }
  .convert { grid-template-columns: minmax(0, 1fr); }
  .conversion { min-height: 0; }
  .big { font-size: 1.9rem; }
  .cards:not(.two) { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.6rem; }
  .cards:not(.two) .card { padding: 0.7rem 0.8rem; }
  .medium { font-size: 1.3rem; }
  .board table { font-size: 0.85rem; }
  .board th, .board td { padding: 0.4rem 0.3rem; }
  td > .stale { font-size: 0.72rem; padding: 0 0.3rem; }
}
@media print {
  .history, section:has(> .convert) { display: none; }
  .card { break-inside: avoid; }
}
`;
