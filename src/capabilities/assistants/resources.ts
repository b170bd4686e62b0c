import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { Markets } from '../../core/domain/markets.ts';
import { readProductText } from '../../core/product-files.ts';

const MARKETS_URI = 'vesfx://markets';
const METHODOLOGY_URI = 'vesfx://methodology';
const MARKDOWN = 'text/markdown';

/** What an assistant may read before it answers, as Markdown. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: MARKETS_URI,
    name: 'markets',
    title: 'Markets',
    description: 'Every market: id, names, type, currency, maximum age, cheapest plan.',
    mimeType: MARKDOWN,
  },
  {
    uri: METHODOLOGY_URI,
    name: 'methodology',
    title: 'Methodology',
    description: 'How the figures are read, judged and calculated.',
    mimeType: MARKDOWN,
  },
];

/** @returns undefined when there is no such resource. */
export function readResource(uri: string, markets: Markets): ReadResourceResult | undefined {
  const text =
    uri === MARKETS_URI
      ? marketsText(markets)
      : uri === METHODOLOGY_URI
        ? methodology()
        : undefined;
  return text === undefined ? undefined : { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

const NOTE =
  'Its numbers are those of the packaged catalogue; the page /methodology has those of the service.';

/** Without the comments that name the figures which the catalogue of an operator sets. */
function methodology(): string {
  const text = readProductText('docs/methodology.md');
  return `${NOTE}\n\n${text.replaceAll(/<!--[^>]*-->/g, '')}`;
}

function marketsText({ list }: Markets): string {
  const rows = list.map(
    ({ id, name, nameEn, type, base, aliases, staleAfterSec, requiredPlan }) => [
      ...[id, name, nameEn, type, base, aliases.join(' '), staleAfterSec, requiredPlan ?? ''],
    ],
  );
  const head = ['id', 'name', 'English', 'type', 'base', 'aliases', 'stale_after_sec', 'plan'];
  return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
