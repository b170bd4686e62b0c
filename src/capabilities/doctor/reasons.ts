import type { StateReason } from '../../core/app/service-state.ts';
import { caracasTime } from '../../core/cli/output.ts';
import type { StateReasonName } from '../../core/domain/state-names.ts';
import type { Finding } from './finding.ts';

interface Told {
  readonly level: Finding['level'];
  /** The message, a sentence without its end. */
  readonly message: (about: { readonly names: string; readonly count: number }) => string;
  readonly remedy: string;
}

const COMPARE_SOURCES = 'See which sources bring them: vesfx source list.';

const READ_OFFICIAL =
  'Read it: vesfx source run bcv-official. By hand: vesfx rate set reference RATE --date DAY.';

const REASONS: Readonly<Record<StateReasonName, Told>> = {
  no_figures: {
    level: 'broken',
    message: () => 'Nothing is published',
    remedy: 'Read the sources (vesfx serve, vesfx collect) or import records.',
  },
  official_stale: {
    level: 'broken',
    message: () => 'The official rate is stale',
    remedy: READ_OFFICIAL,
  },
  all_quotes_stale: {
    level: 'broken',
    message: () => 'Every quote is stale',
    remedy: COMPARE_SOURCES,
  },
  official_missing: {
    level: 'broken',
    message: () => 'There is no official dollar rate in force',
    remedy: READ_OFFICIAL,
  },
  publications_missed: {
    level: 'broken',
    message: ({ count }) =>
      count === 1
        ? '1 publication of the central bank is missing'
        : `${count} publications of the central bank are missing`,
    remedy:
      'Look at its page; vesfx source run bcv-official, vesfx held list, vesfx backfill. By hand: vesfx rate set reference RATE --date DAY.',
  },
  quotes_stale: {
    level: 'broken',
    message: ({ names }) => `These markets have a stale quote: ${names}`,
    remedy: COMPARE_SOURCES,
  },
  quotes_missing: {
    level: 'broken',
    message: ({ names }) => `These markets have no quote: ${names}`,
    remedy:
      'Look at their sources: vesfx source list. Take markets that nobody quotes out of markets.json.',
  },
  all_sources_failing: {
    level: 'broken',
    message: ({ names }) => `All sources in use are failing: ${names}`,
    remedy: 'Is this machine on the network? vesfx source check shows what each of them answers.',
  },
  sources_failing: {
    level: 'warning',
    message: ({ names }) => `These sources are failing: ${names}`,
    remedy: 'Look at them: vesfx source check NAME.',
  },
  sources_frozen: {
    level: 'warning',
    message: ({ names }) => `These sources repeat the same figures: ${names}`,
    remedy: 'Compare them with another source; take them out if they are dead.',
  },
  collecting_stopped: {
    level: 'warning',
    message: () => 'No process is reading the sources any more',
    remedy: 'Start "vesfx collect", or "vesfx serve" without --no-collect.',
  },
  database_unavailable: {
    level: 'broken',
    message: () => 'The database does not answer',
    remedy: 'Look at the disk, or at the server and its connections.',
  },
  database_not_writable: {
    level: 'broken',
    message: () => 'The database cannot be written',
    remedy: 'Make room on its disk, or make its disk and files writable.',
  },
};

/** @param options `isNew`: nothing was ever ingested, so missing figures are no fault yet. */
export function reasonFinding(
  { name, since, markets, sources, count = 0 }: StateReason,
  { isNew }: { readonly isNew: boolean },
): Finding {
  const { level, message, remedy } = REASONS[name];
  const text = message({ names: (markets ?? sources ?? []).join(', '), count });
  const time = since === undefined ? '' : `, since ${caracasTime(since)} in Caracas`;
  return {
    level: isNew && name === 'no_figures' ? 'warning' : level,
    subject: sources === undefined ? 'figures' : 'sources',
    reason: name,
    message: `${text}${time}.`,
    remedy,
  };
}
