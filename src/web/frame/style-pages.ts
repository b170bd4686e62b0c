/** What every page is made of, and pages of text. */
export const PAGES_STYLE = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible,
summary:focus-visible, .scroll:focus-visible, pre:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--page); padding: 0.25rem 0.5rem; }
.notice {
  margin: 0;
  padding: 0.6rem 1rem;
  background: var(--notice);
  color: var(--notice-text);
  border-bottom: 1px solid var(--notice-line);
  text-align: center;
}
.top { border-bottom: 1px solid var(--line); }
.bar {
  max-width: 76rem;
  margin: 0 auto;
  padding: 0.6rem 1rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.35rem 1.5rem;
  align-items: center;
}
.top a { text-decoration: none; }
.top a:hover { text-decoration: underline; }
.top .name { font-weight: 680; font-size: 1.1rem; letter-spacing: -0.01em; color: var(--text); }
.top nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-right: auto; }
.top nav a { padding: 0.25rem 0; color: var(--quiet); }
.top nav a:hover { color: var(--accent); }
.top nav [aria-current] { color: var(--text); font-weight: 600; box-shadow: 0 2px 0 var(--accent); }
.choices { display: flex; gap: 1rem; align-items: center; font-size: 0.9rem; }
.choices a { padding: 0.25rem 0; }
button, input, select { font: inherit; color: inherit; }
select, input {
  background: var(--page);
  border: 1px solid var(--edge);
  border-radius: 6px;
  padding: 0.35rem 0.6rem;
}
.choices select { padding: 0.15rem 0.3rem; border-color: var(--line); color: var(--quiet); }
button {
  background: var(--panel);
  border: 1px solid var(--edge);
  border-radius: 6px;
  padding: 0.35rem 0.8rem;
  cursor: pointer;
}
button.main { background: var(--accent); border-color: var(--accent); color: var(--page); }
[hidden] { display: none !important; }
main:focus { outline: none; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
.reference main { max-width: 76rem; }
footer p { max-width: 46rem; margin: 0 auto; }
footer {
  border-top: 1px solid var(--line);
  padding: 1rem;
  color: var(--quiet);
  font-size: 0.9rem;
  text-align: center;
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 1rem 0 0.5rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.1rem; line-height: 1.3; margin: 2rem 0 0.4rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 0.3rem; }
p, ul, ol { margin: 0.5rem 0; }
ul, ol { padding-left: 1.4rem; }
li { margin: 0.2rem 0; }
.lead { font-size: 1.1rem; }
.quiet { color: var(--quiet); }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { background: var(--panel); border-radius: 3px; padding: 0.1em 0.3em; }
pre {
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.75rem 0.9rem;
  overflow-x: auto;
  line-height: 1.45;
  margin: 0.5rem 0;
}
pre code { background: none; padding: 0; font-size: 1em; }
pre.long { max-height: 24rem; overflow-y: auto; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll {
  overflow-x: auto;
  border: 1px solid var(--line);
  border-radius: 6px;
  margin: 0.6rem 0;
}
table { border-collapse: collapse; width: 100%; font-size: 0.925rem; }
th, td {
  text-align: left;
  vertical-align: top;
  padding: 0.4rem 0.7rem;
  border-bottom: 1px solid var(--line);
  overflow-wrap: normal;
}
tr:last-child > td, tr:last-child > th { border-bottom: 0; }
thead th { background: var(--panel); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; white-space: nowrap; }
td.wide { min-width: 14rem; }
td.type { min-width: 8rem; }
td.nowrap { white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.call {
  display: flex;
  gap: 0.6rem;
  align-items: baseline;
  font-family: var(--mono);
  font-size: 0.925rem;
  margin: 0.3rem 0;
  overflow-wrap: anywhere;
}
.method { font-weight: 700; color: var(--accent); }
.facts {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 0.5rem;
  padding: 0;
  margin: 0.5rem 0;
  list-style: none;
}
.facts li {
  border: 1px solid var(--line);
  border-radius: 999px;
  padding: 0 0.6rem;
  font-size: 0.85rem;
  color: var(--quiet);
  margin: 0;
}
details { margin: 0.6rem 0; }
summary { cursor: pointer; color: var(--accent); padding: 0.15rem 0; }
.operation { border-top: 1px solid var(--line); margin-top: 2rem; }
.operation h3 { margin-top: 1.25rem; }
.contents ul { list-style: none; padding: 0; }
.contents li li { padding-left: 0.75rem; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.links { padding: 0; list-style: none; }
.links li { margin: 0.6rem 0; }
.language { color: var(--quiet); }
@media (max-width: 40rem) {
  .bar { justify-content: space-between; }
  .top nav { order: 1; width: 100%; gap: 0.25rem 1rem; }
}
@media (min-width: 62rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  .columns .contents {
    position: sticky;
    top: 1rem;
    align-self: start;
    max-height: calc(100vh - 2rem);
    overflow-y: auto;
    font-size: 0.9rem;
  }
}
@media print {
  .top, .contents, .skip, .no-print, button { display: none; }
  main { max-width: none; padding: 0; }
}
`;
