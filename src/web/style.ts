/** The one stylesheet, served as `/web/style.css`: pages carry no style of their own. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: #ffffff;
  --text: #1c2329;
  --quiet: #55606a;
  --line: #dce1e5;
  --panel: #f4f6f7;
  --accent: #0a5a8c;
  --notice: #fff3d1;
  --notice-text: #4f3a00;
  --notice-line: #d9ac30;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181b;
    --text: #e2e6e9;
    --quiet: #a3adb6;
    --line: #30383f;
    --panel: #1d2327;
    --accent: #86c5f0;
    --notice: #3a2f0d;
    --notice-text: #f6e3ad;
    --notice-line: #8a6d1c;
  }
}
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
a:focus-visible, summary:focus-visible, .scroll:focus-visible, pre:focus-visible {
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
.top nav {
  max-width: 76rem;
  margin: 0 auto;
  padding: 0.7rem 1rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  align-items: baseline;
}
.top a { text-decoration: none; }
.top a:hover { text-decoration: underline; }
.top .name { font-weight: 650; color: var(--text); margin-right: auto; }
.top [aria-current] { color: var(--text); font-weight: 600; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
.reference main { max-width: 76rem; }
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
@media (max-width: 30rem) {
  .top .name { width: 100%; }
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
  .columns .contents summary { display: none; }
}
@media print {
  .top, .contents, .skip { display: none; }
}
`.trimStart();
