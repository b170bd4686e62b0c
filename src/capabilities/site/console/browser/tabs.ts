import { useEffect, useState } from 'preact/hooks';

/** The tabs, by their addresses: `/console#claves`, in every language. */
export const TABS = ['resumen', 'claves', 'margenes', 'webhooks', 'probar'] as const;
export type TabName = (typeof TABS)[number];

/** The operation that a link of the reference names, while the reader is where it leads. */
export function linkedOperation(): string | undefined {
  const id = new URLSearchParams(location.search).get('try') ?? undefined;
  return location.hash === '' ? id : undefined;
}

function tabInAddress(tabs: readonly TabName[]): TabName {
  if (linkedOperation() !== undefined) return 'probar';
  return tabs.find((name) => `#${name}` === location.hash) ?? 'resumen';
}

/** The tab of the address, also after the browser goes back. One that is not offered is not found. */
export function useTab(tabs: readonly TabName[]): TabName {
  const [tab, setTab] = useState(() => tabInAddress(tabs));
  useEffect(() => {
    const follow = () => setTab(tabInAddress(tabs));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return tab;
}
