import type { SampleEdition } from '../../../core/http/samples/samples.ts';
import type { SampleDollar } from './console-data.ts';

/** That of the demonstration, as other samples have it. */
const DECLARED: SampleDollar = {
  ...{ rate: 771.0714, valueDate: '2026-11-20' },
  isDemonstration: true,
};

/** The official dollar that the service has in force: a reader compares the console's samples with the board. */
export async function sampleDollar({ ask }: Pick<SampleEdition, 'ask'>): Promise<SampleDollar> {
  const answer = await ask('/v1/fx/rates/reference');
  const isRead = typeof answer === 'object' && answer !== null;
  const { mid, effective_date: valueDate }: Readonly<Record<string, unknown>> = isRead
    ? { ...answer }
    : {};
  return typeof mid === 'number' && typeof valueDate === 'string'
    ? { rate: mid, valueDate }
    : DECLARED;
}
