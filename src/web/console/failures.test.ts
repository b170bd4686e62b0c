import { describe, expect, test } from 'vitest';
import { VesfxError, type VesfxErrorOptions } from '../../client/errors.ts';
import { FIXED_LIMIT_WORDS, MAX_PERCENT, MIN_PERCENT } from '../../domain/markup.ts';
import { SPANISH_ERRORS } from '../texts/es/api-errors.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { answeredError, failureIn } from './failures.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

function failure(
  code: ConstructorParameters<typeof VesfxError>[0],
  more: Partial<VesfxErrorOptions> = {},
) {
  return new VesfxError(code, { message: 'It is in English.', ...more });
}

describe('what went wrong in the console', () => {
  test.each([
    ['invalid_format', { field: 'origins' }, 'Escriba hasta 10 orígenes exactos'],
    ['missing_field', { field: 'scopes' }, 'Marque al menos un permiso.'],
    ['invalid_format', { field: 'expires_at' }, 'Elija un día desde hoy'],
    ['invalid_format', { field: 'value' }, 'Un porcentaje va de -99 a 1.000'],
    ['scope_missing', { details: { scope: 'account.read' } }, 'el permiso «Ver la cuenta»'],
    ['scope_missing', { details: { scope: 'full' } }, 'Solo una clave completa'],
    ['scope_missing', { details: { scope: 'account.write' } }, 'vence antes'],
    ['scope_missing', { details: { scope: 'newer' } }, 'A su clave le falta un permiso'],
    ['rate_limit_exceeded', { retryAfterSec: 35 }, 'Espere 35\u00a0s'],
    ['rate_limit_exceeded', { scope: 'account', retryAfterSec: 9_000 }, 'después de las 20:00'],
    ['quota_exceeded', {}, 'todas las unidades de este mes'],
    ['service_unavailable', {}, 'no está disponible por ahora'],
    ['unexpected_answer', {}, 'La respuesta no es de este servicio'],
    ['unexpected_answer', { details: { code: 'newer' } }, 'Algo salió mal en el servicio'],
  ] as const)('%s %j is said in Spanish, by the rule of the field', (code, more, said) => {
    const text = failureIn(failure(code, more), reader('es'));
    expect(text).toContain(said);
    expect(text).not.toContain('English');
    expect(failureIn(failure(code, more), reader('en'))).not.toMatch(/\{\w+\}|[áéíóúñ«¿]/);
  });

  test.each([
    [
      { feature: 'keys', max: 1, required_plan: 'Inicio' },
      'Máximo de claves de este tipo en su plan: 1',
    ],
    [
      { feature: 'markup', max: 1_000, required_plan: 'Inicio' },
      'Máximo de márgenes en su plan: 1.000.',
    ],
    [{ feature: 'markup', required_plan: 'Inicio' }, 'Su plan no incluye esto.'],
  ])('a limit of the plan is named with the plan that allows more: %j', (details, said) => {
    const text = failureIn(failure('feature_not_in_plan', { details }), reader('es'));
    expect(text).toContain(said);
    expect(text).toContain('El plan Inicio permite más.');
    const highest = { ...details, required_plan: null };
    expect(failureIn(failure('feature_not_in_plan', { details: highest }), reader('es'))).toContain(
      said,
    );
  });

  test('a field that no form has is explained in the words of the API', () => {
    expect(failureIn(failure('invalid_format', { field: 'newer' }), reader('es'))).toBe(
      'Uno de los valores no es válido. El servicio respondió: It is in English.',
    );
  });

  test('the limits of a rule are those that the API checks', () => {
    expect([MIN_PERCENT, MAX_PERCENT]).toEqual([-99, 1_000]);
    expect(CONSOLE_TEXTS.en.fieldRules['value']).toContain(FIXED_LIMIT_WORDS);
  });
});

describe('an error answer in the playground', () => {
  const ERRORS_ES = Object.entries(SPANISH_ERRORS).map(([code, message]) => ({
    ...{ code, message },
    status: 400,
  }));

  const meaningOf = (answered: string, sent?: string, language: 'es' | 'en' = 'es') =>
    answeredError({ sent, answered, errors: ERRORS_ES }, reader(language));

  test('has its meaning in Spanish, with the field that it names', () => {
    const body = '{"code":"invalid_format","message":"amount: must be a number.","field":"amount"}';
    expect(meaningOf(body)).toEqual({
      meaning: 'Un parámetro tiene un valor que no se acepta: `amount`.',
      reason: 'Un parámetro tiene un valor que no se acepta.',
      field: 'amount',
    });
    expect(meaningOf(body, undefined, 'en')).toEqual({
      meaning: undefined,
      reason: 'amount: must be a number.',
      field: 'amount',
    });
  });

  test('names the first day that the plan reaches', () => {
    const details = { earliest: '2026-05-30' };
    const body = JSON.stringify({ code: 'history_out_of_retention', field: 'from', details });
    expect(meaningOf(body).reason).toBe('El primer día que alcanza su plan es 2026-05-30.');
  });

  test.each(['', '<h1>Bad gateway</h1>', 'null', '[]', '{"status":"draining"}', '{"code":7}'])(
    'says that another machine answered, where the body is no error of the API: %s',
    (body) => {
      expect(meaningOf(body).meaning).toContain('La respuesta no es de este servicio');
      expect(meaningOf(body, undefined, 'en').meaning).toContain('not from this service');
    },
  );

  test.each([
    ['{"kind": "full",}', 'El cuerpo no es un objeto JSON válido'],
    ['[1]', 'El cuerpo no es un objeto JSON válido'],
    ['{"kind": "full"}', 'Un parámetro tiene un valor'],
  ])('says whether the body %s was JSON', (sent, said) => {
    const answered = '{"code":"invalid_format","message":"It is in English."}';
    expect(meaningOf(answered, sent).meaning).toContain(said);
  });

  test('names the plan that may, for a refusal of the plan', () => {
    const answered = '{"code":"feature_not_in_plan","details":{"required_plan":"Escala"}}';
    expect(meaningOf(answered).plan).toBe('Escala');
  });
});
