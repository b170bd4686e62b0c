import type { SourceHealth } from '../../../domain/source-health.ts';
import type { Finding } from './finding.ts';

/** The condition of a source that should be read. */
export function examineSource({ name, condition, why }: SourceHealth): readonly Finding[] {
  const finding = { subject: `source ${name}`, message: `${name} (${condition}): ${why}` };
  switch (condition) {
    case 'ok':
      return [{ level: 'ok', ...finding }];
    case 'off':
    case 'standby':
    // Another finding reports that no source is read.
    case 'waiting':
      return [];
    case 'failing':
    case 'incomplete':
    case 'late':
      return [{ level: 'warning', ...finding, remedy: `Look at it: vesfx source check ${name}.` }];
    case 'frozen': {
      const remedy = 'Compare it with another source; take it out if it is dead.';
      return [{ level: 'warning', ...finding, remedy }];
    }
    default:
      return condition satisfies never;
  }
}
