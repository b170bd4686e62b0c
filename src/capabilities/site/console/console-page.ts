import { h } from 'preact';
import { html } from '../../../core/http/framework/encoding/html.ts';
import { jsonText } from '../../../core/http/framework/encoding/markup.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { CONSOLE_DATA_ID, CONSOLE_ID, type ConsoleData, type DemoKey } from './console-data.ts';
import { SignIn } from './sign-in.ts';

interface NamedMarket {
  readonly id: string;
  readonly name: string;
  readonly nameEn: string;
}

/**
 * The console as everyone gets it: the form of the key, which the browser continues. All else is of
 * an account, and only the browser has its key.
 */
export function consolePage(
  view: PageView,
  {
    markets,
    demoKeys,
    webhooks,
    sampleDollar,
  }: {
    readonly markets: readonly NamedMarket[];
    readonly demoKeys: readonly DemoKey[];
    readonly webhooks: ConsoleData['webhooks'];
    readonly sampleDollar: ConsoleData['sampleDollar'];
  },
): string {
  const { language } = view;
  const texts = CONSOLE_TEXTS[language];
  const marketNames = Object.fromEntries(
    markets.map(({ id, name, nameEn }) => [id, language === 'en' ? nameEn : name]),
  );
  const data: ConsoleData = {
    ...{ language, texts, marketNames, demoKeys, webhooks, sampleDollar },
    signatureGuide: linkTo(view, '/docs/webhooks'),
    markupsGuide: linkTo(view, '/docs/markups'),
    ...{ docsAddress: linkTo(view, '/docs'), plansAddress: linkTo(view, '/docs#plans') },
  };
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'console',
    assets: ['console.css', 'console.js'],
    content: html`<div id="${CONSOLE_ID}">${h(SignIn, { data })}</div><script type="application/json" id="${CONSOLE_DATA_ID}" dangerouslySetInnerHTML=${{ __html: jsonText(data) }}></script>`,
  });
}
