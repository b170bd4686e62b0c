import type { Texts } from '../frame/language.ts';
import { ENGLISH } from './status-texts-en.ts';
import { SPANISH } from './status-texts-es.ts';
import type { StatusTexts } from './status-texts-shape.ts';

export const STATUS_TEXTS: Texts<StatusTexts> = { es: SPANISH, en: ENGLISH };
