import type { JudgementRule } from '../../domain/judgement.ts';
import { exactText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language, Texts } from '../frame/language.ts';
import { table } from '../frame/layout.ts';

interface SectionTexts {
  readonly head: Html;
  readonly label: string;
  readonly columns: readonly [string, string, string];
  readonly range: (low: string, high: string) => string;
}

const TEXTS: Texts<SectionTexts> = {
  en: {
    head: html`<h2 id="judgement">Judgement</h2>
<p>Every record is judged before it is published. It is accepted, held or refused. A held record is
kept apart and told in <code>/v1/status</code>; it is not published. Nothing is clamped or averaged:
the last good quote goes on being served, and shows its age.</p>
<h3>When a record is held</h3>
<ul>
<li><strong>A quote</strong> that is too far from the last one of its market; from the official rate
in force; at a P2P venue, from the median of the other fresh venues. So is a side that is far from
its own <code>mid</code>, and the first quote of a market while no official rate is stored.</li>
<li><strong>A publication of the central bank</strong> with a rate too far from the last one of its
currency, or the euro too far from its last value in dollars; without a currency that the last one
had; for a value date after the next business day, or on a day on which banks are closed; with
another figure for a value date that is in force or past.</li>
<li><strong>A row of the table of banks</strong> that is too far from the official rate on its date or
from the bank's last row. The other rows are published.</li>
</ul>
<p>A ratio of two values is the larger over the smaller, so a rise and a fall are judged alike.</p>
<h3>What releases it</h3>
<p><strong>Insistence</strong>: the same value in enough readings over long enough. It releases a quote
that moved. It never releases a quote outside of the multiples of the official rate, nor a wrong
value date; a publication it releases only on the eve of the value date. <strong>An independent
source</strong> that agrees: one with another origin, the place where a figure is first published. Two
readers of one venue have one origin. <strong>The other venues</strong>, once a P2P quote agrees with
them. <strong>The operator</strong>.</p>
<p>A quote whose source's time is older than that of the current one is kept in the history at its own
time and does not replace it. A publication that is stored already is a duplicate, whatever was read
in between. The same figures under another date correct the publication before, which is withdrawn.</p>
<h3>The numbers and their reasons</h3>`,
    label: 'Numbers of judgement',
    columns: ['Name', 'Value', 'Reason'],
    range: (low, high) => `${low} to ${high}`,
  },
  es: {
    head: html`<h2 id="judgement">Juicio</h2>
<p>Todo registro se juzga antes de publicarse. Se acepta, se retiene o se rechaza. Un registro retenido
se guarda aparte y se informa en <code>/v1/status</code>; no se publica. Nada se recorta ni se
promedia: se sigue sirviendo la última cotización buena, con su edad.</p>
<h3>Cuándo se retiene un registro</h3>
<ul>
<li><strong>Una cotización</strong> demasiado lejos de la última de su mercado; de la tasa oficial
vigente; y en una plaza P2P, de la mediana de las demás plazas vigentes. También la que tiene un lado
lejos de su propio <code>mid</code>, y la primera de un mercado mientras no haya tasa oficial
guardada.</li>
<li><strong>Una publicación del Banco Central</strong> con una tasa demasiado lejos de la última de su
moneda, o con el euro demasiado lejos de su último valor en dólares; sin una moneda que la última
traía; con fecha valor posterior al siguiente día hábil, o en un día en que los bancos no abren; con
otra cifra para una fecha valor vigente o pasada.</li>
<li><strong>Una fila de la tabla de bancos</strong> demasiado lejos de la tasa oficial de su fecha o de
la última fila del mismo banco. Las demás filas se publican.</li>
</ul>
<p>La razón de dos valores es el mayor entre el menor: una subida y una bajada se juzgan igual.</p>
<h3>Qué lo libera</h3>
<p><strong>La insistencia</strong>: el mismo valor en suficientes lecturas durante suficiente tiempo.
Libera una cotización que se movió. Nunca libera una cotización fuera de los múltiplos de la tasa
oficial, ni una fecha valor equivocada; una publicación, solo en la víspera de su fecha valor.
<strong>Una fuente independiente</strong> que coincide: la que tiene otro origen, el lugar donde la cifra
se publica primero. Dos lectores de una misma plaza tienen un solo origen. <strong>Las demás
plazas</strong>, cuando la cotización P2P coincide con ellas. <strong>El operador</strong>.</p>
<p>Una cotización con hora de su fuente anterior a la de la actual queda en la historia a su propia hora
y no la sustituye. Una publicación ya guardada es un duplicado, se haya leído lo que se haya leído
entretanto. Las mismas cifras con otra fecha corrigen la publicación anterior, que se retira.</p>
<h3>Los números y sus razones</h3>`,
    label: 'Números del juicio',
    columns: ['Nombre', 'Valor', 'Razón'],
    range: (low, high) => `${low} a ${high}`,
  },
};

/** How records are judged, with every number and why it is that one. */
export function judgementSection(rules: readonly JudgementRule[], language: Language): Html {
  const { head, label, columns } = TEXTS[language];
  const [name, value, reason] = columns;
  return html`${head}
${table(
  label,
  [{ label: name, kind: 'nowrap' }, { label: value }, { label: reason }],
  rules.map((rule) => [
    html`<code>${rule.name}</code>`,
    valueText(rule.value, language),
    rule.reason[language],
  ]),
)}`;
}

function valueText(value: JudgementRule['value'], language: Language): string {
  if (typeof value === 'number') return exactText(value, language);
  if (Array.isArray(value)) {
    const [low = 0, high = 0]: readonly number[] = value;
    return TEXTS[language].range(exactText(low, language), exactText(high, language));
  }
  return Object.entries(value)
    .map(([name, one]) => `${name} ${exactText(one, language)}`)
    .join(', ');
}
