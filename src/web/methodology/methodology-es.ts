import type { JudgementRule } from '../../domain/judgement.ts';
import { countText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { table } from '../frame/layout.ts';
import { judgementSection } from './judgement-section.ts';
import { RULES } from './methodology-rules.ts';

/** A number as Venezuelans write it. */
const weight = (value: string) => value.replace('.', ',');

const FORMULA =
  `índice = oficial × ${weight(RULES.weights.bcv)} + mercado libre × ${weight(RULES.weights.paralelo)}` +
  ` + mediana P2P × ${weight(RULES.weights.p2p)}`;

const indexSection = html`<h2 id="index">El índice</h2>
<p>El índice es una sola cifra del dólar en bolívares, hecha de tres: la tasa oficial, el mercado libre
y el centro de los mercados entre personas (P2P). No es una tasa oficial ni un precio al que alguien esté
obligado a vender.</p>
<pre class="wrap" tabindex="0"><code>${FORMULA}</code></pre>
${table(
  'Componentes del índice',
  [{ label: 'Componente' }, { label: 'Peso', kind: 'figure' }, { label: 'Valor', kind: 'wide' }],
  [
    [html`<code>bcv</code>`, weight(RULES.weights.bcv), 'La tasa oficial vigente del dólar.'],
    [
      html`<code>paralelo</code>`,
      weight(RULES.weights.paralelo),
      'La referencia del mercado libre.',
    ],
    [
      html`<code>p2p</code>`,
      weight(RULES.weights.p2p),
      'La mediana de los mercados P2P que cotizan USD.',
    ],
  ],
)}
<ol>
<li>El valor de un mercado es su <code>mid</code>. Solo participan las cotizaciones que se muestran.</li>
<li>La mediana P2P se toma dos veces. Los mercados que se apartan más de ${RULES.deviationPercent}% de
la primera se excluyen; exactamente ${RULES.deviationPercent}% se queda. La segunda, de los que quedan,
es el componente. La mediana de una cantidad par es el promedio de los dos del medio.</li>
<li>Una tasa oficial de más de ${RULES.bcvStaleHours} horas tiene peso cero. Su edad cuenta desde las
00:00 de Caracas de su fecha valor, y se juzga cuando usted consulta. Es una regla de cálculo, no un
calendario bancario.</li>
<li>Un componente que falta también tiene peso cero. Los demás pesos se dividen entre su suma, para
que juntos sean 1.</li>
<li>El resultado se calcula exacto y se redondea una sola vez, a 4 decimales. Sin ningún componente
no hay índice.</li>
</ol>
<h3>Avisos</h3>
${table(
  'Avisos del índice',
  [{ label: 'Aviso' }, { label: 'Significado', kind: 'wide' }],
  [
    [
      html`<code>bcv_stale</code>`,
      `La tasa oficial tiene más de ${RULES.bcvStaleHours} horas; su peso es cero.`,
    ],
    [
      html`<code>degraded</code>`,
      `Quedan entre 1 y ${RULES.degradedCount} cotizaciones P2P tras quitar las extremas.`,
    ],
    [html`<code>missing_sources</code>`, 'Los componentes sin valor; sus pesos son cero.'],
    [html`<code>outliers_excluded</code>`, 'Los mercados P2P excluidos por apartarse demasiado.'],
  ],
)}
<h3>Un ejemplo</h3>
<p>Con la tasa oficial en 889,5754, el mercado libre en 940,25 y una mediana P2P de 930,625, el índice
es 266,87262 + 188,05 + 465,3125 = 920,23512, redondeado 920,2351. Si la tasa oficial fuera demasiado
vieja, los pesos serían 0, 0,2 ÷ 0,7 y 0,5 ÷ 0,7, y el índice 653,3625 ÷ 0,7 = 933,375.</p>`;

function quoteSection(marketTable: Html): Html {
  return html`<h2 id="quotes">Cotizaciones y su edad</h2>
<p>Cada tasa es la cantidad de VES por una unidad de la moneda base del mercado. Se transmite como la
publicó su fuente y nunca se mejora. Cuando la fuente da dos puntas y ningún medio, <code>mid</code> es
su promedio, redondeado a 8 decimales. Las tasas P2P son cotizaciones representativas: no son un libro
de órdenes ni operaciones hechas.</p>
<p><code>updated_at</code> es la hora que da la fuente, o la de la observación cuando no da ninguna.
Una cotización está vencida (<code>stale</code>) cuando su edad supera el umbral de su mercado. Deja
de mostrarse cuando su edad supera el límite de su mercado; las oficiales nunca.</p>
${marketTable}`;
}

const officialSection = html`<h2 id="official">La tasa oficial vigente</h2>
<p>El Banco Central de Venezuela (BCV) publica cada tasa con la fecha para la que vale, su fecha
valor; por lo general en la tarde, para el siguiente día hábil bancario. Los mercados de tipo
<code>reference</code> sirven la tasa vigente: la publicación más reciente cuya fecha valor es hoy o
anterior en Caracas (UTC−4 todo el año). Otra entra en vigor a las 00:00 de Caracas de su fecha valor,
las 04:00 UTC, y ese instante es su <code>updated_at</code>. Lo publicado para un día futuro se muestra
de inmediato entre las otras monedas del Banco Central.</p>
<p>En la tabla de bancos, las filas de otro día que el de la publicación están vencidas
(<code>stale</code>) y van al final; <code>days_behind</code> cuenta los días de diferencia.</p>`;

const calculationSection = html`<h2 id="calculations">Cálculos</h2>
<p>Toda la aritmética es decimal y exacta, con un solo redondeo al final; la mitad se aleja del cero:
1,005 a 2 decimales es 1,01.</p>
<h3>Conversión</h3>
<p>Hacia VES el monto se multiplica por <code>mid</code>, desde VES se divide entre él; el resultado
tiene ${RULES.amountDecimals} decimales. Sin indicar mercado se usa la tasa oficial de la moneda, no la
mejor. Un lote usa una sola tasa; sus totales suman los montos y los resultados redondeados. Los montos
son mayores que 0 y de ${RULES.maxAmount} como máximo. Los mercados de remesas solo convierten hacia
VES.</p>
<h3>Ruta</h3>
<p>Los mercados en los que se puede operar se ordenan por su <code>mid</code>: hacia VES el más alto
primero, desde VES el más bajo primero. Los montos redondeados nunca deciden. A igual tasa va primero la
más reciente. Las referencias oficial y del mercado libre no son operables y no participan. No se consideran comisiones,
liquidez, límites ni requisitos.</p>
<h3>Brecha</h3>
<p>La distancia entre la tasa oficial del dólar y otro mercado: <code>absolute</code> es el comparado
menos el oficial, con 4 decimales; <code>percentage</code> es la brecha ÷ la oficial × 100, a partir de
la brecha sin redondear, con 2 decimales. No es la distancia entre compra y venta.</p>
<h3>Historial</h3>
<p>Cada observación que cambia o confirma una cotización se guarda como captura. <code>daily</code> es
la última captura de cada día UTC; <code>raw</code>, todas, como máximo las
${countText(RULES.maxRawPoints, 'es')} más recientes. Una tasa oficial se captura cuando se observa o
cuando entra en vigor, lo que ocurra después.</p>
<h3>Margen</h3>
<p>Una regla de su cuenta suma a <code>mid</code> un porcentaje o un monto fijo de VES; el resultado,
<code>mid_with_markup</code>, tiene 4 decimales y va junto al original. Una fila cuyo resultado no fuera
positivo queda sin margen.</p>`;

const sourceSection = html`<h2 id="sources">Fuentes</h2>
<p>Las tasas oficiales, la tabla de bancos y las otras monedas son publicaciones del <strong>Banco
Central de Venezuela</strong>, citadas como se publicaron (fuente: Banco Central de Venezuela,
www.bcv.org.ve). El Banco Central no participa en este servicio ni lo avala. Los demás mercados son
observaciones de cotizaciones públicas; cada fila dice con <code>market</code> y
<code>updated_at</code> de dónde y de cuándo es.</p>
<h2 id="version">Versión</h2>
<p>Esta página describe la versión <code>${RULES.version}</code>, que el índice lleva en su campo
<code>version</code>. Todo cambio de una regla del índice es una versión nueva.</p>`;

/** The methodology in Spanish. */
export function spanishMethodology(marketTable: Html, rules: readonly JudgementRule[]): Html {
  return html`<h1>Metodología</h1>
<p class="lead">Cómo se hace cada cifra de este servicio. Versión de la metodología:
<code>${RULES.version}</code>.</p>
${indexSection}
${quoteSection(marketTable)}
${officialSection}
${judgementSection(rules, 'es')}
${calculationSection}
${sourceSection}`;
}
