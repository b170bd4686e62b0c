import { inBoth } from '../frame/language.ts';
import { ENGLISH } from './status-texts-en.ts';
import { SPANISH } from './status-texts-es.ts';

export const STATUS_TEXTS = inBoth({ es: SPANISH, en: ENGLISH });
