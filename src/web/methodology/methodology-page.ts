import type { JudgementRule } from '../../domain/judgement.ts';
import type { Market, Markets } from '../../domain/markets.ts';
import { countText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language, Texts } from '../frame/language.ts';
import { page, table } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { englishMethodology } from './methodology-en.ts';
import { spanishMethodology } from './methodology-es.ts';
import { ageInWords } from './methodology-rules.ts';

interface MethodologyTexts {
  readonly title: string;
  readonly description: string;
  readonly table: string;
  readonly market: string;
  readonly name: string;
  readonly type: string;
  readonly base: string;
  readonly seconds: string;
  readonly stale: string;
  readonly drops: string;
}

const TEXTS: Texts<MethodologyTexts> = {
  es: {
    title: 'Metodología · vesfx',
    description: 'Cómo hace vesfx el índice y todas las demás cifras.',
    table: 'Mercados y su umbral de edad',
    market: 'Mercado',
    name: 'Nombre',
    type: 'Tipo',
    base: 'Moneda',
    seconds: 'Segundos',
    stale: 'Vencida tras',
    drops: 'Deja de mostrarse tras',
  },
  en: {
    title: 'Methodology · vesfx',
    description: 'How vesfx makes the index and every other figure.',
    table: 'Markets and their age thresholds',
    market: 'Market',
    name: 'Name',
    type: 'Type',
    base: 'Base',
    seconds: 'Seconds',
    stale: 'Stale after',
    drops: 'Leaves after',
  },
};

function marketTable(markets: Markets, language: Language): Html {
  const { table: label, market, name, type, base, seconds, stale, drops } = TEXTS[language];
  const row = ({
    id,
    name: inSpanish,
    nameEn,
    type: kind,
    base: quoted,
    staleAfterSec,
    dropAfterSec,
  }: Market) => [
    html`<code>${id}</code>`,
    language === 'es' ? inSpanish : nameEn,
    kind,
    quoted,
    countText(staleAfterSec, language),
    ageInWords(staleAfterSec),
    dropAfterSec === undefined ? '—' : ageInWords(dropAfterSec),
  ];
  return table(
    label,
    [
      { label: market },
      { label: name, kind: 'nowrap' },
      { label: type, kind: 'nowrap' },
      { label: base },
      { label: seconds, kind: 'figure' },
      { label: stale, kind: 'figure' },
      { label: drops, kind: 'figure' },
    ],
    markets.list.map(row),
  );
}

/** How every figure is made; anyone may read it without a key. */
export function methodologyPage(
  view: PageView,
  { markets, rules }: { readonly markets: Markets; readonly rules: readonly JudgementRule[] },
): string {
  const { language } = view;
  const { title, description } = TEXTS[language];
  const shown = marketTable(markets, language);
  const write = language === 'es' ? spanishMethodology : englishMethodology;
  return page(view, { title, description, content: write(shown, rules) });
}
