import type { RateStorage } from './rates.js';

export function fileStorage(path: string): RateStorage;
