import type { Thresholds } from '../domain/judgement.ts';
import { type Html, html } from './html.ts';
import { table } from './layout.ts';

/** The numbers that both languages name. */
export interface MethodologyRules {
  readonly version: string;
  readonly weights: Readonly<Record<'bcv' | 'paralelo' | 'p2p', string>>;
  readonly bcvStaleHours: number;
  readonly deviationPercent: number;
  readonly degradedCount: number;
  readonly dropDays: number;
  readonly amountDecimals: number;
  readonly maxAmount: string;
}

/** The methodology in Spanish; the thresholds of each market stand in the table above it. */
export function spanishMethodology(rules: MethodologyRules, thresholds: Thresholds): Html {
  const { weights } = rules;
  const formula =
    `índice = oficial × ${weights.bcv} + mercado libre × ${weights.paralelo}` +
    ` + mediana P2P × ${weights.p2p}`;
  return html`<section lang="es" id="espanol">
<h2>Metodología en español</h2>
<h3>El índice</h3>
<p>El índice reúne en una sola cifra el valor del dólar en bolívares: la tasa oficial, el mercado
libre y la mediana de los mercados entre personas (P2P). No es una tasa oficial ni un precio al que
alguien esté obligado a vender.</p>
<pre class="wrap"><code>${formula}</code></pre>
<ol>
<li>El valor de un mercado es su <code>mid</code>.</li>
<li>La mediana P2P se toma dos veces: los mercados que se apartan más de
${rules.deviationPercent}% de la primera se excluyen, y la segunda, de los que quedan, es el
componente. La mediana de una cantidad par es el promedio de los dos del medio.</li>
<li>Una tasa oficial de más de ${rules.bcvStaleHours} horas tiene peso cero. Es una regla de
cálculo, no un calendario bancario.</li>
<li>Un componente que falta también tiene peso cero; los demás pesos se dividen entre su suma para
que juntos sean 1.</li>
<li>Se calcula en decimales exactos y se redondea una sola vez, a 4 decimales.</li>
</ol>
${table(
  'Avisos del índice',
  [{ label: 'Aviso' }, { label: 'Significado', kind: 'wide' }],
  [
    [
      html`<code>bcv_stale</code>`,
      `La tasa oficial tiene más de ${rules.bcvStaleHours} horas; su peso es cero.`,
    ],
    [html`<code>degraded</code>`, `Quedan entre 1 y ${rules.degradedCount} cotizaciones P2P.`],
    [html`<code>missing_sources</code>`, 'Componentes sin valor; sus pesos son cero.'],
    [html`<code>outliers_excluded</code>`, 'Mercados P2P excluidos por apartarse demasiado.'],
  ],
)}
<h3>Cotizaciones</h3>
<p>Cada tasa es la cantidad de VES por una unidad de la moneda base y se transmite tal como la
publicó su fuente. Una cotización está vencida (<code>stale</code>) cuando su edad supera el
umbral de su mercado, que figura en la tabla de arriba; con más de ${rules.dropDays} días deja de
mostrarse, salvo las oficiales.</p>
<h3>La tasa oficial vigente</h3>
<p>El Banco Central de Venezuela publica cada tasa con su fecha valor. Se sirve la tasa vigente: la
publicación más reciente cuya fecha valor es hoy o anterior en Caracas. Una posterior entra en
vigor a las 00:00 de Caracas (04:00 UTC) de su fecha valor.</p>
<h3>Juicio</h3>
<p>Todo registro se juzga antes de publicarse. Se retiene, sin publicarse, si se aparta más de
${thresholds.officialMovePercent}% (oficial) o ${thresholds.otherMovePercent}% (los demás) del
último aceptado, si su fecha valor retrocede o se adelanta más de ${thresholds.valueDateDaysAhead}
días, o si le falta una moneda o más de la mitad de los bancos. Se publica cuando
${thresholds.confirmingReads} lecturas seguidas coinciden durante al menos
${thresholds.confirmingSpanSec / 60} minutos, cuando coincide una segunda fuente o cuando el operador
lo libera. Entretanto se sirve la última cotización buena, con su edad.</p>
<h3>Cálculos</h3>
<p>Toda la aritmética es decimal y exacta, con un solo redondeo al final; la mitad se aleja del
cero. Hacia VES se multiplica por <code>mid</code> y desde VES se divide; el resultado tiene
${rules.amountDecimals} decimales. Sin indicar mercado se usa la tasa oficial, no la mejor. La
ruta ordena los mercados por el monto que rendiría la conversión, sin comisiones, liquidez ni
límites; a igual monto, tal como se muestra, va primero la más reciente. La brecha
(<code>spread</code>) es la diferencia entre un mercado y la tasa oficial, con 4 decimales, y su
porcentaje, con 2. El historial diario es la última captura de cada día UTC.</p>
<h3>Fuentes</h3>
<p>Las tasas oficiales, la tabla de bancos y las otras monedas son publicaciones del <strong>Banco
Central de Venezuela</strong> (fuente: www.bcv.org.ve), que no participa en este servicio ni lo
avala. Los demás mercados son observaciones de cotizaciones públicas. Versión de la metodología:
<code>${rules.version}</code>.</p>
</section>`;
}
