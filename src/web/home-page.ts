import { html } from './html.ts';
import { page } from './layout.ts';

/** The front page: what this is, and where to go on. */
export function homePage({
  notice,
  publicUrl,
}: {
  readonly notice: string | undefined;
  readonly publicUrl: string;
}): string {
  return page({
    title: 'vesfx: rates of the Venezuelan bolivar',
    description: 'Exchange rates of the Venezuelan bolivar over HTTP.',
    path: '/',
    notice,
    content: html`<h1>Rates of the Venezuelan bolivar</h1>
<p class="lead">vesfx answers over HTTP what a dollar or a euro is worth in bolivars (VES): at the
central bank, on the free market, between people, in remittances, exchange houses and cash.</p>
<p>It converts amounts, compares markets, keeps history, and makes a weighted index of it all. Every
answer is a calculation for your information; nothing is bought, sold or sent.</p>
<h2>Ask it</h2>
<pre class="wrap"><code>curl -H "X-API-Key: $VESFX_KEY" ${publicUrl}/v1/fx/rates</code></pre>
<p class="quiet">A key comes from whoever runs this service.</p>
<h2>Read on</h2>
<ul class="links">
<li><a href="/docs">API reference</a><br>Every endpoint with its parameters, answers and
errors.</li>
<li><a href="/methodology">Methodology</a><br>How each figure is made, the index above all.
<span lang="es">También en español.</span></li>
<li><a href="/openapi.json">openapi.json</a><br>The same reference for programs.</li>
</ul>
<section lang="es">
<h2>En español</h2>
<p>vesfx responde por HTTP cuánto vale un dólar o un euro en bolívares (VES): en el Banco Central,
en el mercado libre, entre personas, en remesas, casas de cambio y efectivo. Los resultados son
cálculos informativos; el servicio no ejecuta pagos ni cambios de divisas.</p>
</section>`,
  });
}
