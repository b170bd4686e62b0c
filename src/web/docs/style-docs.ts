/** The reference, the guides and the status page. */
export const DOCS_STYLE = `
.contents strong { font-weight: 600; }
.contents > details > ul > li { margin: 0.9rem 0; }
.contents [aria-current] { color: var(--text); font-weight: 600; }
.guide-cards {
  list-style: none;
  padding: 0;
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: 0.75rem;
}
.guide-cards li { border: 1px solid var(--line); border-radius: 8px; padding: 0.7rem 0.9rem; margin: 0; }
.guide-cards a { display: block; font-weight: 600; }
.guide-cards span { color: var(--quiet); font-size: 0.9rem; }
.guide { max-width: 50rem; min-width: 0; }
.prose td { min-width: 9rem; }
.prose tbody th { white-space: normal; min-width: 6rem; }
.alert {
  border: 1px solid var(--notice-line);
  background: var(--notice);
  color: var(--notice-text);
  border-radius: 8px;
  padding: 0.7rem 0.9rem;
}
.alert p { margin: 0.2rem 0; }
.alert.failing { border-width: 2px; }
.reasons { margin: 0.3rem 0; padding-left: 1.2rem; }
.reasons li { margin: 0.15rem 0; }
.verdict { font-size: 1.15rem; font-weight: 600; margin-top: 1.25rem; }
.verdict::before {
  content: '';
  display: inline-block;
  width: 0.7em;
  height: 0.7em;
  border-radius: 50%;
  margin-right: 0.5em;
  background: var(--quiet);
}
.verdict.good::before { background: var(--down); }
.verdict.unsure::before { background: var(--stale); }
.verdict.bad::before { background: var(--up); }
.sources { list-style: none; padding: 0; }
.source { border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; margin: 0.8rem 0; }
.source h3 { margin: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 0.75rem; align-items: baseline; }
.state {
  font-size: 0.85rem;
  font-weight: 600;
  color: var(--quiet);
  border: 1px solid currentcolor;
  border-radius: 999px;
  padding: 0 0.6rem;
  white-space: nowrap;
}
.state.ok { color: var(--down); }
.state.failing { color: var(--up); }
.state.late, .state.frozen, .state.incomplete { color: var(--stale); }
.source .figures {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr));
  gap: 0.5rem 1rem;
  margin: 0.6rem 0;
}
.source dt { color: var(--quiet); font-size: 0.85rem; }
.source dd { margin: 0; }
.source-name { font-size: 0.85rem; margin-bottom: 0; }
.unread li { margin: 0.6rem 0; }
.strip { display: flex; gap: 2px; height: 1.6rem; }
.strip i { flex: 1; border-radius: 2px; background: var(--line); }
.strip .good { background: var(--down); }
.strip .some { background: var(--stale); background-image: linear-gradient(var(--page) 40%, transparent 40%); }
.strip .bad { background: var(--up); background-image: linear-gradient(var(--page) 70%, transparent 70%); }
.strip .none { background: var(--line); }
.strip-ends { display: flex; justify-content: space-between; font-size: 0.8rem; margin: 0.15rem 0 0; }
@media (min-width: 62rem) {
  /* Open beside the text; where this is not known, the reader opens it. */
  @supports selector(::details-content) {
    .columns .contents details::details-content { content-visibility: visible; block-size: auto; }
    .columns .contents summary { display: none; }
  }
}
`;
