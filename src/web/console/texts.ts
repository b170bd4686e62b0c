import type { Texts } from '../frame/language.ts';
import { CONSOLE_ENGLISH } from './texts-en.ts';
import { CONSOLE_SPANISH, type ConsoleTexts } from './texts-es.ts';

export const CONSOLE_TEXTS: Texts<ConsoleTexts> = { es: CONSOLE_SPANISH, en: CONSOLE_ENGLISH };
