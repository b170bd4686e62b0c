import { z } from 'zod';
import type { Holidays, PublicationHours } from '../domain/calendar.ts';
import { isJsonObject } from '../domain/exact-json.ts';
import { type CaracasDay, HOUR_MS, MINUTE_MS, parseCaracasDay } from '../domain/time.ts';
import { faultsOf } from './faults.ts';
import { CatalogueError, type CatalogueFile, type Fault, readCatalogueFile } from './file.ts';

// limit: Days of `holidays.json`, a name | 2,000, 100 characters | not started | MAX_HOLIDAY_NAME_LENGTH
export const MAX_HOLIDAYS = 2_000;
const MAX_HOLIDAY_NAME_LENGTH = 100;

/**
 * How a holiday is known. `announced`: the regulator's list names it. `observed`: no rate was ever
 * published for that weekday. `computed`: a fixed rule gives its date.
 */
const SECTIONS = ['announced', 'observed', 'computed'] as const;
type Section = (typeof SECTIONS)[number];

const holidayName = z
  .string()
  .regex(/^\P{Cc}+$/u)
  .max(MAX_HOLIDAY_NAME_LENGTH);

const clockTime = z
  .string('must be a time in Caracas, HH:MM')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in Caracas, HH:MM')
  .transform((text) => Number(text.slice(0, 2)) * HOUR_MS + Number(text.slice(3)) * MINUTE_MS);

const reason = z.string('must be text').min(1, 'must not be empty');

const publicationHours = z
  .strictObject(
    {
      from: clockTime,
      until: clockTime,
      reason: z.strictObject({ en: reason, es: reason }, 'must be an object of en and es'),
    },
    'must be an object of from, until and reason',
  )
  .refine(({ from, until }) => from < until, { path: ['until'], error: 'must be after from' });

const A_DATE = 'must be a date that exists, YYYY-MM-DD';

/**
 * Reads `holidays.json` of a folder, or the packaged one when the folder has none.
 * @throws CatalogueError naming file, line and fault.
 */
export function loadHolidays(folder: string): Holidays {
  const file = readCatalogueFile(folder, 'holidays.json');
  const faults: Fault[] = [];
  const fields = new Map(entriesOf(file.value));
  if (fields.size === 0) {
    throw new CatalogueError(file.shownAs, [{ line: 1, problem: 'must be an object of holidays' }]);
  }
  for (const name of fields.keys()) {
    if (
      name === 'announced_until' ||
      name === 'published' ||
      SECTIONS.some((section) => section === name)
    )
      continue;
    faults.push({ line: file.lineOf([name]), problem: `${name} is not a known field` });
  }
  const until = fields.get('announced_until');
  const announcedUntil = typeof until === 'string' ? parseCaracasDay(until) : undefined;
  if (announcedUntil === undefined) {
    faults.push({ line: file.lineOf(['announced_until']), problem: `announced_until ${A_DATE}` });
  }
  const hours = hoursOf(file, fields.get('published'), faults);
  const holidays = SECTIONS.flatMap((section) => {
    const value = fields.get(section);
    return value === undefined ? [] : readSection(file, section, value, faults);
  });
  faults.push(...repeatedDays(file, holidays));
  for (const { section, day } of holidays) {
    if (section !== 'announced' || announcedUntil === undefined || day <= announcedUntil) continue;
    const line = file.lineOf([section, day]);
    faults.push({ line, problem: `announced.${day} is after announced_until` });
  }
  if (holidays.length > MAX_HOLIDAYS) {
    faults.push({ line: 1, problem: `must have at most ${MAX_HOLIDAYS} holidays` });
  }
  if (announcedUntil === undefined || faults.length > 0) {
    throw new CatalogueError(file.shownAs, faults);
  }
  const names = new Map(holidays.map(({ day, name }) => [day, name]));
  return { announcedUntil, names, publicationHours: hours };
}

/** When the central bank publishes, with the reason for it; an older file lacks it. */
function hoursOf(
  file: CatalogueFile,
  value: unknown,
  faults: Fault[],
): PublicationHours | undefined {
  if (value === undefined) return undefined;
  const result = publicationHours.safeParse(value);
  if (result.success) return { fromMs: result.data.from, untilMs: result.data.until };
  const place = { path: ['published'], label: 'published', value };
  faults.push(...faultsOf(file, result.error, place));
  return undefined;
}

interface Holiday {
  readonly section: Section;
  readonly day: CaracasDay;
  readonly name: string;
}

function readSection(
  file: CatalogueFile,
  section: Section,
  value: unknown,
  faults: Fault[],
): readonly Holiday[] {
  const entries = entriesOf(value);
  if (entries === undefined) {
    const problem = `${section} must be an object of dates with names`;
    faults.push({ line: file.lineOf([section]), problem });
    return [];
  }
  return entries.flatMap(([text, entry]) => {
    const day = parseCaracasDay(text);
    const name = holidayName.safeParse(entry);
    const refuse = (problem: string) => {
      faults.push({ line: file.lineOf([section, text]), problem });
    };
    if (day === undefined) refuse(`${section}: "${text}" ${A_DATE}`);
    if (!name.success) {
      refuse(`${section}.${text} must be a name of 1 to ${MAX_HOLIDAY_NAME_LENGTH} characters`);
    }
    return day === undefined || !name.success ? [] : [{ section, day, name: name.data }];
  });
}

function repeatedDays(file: CatalogueFile, holidays: readonly Holiday[]): readonly Fault[] {
  const holders = new Map<CaracasDay, Section>();
  return holidays.flatMap(({ section, day }) => {
    const holder = holders.get(day);
    holders.set(day, section);
    const problem = `${section}.${day} is in ${holder} already`;
    return holder === undefined ? [] : [{ line: file.lineOf([section, day]), problem }];
  });
}

/** The entries of an object, if it is one. A Zod record would skip a key named `__proto__`. */
function entriesOf(value: unknown): readonly [string, unknown][] | undefined {
  return isJsonObject(value) ? Object.entries(value) : undefined;
}
