import { HELD_REASONS } from '../frame/held-reasons.ts';
import type { StatusTexts } from './status-texts-shape.ts';

export const ENGLISH: StatusTexts = {
  title: 'Service status · vesfx',
  description:
    'Whether the rates are up to date, which sources fail, and what happened in the last 90 days.',
  heading: 'Service status',
  lead: 'Whether you can rely on the rates right now, and how the sources behind them are doing.',
  noFigures: 'There are no rates to show yet.',
  onlySources: 'The rates are up to date, but some sources have problems.',
  since: 'Since',
  lastFailure: 'Last failed reading',
  noFailureInDays: (days) => `none in ${days} days`,
  nextPublication: 'Next publication of the BCV',
  publicationBy: (day, time, valueDate) => `by ${time} ${day}, with value date ${valueDate}`,
  publicationOn: (day) => `on ${day}`,
  publicationToday: 'today',
  problems: 'What is wrong and what is being done',
  doing: {
    no_figures: 'The sources are being read. Rates appear as soon as they are available.',
    official_stale:
      'The page of the BCV is still being read. Meanwhile we show the last published rate with its date.',
    all_quotes_stale:
      'The sources are still being read. Meanwhile each rate shows its age: check it before you use it.',
    official_missing: 'The page of the BCV is being read until the rate appears.',
    publications_missed: 'The page of the BCV is being read until it appears.',
    quotes_stale:
      'The sources are still being read. Meanwhile we show the last good rate with its age.',
    quotes_missing:
      'The sources are still being read. The rate returns as soon as it is available.',
    all_sources_failing:
      'Each reading is being retried. Meanwhile we show the last good rate of each market with its age.',
    sources_failing:
      'The reading is being retried. Meanwhile we use its fallback, if there is one, or show the last good rate with its age.',
    sources_frozen:
      'The source is still being read. The operator has to check whether anyone still updates it.',
    collecting_stopped: 'The operator has to start reading the sources again.',
    database_unavailable:
      'The connection is being retried. Meanwhile this page shows what was known last.',
  },
  doingWithoutReading:
    'This service is not reading any source. The operator has to start reading them or push rates.',
  heldHeading: (count) => (count === 1 ? 'One held figure' : `${count} held figures`),
  heldAbout:
    'A doubtful figure is not published until another source confirms it or the operator reviews it.',
  heldMore: (count) => (count === 1 ? 'And one more.' : `And ${count} more.`),
  heldReasons: HELD_REASONS.en,
  heldSubjects: { 'bcv.official': 'Official BCV rate', 'bcv.banks': 'BCV table of banks' },
  simulated: 'simulated',
  notCollecting: 'This service is not reading any source by itself.',
  checked: 'Checked',
  justNow: 'just now',
  taken: 'Last figure received',
  databaseDown: (age) => `The database does not answer. This is what was known last, ${age}.`,
  unknown: 'The database does not answer, and nothing is known of the sources yet.',
  read: 'Sources',
  notRead: 'On standby or off',
  notReadAbout: 'They are not read right now. That is not a failure.',
  asJson: 'The same data for programs',
  states: {
    ok: 'Works',
    failing: 'Failing',
    frozen: 'Not changing',
    late: 'Late',
    incomplete: 'Incomplete',
    waiting: 'Not read yet',
    off: 'Off',
    standby: 'Standby',
  },
  stopped: 'Stopped',
  names: {
    'bcv-official': 'Official BCV rate',
    'bcv-banks': 'BCV table of banks',
    'bcv-archive': 'BCV archive of past rates',
    operator: 'Figures pushed by the operator',
  },
  andMore: (count) => `and ${count} more`,
  lastSuccess: 'Last good reading',
  lastPush: 'Last push',
  lastChange: 'Last change',
  nextRun: 'Next reading',
  nextTry: 'Next try',
  missed: 'Publications missing',
  none: 'none',
  missing: 'Value dates without a rate in 30 days',
  never: 'never',
  within: (duration) => `in ${duration}`,
  days: (days) => `Last ${days} days`,
  daysAgo: (days) => `${days} days ago`,
  today: 'today',
  marks: {
    good: 'no failures',
    some: 'some failures',
    bad: 'failures only',
    none: 'no data',
  },
  marksCount: ({ good, some, bad, none }) =>
    `days without failures: ${good}; with some: ${some}; with failures only: ${bad}; without data: ${none}`,
  dayCounts: (successes, failures) => `${successes} good, ${failures} failed`,
  why: {
    ok: 'Its last reading was good.',
    pushed: 'The operator pushes figures, and they are published.',
    failing: (failures, reason) =>
      failures > 1
        ? `Its last ${failures} readings failed: ${reason}.`
        : `Its last reading failed: ${reason}.`,
    frozen:
      'It has given the same figures a new time for too long: perhaps nobody updates them any more.',
    incomplete: (markets) => `It no longer brings all its markets. Missing: ${markets}.`,
    wentBack: 'Its page shows an earlier publication again.',
    late: (missed) =>
      missed === 1
        ? 'A publication of the BCV is missing that should be there.'
        : `${missed} publications of the BCV are missing that should be there.`,
    neverRead: 'It has not been read yet.',
    neverPushed: 'Nothing has been pushed yet.',
    stopped: 'Its turn has passed, and no process reads it.',
    paused:
      'It was not read at its last turn: it is paused because another reading of the same site failed.',
    off: 'The operator does not use it.',
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
    content_type: 'it answered with another kind of content',
    too_large: 'its answer was too large',
    forbidden_address: 'its address is not a public one',
    paused: 'paused after several failures',
    content: 'its answer was not what it usually publishes',
    refused: 'its figures could not be accepted',
  },
};
