import type { FailureReason, SourceCondition } from '../../domain/source-health.ts';
import type { StateReasonName } from '../../domain/state-names.ts';

/** What a day of readings was like. */
export type DayMark = 'good' | 'some' | 'bad' | 'none';

export interface StatusTexts {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  readonly noFigures: string;
  /** While the rates are fresh and only sources have trouble. */
  readonly onlySources: string;
  readonly since: string;
  readonly lastFailure: string;
  readonly noFailureInDays: (days: number) => string;
  readonly nextPublication: string;
  /** `day` is `publicationToday`, or a text of `publicationOn`. */
  readonly publicationBy: (day: string, time: string, valueDate: string) => string;
  readonly publicationOn: (day: string) => string;
  readonly publicationToday: string;
  readonly problems: string;
  /** What is being done about a reason while sources are read. */
  readonly doing: Readonly<Record<StateReasonName, string>>;
  /** The same while nobody reads them. */
  readonly doingWithoutReading: string;
  readonly heldHeading: (count: number) => string;
  readonly heldAbout: string;
  readonly heldMore: (count: number) => string;
  /** Why a record is held, by the word of the API; another one is only held. */
  readonly heldReasons: Readonly<Record<string, string>>;
  readonly heldSubjects: Readonly<Record<string, string>>;
  readonly simulated: string;
  readonly notCollecting: string;
  readonly checked: string;
  readonly justNow: string;
  readonly taken: string;
  readonly databaseDown: (age: string) => string;
  readonly unknown: string;
  readonly read: string;
  readonly notRead: string;
  readonly notReadAbout: string;
  readonly asJson: string;
  readonly states: Readonly<Record<SourceCondition, string>>;
  readonly stopped: string;
  readonly names: Readonly<Record<string, string>>;
  readonly andMore: (count: number) => string;
  readonly lastSuccess: string;
  readonly lastPush: string;
  readonly lastChange: string;
  readonly nextRun: string;
  readonly nextTry: string;
  readonly missed: string;
  readonly none: string;
  readonly missing: string;
  readonly never: string;
  readonly within: (duration: string) => string;
  readonly days: (days: number) => string;
  readonly daysAgo: (days: number) => string;
  readonly today: string;
  readonly marks: Readonly<Record<DayMark, string>>;
  readonly marksCount: (counts: Readonly<Record<DayMark, number>>) => string;
  readonly dayCounts: (successes: number, failures: number) => string;
  readonly why: {
    readonly ok: string;
    readonly pushed: string;
    readonly failing: (failures: number, reason: string) => string;
    readonly frozen: string;
    readonly late: (missed: number) => string;
    readonly incomplete: (markets: string) => string;
    readonly wentBack: string;
    readonly neverRead: string;
    readonly neverPushed: string;
    readonly stopped: string;
    readonly paused: string;
    readonly off: string;
    readonly misnamed: string;
    readonly standby: (other: string) => string;
    readonly byCommand: string;
    readonly held: (count: number) => string;
  };
  readonly failures: Readonly<Record<FailureReason, string>>;
}
