import type { CaracasDay } from '../../core/domain/time.ts';

/** The paths of a static copy (contract §22). Ids of markets have no characters but `a-z0-9_-`. */

export const INDEX_PATH = 'index.json';
export const PAGE_PATH = 'index.html';
export const LATEST_PATH = 'v1/latest.json';
export const OFFICIAL_PATH = 'v1/official/latest.json';
export const officialDayPath = (day: CaracasDay) => `v1/official/${day}.json`;
export const officialYearPath = (year: number) => `v1/official/${year}.csv`;
export const marketYearPath = (id: string, year: number) => `v1/markets/${id}/${year}.csv`;

const FILE =
  /^(?:index\.(?:json|html)|v1\/(?:latest\.json|official\/(?:(?:latest|\d{4}-\d\d-\d\d)\.json|\d{4}\.csv)|markets\/[a-z0-9_-]+\/\d{4}\.csv))$/;
const FOLDER = /^v1(?:\/(?:official|markets(?:\/[a-z0-9_-]+)?))?$/;

/** Whether a static copy has files of that path. */
export const isCopyFile = (path: string) => FILE.test(path);
/** Whether a static copy has folders of that path. */
export const isCopyFolder = (path: string) => FOLDER.test(path);
