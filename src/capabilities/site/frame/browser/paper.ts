/** Paper says when it was printed, and the whole address: a conversion is in it. */
addEventListener('beforeprint', () => {
  const { lang } = document.documentElement;
  const paper = document.querySelector<HTMLElement>('.paper');
  if (paper === null) return;
  const now = new Date().toLocaleString(lang, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Caracas' },
  });
  paper.textContent = `vesfx · ${location.href} · ${paper.dataset['printed']} ${now}`;
});

export {};
