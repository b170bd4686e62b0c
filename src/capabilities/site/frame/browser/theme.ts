/**
 * The reader's choice of colours, which the browser keeps, and what a reader does before the page's
 * own script is there. This plain script runs before the page is painted, so that nothing flashes.
 * It must not import anything.
 */
{
  const KEY = 'vesfx-theme';
  const root = document.documentElement;

  const apply = (theme: string | null): void => {
    if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
    else delete root.dataset['theme'];
  };

  /** If storage is switched off, the choice lasts as long as the page. */
  const stored = (key: string): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const store = (theme: string): void => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {}
  };

  apply(stored(KEY));
  // The button does nothing without this script. It must be there when the bar is painted, not after.
  root.dataset['script'] = '';
  // The language of examples, before they are painted.
  root.dataset['code'] = stored('vesfx-code') ?? 'sh';
  // Marks the last button that sent a form, so that the page's own script can press it again.
  document.addEventListener('submit', ({ submitter }) => {
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    submitter?.setAttribute('data-pressed', '');
  });
  document.addEventListener('DOMContentLoaded', () => {
    const language = document.querySelector<HTMLAnchorElement>('a.language');
    // The other language shows the same place of the page, and what the reader chose on it.
    language?.addEventListener('click', () => {
      const query = new URLSearchParams(location.search);
      query.set('lang', language.lang);
      language.search = `${query}`;
      language.hash = location.hash;
    });
    const button = document.querySelector<HTMLButtonElement>('#theme');
    if (button === null) return;
    const name = (): void => {
      const { label, ...names } = button.dataset;
      const text = `${label}: ${names[root.dataset['theme'] ?? 'auto']}`;
      button.ariaLabel = text;
      button.title = text;
    };
    name();
    button.addEventListener('click', () => {
      const next = { light: 'dark', dark: '' }[root.dataset['theme'] ?? ''] ?? 'light';
      store(next);
      apply(next);
      name();
    });
  });
}
