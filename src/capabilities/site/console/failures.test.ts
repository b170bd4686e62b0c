import { describe, expect, test } from 'vitest';
import { VesfxError, type VesfxErrorOptions } from '../../../client/errors.ts';
import { endWithin, requireGraceKept } from '../../../core/app/access/key-makers.ts';
import { keyEnd } from '../../../core/app/access/key-request.ts';
import { parseDirection } from '../../../core/domain/calculations/convert.ts';
import { ApiError, invalidField } from '../../../core/domain/errors.ts';
import { effectiveRange } from '../../../core/domain/history/history.ts';
import { nothingStoredYet } from '../../../core/domain/history/past-dates.ts';
import { FIXED_LIMIT, MAX_PERCENT, MIN_PERCENT } from '../../../core/domain/markup.ts';
import { parseUtcDay } from '../../../core/domain/time.ts';
import { NOT_A_DAY } from '../../../core/http/pipeline/schemas.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { answeredError, failureIn } from './failures.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

function failure(
  code: ConstructorParameters<typeof VesfxError>[0],
  more: Partial<VesfxErrorOptions> = {},
) {
  return new VesfxError(code, { message: 'It is in English.', ...more });
}

/** The body with which the API answers what `work` throws, to a reader of the language. */
function refusalOf(work: () => unknown, language: 'es' | 'en' = 'es') {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, options, sentence } = error;
      return { code, field: options.field, details: options.details, message: sentence[language] };
    }
  }
  throw new Error('nothing was refused');
}

function raise(error: Error): never {
  throw error;
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
    ['conflict', { field: 'url' }, 'Ya tiene un webhook con esa dirección'],
    ['conflict', {}, 'Está en pausa o desactivado'],
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
    [{ feature: 'webhooks', max: 1, required_plan: 'Inicio' }, 'Máximo de webhooks en su plan: 1.'],
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

  test('of two rules for the last day of a key, the one that applies is said', () => {
    const said = (work: () => unknown) => {
      const { code, field, details } = refusalOf(work);
      return failureIn(failure(code, { field, details }), reader('es'));
    };
    const range = said(() => keyEnd(1, 2));
    expect(range).toBe('Elija un día desde hoy y hasta dentro de dos años.');
    const key = {
      ...{ id: 'key_1', accountId: 'acc_1', digest: '', createdAt: 0 },
      grant: { kind: 'full' },
    } as const;
    expect(said(() => requireGraceKept({ ...key, expiresAt: 1 }, 2))).toBe(
      'La clave fue rotada: no puede durar más que su plazo.',
    );
    expect(said(() => endWithin(2, { ...key, lastsUntil: 1 }))).toBe(
      'La clave con la que entró vence antes: elija un día anterior.',
    );
  });

  test('a field that no form has is explained in the words of the API', () => {
    expect(
      failureIn(failure('invalid_format', { field: 'newer', message: 'newer: no.' }), reader('es')),
    ).toBe('newer: no.');
  });

  test('the limits of a rule are those that the API checks', () => {
    expect([MIN_PERCENT, MAX_PERCENT]).toEqual([-99, 1_000]);
    expect(CONSOLE_TEXTS.en.fieldRules['value']).toContain(FIXED_LIMIT.en);
  });
});

describe('an error answer in the playground', () => {
  const meaningOf = (answered: object | string, language: 'es' | 'en' = 'es') =>
    answeredError(
      typeof answered === 'string' ? answered : JSON.stringify(answered),
      CONSOLE_TEXTS[language],
    );

  test.each(['es', 'en'] as const)('names the field and what it may be, in %s', (language) => {
    const { parameterRules } = CONSOLE_TEXTS[language];
    const details = { rule: 'not_a_number' };
    const body = { code: 'invalid_format', message: '…', field: 'amount', details };
    expect(meaningOf(body, language)).toEqual({
      meaning: `\`amount\`: ${parameterRules['amount']}`,
      reason: parameterRules['amount'],
      field: 'amount',
    });
  });

  const now = Date.parse('2026-11-21T12:00:00Z');
  const range = (from: string, to: string) => () =>
    effectiveRange({ from: parseUtcDay(from), to: parseUtcDay(to) }, now, null);
  const noDate = () => {
    raise(invalidField('date', NOT_A_DAY));
  };
  test.each([
    ['a day ahead', range('2027-01-01', '2027-01-02'), 'ya haya comenzado', 'has begun'],
    ['a range backwards', range('2026-11-20', '2026-11-10'), 'no puede ser posterior', 'be after'],
    ['no date', noDate, 'un día que exista', 'a day that exists'],
    [
      'two foreign sides',
      () => parseDirection({ from: 'USD', to: 'USD' }),
      'debe ser VES',
      'be VES',
    ],
    [
      'a day before all',
      () => raise(nothingStoredYet(undefined)),
      'Elija uno más reciente',
      'a later one',
    ],
  ])('says what is expected instead of %s', (_case, refuse, es, en) => {
    for (const [language, said] of [
      ['es', es],
      ['en', en],
    ] as const) {
      const error = meaningOf(refusalOf(refuse, language), language);
      expect(error.meaning).toContain(said);
      expect(error.reason).toContain(said);
    }
  });

  test('decides by the rule alone, whatever the message says', () => {
    const [details, field] = [{ rule: 'future_day' }, 'from'];
    const body = { code: 'invalid_format', message: 'Another sentence.', field, details };
    expect(meaningOf(body).reason).toBe(CONSOLE_TEXTS.es.valueRules.future_day);
    const other = { ...body, message: 'from must not be in the future.', details: {} };
    expect(meaningOf(other).reason).toBe('from must not be in the future.');
  });

  test('shows the message of the API where no rule tells more', () => {
    const body = { code: 'invalid_format', message: 'Como máximo 366 días.', field: 'from' };
    const said = 'Como máximo 366 días.';
    expect(meaningOf(body)).toEqual({ meaning: said, reason: said, field: 'from' });
  });

  test('names the first day that the plan reaches', () => {
    const details = { earliest: '2026-05-30' };
    const body = { code: 'history_out_of_retention', field: 'from', details };
    expect(meaningOf(body).reason).toBe('El primer día que alcanza su plan es 2026-05-30.');
  });

  test.each(['', '<h1>Bad gateway</h1>', 'null', '[]', '{"status":"draining"}', '{"code":7}'])(
    'says that another machine answered, where the body is no error of the API: %s',
    (body) => {
      expect(meaningOf(body).meaning).toContain('La respuesta no es de este servicio');
      expect(meaningOf(body, 'en').meaning).toContain('not from this service');
    },
  );

  test.each(['not_json', 'not_an_object'])('says that the body was no JSON object: %s', (rule) => {
    const body = { code: 'invalid_format', message: '…', details: { rule } };
    expect(meaningOf(body).meaning).toContain('El cuerpo no es un objeto JSON válido');
  });

  test('names the plan that may, for a refusal of the plan', () => {
    const answered = '{"code":"feature_not_in_plan","details":{"required_plan":"Escala"}}';
    expect(meaningOf(answered).plan).toBe('Escala');
  });
});
