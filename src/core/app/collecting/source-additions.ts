import type { SourceAddition } from '../../domain/source-health.ts';
import type { Source } from '../ports/sources.ts';

/** What a source adds beside those that bring a figure anyway; undefined when it is one of these. */
export function additionOf({
  role,
  rankedBefore,
}: Pick<Source, 'role' | 'rankedBefore'>): SourceAddition | undefined {
  if (role === 'witness') return 'second_voice';
  return rankedBefore === undefined ? undefined : 'independent_origin';
}

/** What a source adds, as a sentence; undefined when it adds nothing. */
export function additionInWords(source: Source): string | undefined {
  switch (additionOf(source)) {
    case 'second_voice':
      return 'It gives the official rate a second source, which confirms or contradicts the first. Its terms: docs/sources.md.';
    case 'independent_origin':
      return `It gives ${source.markets.join(', ')} an origin of its own, independent of ${source.rankedBefore}. Its terms: docs/sources.md.`;
    case undefined:
      return undefined;
  }
}

/** A figure that has one source, although the catalogue has sources that would add another. */
interface LoneFigure {
  readonly message: string;
  readonly remedy: string;
}

/** What the catalogue could add and does not, because every source that adds it is off. */
export function loneFigures(sources: readonly Source[]): readonly LoneFigure[] {
  const lone = (addition: SourceAddition, inWords: (of: readonly Source[]) => string) => {
    const of = sources.filter((source) => additionOf(source) === addition);
    if (of.length === 0 || of.some(({ enabled }) => enabled)) return [];
    const names = of.map(({ name }) => name).join(', ');
    const remedy = `Switch one on with vesfx source enable: ${names} (terms: docs/sources.md).`;
    return [{ message: inWords(of), remedy }];
  };
  return [
    ...lone(
      'second_voice',
      () => 'The official rate has one source: a witness would confirm or contradict it.',
    ),
    ...lone('independent_origin', (of) => {
      const markets = of.flatMap((source) => source.markets).join(', ');
      const others = [...new Set(of.map(({ rankedBefore }) => rankedBefore))].join(', ');
      return `${others} alone brings ${markets}: reading one directly would give it an independent origin.`;
    }),
  ];
}
