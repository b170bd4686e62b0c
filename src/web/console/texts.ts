import type { Texts } from '../frame/language.ts';
import { ENGLISH } from './texts-en.ts';
import { type ConsoleTexts, SPANISH } from './texts-es.ts';

export const CONSOLE_TEXTS: Texts<ConsoleTexts> = { es: SPANISH, en: ENGLISH };
