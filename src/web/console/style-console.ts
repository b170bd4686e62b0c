/** The console's own style, besides that of every page. */
export const CONSOLE_STYLE = `
.console main { max-width: 60rem; }
.console section { margin-top: 2.5rem; scroll-margin-top: 1rem; }
.console h2 { margin: 0 0 0.3rem; }
.panel {
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 1rem 1.1rem;
  margin: 1rem 0;
}
.panel h3, .panel h4 { margin-top: 0; }
.panel h3:focus, .console h2:focus { outline: none; }
.panel h4 { margin-top: 1.25rem; }
#sign-in { max-width: 36rem; }
#sign-in label { font-weight: 600; }
.key-row { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.key-row input { flex: 1 1 14rem; min-width: 0; font-family: var(--mono); }
.trouble { color: var(--up); margin: 0.4rem 0; }
.trouble:empty { display: none; }
.account-head, .part-head {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
  align-items: center;
  justify-content: space-between;
}
.account-head p { margin: 0; font-size: 1.1rem; font-weight: 600; overflow-wrap: anywhere; }
.parts {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  border-bottom: 1px solid var(--line);
  padding: 0.6rem 0;
}
.parts a { text-decoration: none; padding: 0.2rem 0; }
.parts a:hover { text-decoration: underline; }
.fields { display: flex; flex-wrap: wrap; gap: 0.6rem 1.25rem; align-items: center; }
.fields label { display: inline-flex; flex-wrap: wrap; gap: 0.2rem 0.5rem; align-items: center; max-width: 100%; }
.fields select, .field select, .field input { max-width: 100%; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
td .buttons { flex-wrap: nowrap; }
td button { position: relative; padding: 0.15rem 0.6rem; font-size: 0.9rem; }
td.action, th.action { position: sticky; right: 0; background: var(--page); width: 1%; }
thead th.action { background: var(--panel); }
td.figure code { white-space: normal; }
@media (max-width: 40rem) {
  td .buttons { flex-wrap: wrap; }
  .console tbody th { white-space: normal; }
  .console th, .console td { padding: 0.4rem 0.5rem; }
}
.plan-name { font-size: 1.3rem; font-weight: 600; margin: 0.2rem 0; }
progress {
  appearance: none;
  display: block;
  width: 100%;
  height: 0.7rem;
  border: 1px solid var(--edge);
  border-radius: 999px;
  overflow: hidden;
  background: var(--panel);
}
progress::-webkit-progress-bar { background: var(--panel); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.nowrap { white-space: nowrap; }
.tag {
  border: 1px solid var(--edge);
  border-radius: 999px;
  padding: 0 0.5rem;
  font-size: 0.8rem;
  color: var(--quiet);
  white-space: nowrap;
}
.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.empty {
  border: 1px dashed var(--line);
  border-radius: 8px;
  padding: 1.25rem;
  text-align: center;
  color: var(--quiet);
}
.usage-chart {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.2rem 0.6rem;
  margin: 1rem 0;
  font-size: 0.85rem;
  color: var(--quiet);
}
.usage-chart svg {
  width: 100%;
  height: 11rem;
  border-bottom: 1px solid var(--edge);
  background: linear-gradient(var(--line), var(--line)) 0 0 / 100% 1px no-repeat,
    linear-gradient(var(--line), var(--line)) 0 50% / 100% 1px no-repeat;
}
.usage-chart .scale {
  display: flex;
  flex-direction: column;
  justify-content: space-between;
  line-height: 1;
}
.usage-chart .ends { grid-column: 2; display: flex; justify-content: space-between; }
.usage-chart figcaption { grid-column: 2; display: flex; gap: 1.25rem; }
.usage-chart figcaption span::before {
  content: '';
  display: inline-block;
  width: 0.7rem;
  height: 0.7rem;
  margin-right: 0.4rem;
  background: var(--accent);
}
.usage-chart figcaption .failed::before { background: var(--stale); }
.usage-chart .day { fill: transparent; }
.usage-chart g:hover .day { fill: var(--panel); }
.usage-chart .answered { fill: var(--accent); }
.usage-chart .failed { fill: var(--stale); }
.console fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 0.8rem 0; }
.choices-list { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; }
.choices-list label { white-space: nowrap; }
.console textarea {
  display: block;
  width: 100%;
  font: 0.875rem/1.45 var(--mono);
  color: inherit;
  background: var(--page);
  border: 1px solid var(--edge);
  border-radius: 6px;
  padding: 0.5rem 0.6rem;
}
.console textarea:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.parameters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: 0.75rem 1.25rem; }
.field label { display: block; }
.field input, .field select { display: block; width: 100%; }
.field p { font-size: 0.85rem; margin: 0.25rem 0; }
.status-2, .status-3 { color: var(--down); }
.status-4, .status-5 { color: var(--up); }
`.trimStart();
