import type { SourceHealth } from '../../../domain/source-health.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The condition of a source that should be read. */
export function examineSource({ name, condition, why }: SourceHealth): readonly Finding[] {
  const [subject, message] = [`source ${name}`, `${name} (${condition}): ${why}`];
  switch (condition) {
    case 'ok':
      return [ok(subject, message)];
    case 'off':
    case 'standby':
    // Another finding reports that no source is read.
    case 'waiting':
      return [];
    case 'failing':
    case 'incomplete':
    case 'late':
      return [warning(subject, message, `Look at it: vesfx source check ${name}.`)];
    case 'frozen':
      return [
        warning(subject, message, 'Compare it with another source; take it out if it is dead.'),
      ];
    default:
      return condition satisfies never;
  }
}
