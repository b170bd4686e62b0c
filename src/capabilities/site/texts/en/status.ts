import type { StatusTexts } from '../es/status.ts';

export const STATUS_EN: StatusTexts = {
  title: 'Service status · vesfx',
  description:
    'Are the rates up to date? Which sources fail, and what happened in the last 90 days.',
  heading: 'Service status',
  lead: 'See whether you can rely on the rates right now, and how their sources are doing.',
  noFigures: 'There are no rates to show yet.',
  noFiguresLeft: 'There are no rates left to show: those of before are too old.',
  notUpdated: 'The rates are not being updated.',
  databaseDown: 'The database is not responding: the latest may be missing.',
  onlySources: (count) =>
    count === 1
      ? 'The rates are up to date, but one source has problems.'
      : 'The rates are up to date, but some sources have problems.',
  since: 'Since',
  lastFailure: 'Last failed reading',
  noFailureInDays: (days) => `none in ${days} days`,
  nextPublication: 'Next publication of the BCV',
  publicationBy: (day, time, valueDate) => `by ${time} ${day}, with value date ${valueDate}`,
  publicationOn: (day) => `on ${day}`,
  publicationToday: 'today',
  problems: 'What is wrong and what is being done',
  doing: {
    no_figures: 'Rates will appear here as soon as there are any.',
    official_stale: 'We keep reading the page of the BCV.',
    all_quotes_stale: 'We keep reading the sources.',
    official_missing: 'We keep reading the page of the BCV until the rate appears.',
    publications_missed: 'We keep reading the page of the BCV.',
    quotes_stale: 'We keep reading the sources.',
    quotes_missing:
      'We keep reading the sources. Each rate will appear as soon as it is available.',
    all_sources_failing: 'We keep retrying each source.',
    sources_failing: 'We keep retrying.',
    sources_frozen:
      'We keep reading the source. The operator must check whether anyone still updates it.',
    collecting_stopped: 'The operator must start reading the sources again.',
    database_unavailable:
      'We keep trying to reconnect. Meanwhile this page shows what we knew last.',
    database_not_writable: 'The operator must make the database writable.',
  },
  meanwhile: {
    official_stale: 'Meanwhile we show the last published rate with its date.',
    publications_missed: 'Meanwhile we show the last published rate with its date.',
    all_quotes_stale: 'Meanwhile each rate shows its age: check it before you use the rate.',
    quotes_stale: 'Meanwhile we show the last good rate with its age.',
    all_sources_failing:
      'Meanwhile we show the last good rate of each market that has one, with its age.',
    sources_failing: 'Meanwhile we show the last good rate with its age.',
    database_not_writable: 'Meanwhile we show the last figures with their age.',
  },
  officialPushed: 'The operator pushes the official rate, and must push the missing one.',
  fallbacksInUse: (names) => `We keep retrying. Meanwhile the rates come from ${names}.`,
  someFallbacksInUse: (names) =>
    `We keep retrying. Meanwhile some rates come from ${names}; for the others we show the last good one with its age.`,
  fallbacksForSome: (names) => `We keep retrying. Meanwhile some rates come from ${names}.`,
  doingWithoutReading:
    'This service is not reading any source. The operator must start reading them or push rates.',
  doubtfulHeading: 'BCV rates that are not confirmed',
  doubtfulAbout:
    'The BCV shows them. Held ones are not published until confirmed; a published one is listed while a witness shows another figure for its date.',
  heldHeading: (count) => (count === 1 ? 'One held figure' : `${count} held figures`),
  heldAbout:
    'A doubtful figure is not published: it waits until it is repeated, another source agrees or the operator approves it.',
  heldTimes: (count, age) => `${count} times, last ${age}`,
  laterAccepted: 'later readings were accepted',
  heldMore: (count) => (count === 1 ? 'And one more.' : `And ${count} more.`),
  heldSubjects: { 'bcv.official': 'Official BCV rate', 'bcv.banks': 'BCV bank table' },
  simulated: 'simulated',
  notCollecting: 'This service is not reading any source by itself.',
  checked: 'Checked',
  justNow: 'just now',
  taken: 'Last figure received',
  inDoubt: 'Unconfirmed',
  frozenRates: 'Not changing for too long',
  unknown:
    'The database is not responding, and nothing is known about the sources yet. We keep trying to reconnect.',
  read: 'Sources',
  notRead: 'On standby or off',
  notReadAbout: 'They are not read right now. That is not a failure.',
  asJson: 'the same data for programs',
  states: {
    ok: 'Working',
    failing: 'Failing',
    frozen: 'Not changing',
    late: 'Overdue',
    incomplete: 'Incomplete',
    waiting: 'Not read yet',
    off: 'Off',
    standby: 'Standby',
  },
  stopped: 'Stopped',
  paused: 'Paused',
  unused: 'Not used',
  names: {
    'bcv-official': 'Official BCV rate',
    'bcv-banks': 'BCV bank table',
    'bcv-archive': 'BCV archive of past rates',
    operator: 'Figures pushed by the operator',
  },
  witness: 'Witness of the official rate',
  andMore: (count) => `and ${count} more`,
  lastSuccess: 'Last good reading',
  lastPush: 'Last push',
  lastChange: 'Last change',
  nextRun: 'Next reading',
  nextTry: 'Next attempt',
  pauseEnds: 'End of the pause',
  missed: 'Overdue publications',
  none: 'none',
  missing: 'Value dates without a rate (30 days)',
  never: 'never',
  within: (duration) => `in ${duration}`,
  days: (days) => `Last ${days} days`,
  daysAgo: (days) => `${days} days ago`,
  today: 'today',
  marks: {
    good: 'few or no failures',
    some: 'some failures',
    bad: 'failures only',
    none: 'no data',
  },
  noFailures: 'no failures',
  fewFailures: 'few failures',
  marksCount: ({ good, some, bad, none }) =>
    `days with few or no failures: ${good}; with some: ${some}; with failures only: ${bad}; without data: ${none}`,
  dayCounts: (successes, failures) => `${successes} good, ${failures} failed`,
  why: {
    ok: 'Its last reading was good.',
    okFor: (other) => `It stands in for ${other} for now. Its last reading was good.`,
    pushed: 'The operator pushes figures, and they are published.',
    failing: (failures, reason) =>
      failures > 1
        ? `Its last ${failures} readings failed: ${reason}.`
        : `Its last reading failed: ${reason}.`,
    frozen:
      'It has repeated the same figures with a new time for too long: perhaps nobody updates them any more.',
    incomplete: (markets) => `It no longer provides all its markets. Missing: ${markets}.`,
    wentBack: 'Its page shows an earlier publication again.',
    late: (missed) =>
      missed === 1
        ? 'A publication of the BCV is overdue.'
        : `${missed} publications of the BCV are overdue.`,
    neverRead: 'It has not been read yet.',
    neverPushed: 'No pushed figure has been published yet.',
    stopped: 'It should have been read by now, but no process is reading it.',
    paused:
      'Its last reading was skipped: the site is paused because another reading of it failed.',
    off: 'The operator does not use it.',
    offFor: (other) => `The operator does not use it, but ${other} instead.`,
    misnamed: 'Its entry in the catalogue has an error, which the operator must correct.',
    standby: (other) => `It is read only while ${other} fails.`,
    byCommand: 'It is read only when the operator asks for it.',
    held: (count) =>
      count === 1
        ? 'One doubtful figure is held and not published.'
        : `${count} doubtful figures are held and not published.`,
  },
  failures: {
    unreachable: 'could not connect',
    tls: 'its certificate could not be verified',
    timeout: 'it did not answer in time',
    status: 'it answered with an error',
    redirect: 'it redirected to another address',
    content_type: 'it answered with an unexpected kind of content',
    too_large: 'its answer was too large',
    forbidden_address: 'its address is not a public one',
    paused: 'paused after several failures',
    content: 'its answer did not have its usual form',
    refused: 'its figures could not be accepted',
  },
};
