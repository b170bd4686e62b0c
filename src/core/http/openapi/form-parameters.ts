import { sentence } from '../../domain/errors/sentence.ts';
import { cheapestPlan, FORMATS, type Plans, planFormatOf } from '../../domain/plans.ts';
import type { Language } from '../../domain/words/language.ts';
import { type AnswerFormat, LOCALES } from '../framework/encoding/formats.ts';
import type { ApiParameter } from './api-document.ts';

/** The parameters that choose how an answer is written. */

export function formatParameter(
  plans: Plans,
  language: Language,
  formats: readonly AnswerFormat[] = FORMATS,
): ApiParameter {
  const from = sentence('from', 'desde')[language];
  const access = formats
    .flatMap((format) => {
      const wanted = planFormatOf(format);
      const plan = cheapestPlan(plans, (one) => one.formats.includes(wanted));
      return plan === undefined ? [] : `\`${format}\` ${from} ${plan.name}`;
    })
    .join(', ');
  const about = sentence(
    `Format of the answer, \`json\` by default; lower case only. ${access}.`,
    `Formato de la respuesta, por defecto \`json\`; solo en minúsculas. ${access}.`,
  );
  return {
    name: 'format',
    in: 'query',
    required: false,
    description: about[language],
    schema: { type: 'string', enum: formats },
    example: 'json',
  };
}

export function localeParameter(language: Language): ApiParameter {
  const about = sentence(
    'How CSV is written: `en` (the default) for programs; `es` for spreadsheets in Spanish, with semicolons, decimal commas and Spanish column names. A workbook has these names too. Other formats do not change.',
    'Cómo se escribe el CSV: `en` (valor por defecto), para programas; `es`, para hojas de cálculo en español, con punto y coma, coma decimal y nombres de columna en español. Un libro de Excel también lleva esos nombres. Los demás formatos no cambian.',
  );
  return {
    name: 'locale',
    in: 'query',
    required: false,
    description: about[language],
    schema: { type: 'string', enum: LOCALES },
    example: 'es',
  };
}
