import type { Language } from '../../../core/domain/words/language.ts';
import type { ConsoleTexts } from '../texts/es/console.ts';

/** Ids of the element that the component fills, and of its data. */
export const CONSOLE_ID = 'console';
export const CONSOLE_DATA_ID = 'console-data';

/** What the service writes into the page for the component. */
export interface ConsoleData {
  readonly language: Language;
  /** Those of the language alone, so that a browser loads no others. */
  readonly texts: ConsoleTexts;
  /** Names of the markets by id: some plans may not request the catalogue. */
  readonly marketNames: Readonly<Record<string, string>>;
  readonly docsAddress: string;
  /** Where the documentation compares the plans. */
  readonly plansAddress: string;
  /** Where the documentation says how to check the signature of a message. */
  readonly signatureGuide: string;
  readonly markupsGuide: string;
  /** The official dollar of what it shows to an account that has no markups or webhooks. */
  readonly sampleDollar: SampleDollar;
  /** Whether the service has webhooks; undefined when its operator cannot turn them on. */
  readonly webhooks: 'on' | 'off' | undefined;
  /** A key for each plan, on a demonstration only. */
  readonly demoKeys: readonly DemoKey[];
}

export interface SampleDollar {
  readonly rate: number;
  readonly valueDate: string;
  /** The demonstration's, in a service that has none: what shows it says so. */
  readonly isDemonstration?: true;
}

/** What stands above a sample. */
export const sampleTitle = (
  title: string,
  { texts, sampleDollar }: ConsoleReader & Pick<ConsoleData, 'sampleDollar'>,
): string => (sampleDollar.isDemonstration ? filled(texts.demonstration, { title }) : title);

/** The key of a plan's account, which everyone knows. */
export interface DemoKey {
  readonly plan: string;
  readonly key: string;
  readonly units: number | null;
  readonly historyDays: number | null;
}

/** What it takes to speak to the reader. */
export type ConsoleReader = Pick<ConsoleData, 'language' | 'texts'>;

/** A text with its blanks filled in: `{n}`. */
export function filled(text: string, blanks: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (blank, name: string) => blanks[name] ?? blank);
}
