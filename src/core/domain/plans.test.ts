import { describe, expect, test } from 'vitest';
import {
  byName,
  cheapestPlan,
  type Feature,
  type Plan,
  planOf,
  planReaches,
  plans,
} from './plans.ts';

const NAMES = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];

function plan(name: string, features: readonly Feature[] = []): Plan {
  return planOf(
    name,
    byName(() => 1, { formats: ['json'], features }),
  );
}

const all = plans(NAMES.map((name) => plan(name)));

describe('plans', () => {
  test('contract §3: a plan is found by its name in any letter case', () => {
    for (const name of ['Escala', 'escala', 'ESCALA', 'eScAlA']) {
      expect(all.find(name)?.name).toBe('Escala');
    }
    for (const name of ['', 'Escala ', 'Pro', '__proto__']) expect(all.find(name)).toBeUndefined();
  });

  test('§1 a plan includes what itself and lower plans include, and nothing of higher ones', () => {
    for (const [has, one] of all.list.entries()) {
      for (const [needs, required] of NAMES.entries()) {
        expect([one.name, required, planReaches(all, one, required)]).toEqual([
          one.name,
          required,
          has >= needs,
        ]);
      }
    }
  });

  test('§2.1 a market without a required plan is in every plan, and one with an unknown plan in none', () => {
    for (const one of all.list) {
      expect(planReaches(all, one, undefined)).toBe(true);
      expect(planReaches(all, one, 'Platino')).toBe(false);
    }
  });

  test('§1 a plan outside the list reaches no market with a required plan', () => {
    expect(planReaches(all, plan('Platino'), 'Gratis')).toBe(false);
  });

  test('contract §3: an account keeps a plan that the catalogue lacks, else its former one, else the cheapest', () => {
    const small = NAMES.filter((name) => name !== 'Esencial').map((name) => plan(name));
    const later = plans(small, all.kept);
    const esencial = later.of({ plan: 'Esencial' });
    expect(esencial).toEqual(plan('Esencial'));
    expect(later.find('Esencial')).toBeUndefined();
    expect(later.list).toEqual(small);
    // It was dearer than Inicio, and cheaper than Profesional.
    const reached = NAMES.filter((name) => planReaches(later, esencial, name));
    expect(reached).toEqual(['Gratis', 'Inicio', 'Esencial']);
    expect(later.of({ plan: 'Grande', formerPlan: 'Escala' }).name).toBe('Escala');
    expect(later.of({ plan: 'Grande', formerPlan: 'Enorme' }).name).toBe('Gratis');
    expect(later.of({ plan: 'Grande' }).name).toBe('Gratis');
  });

  test('a plan that an older version kept has the cheapest limit of those that are new', () => {
    const { keysMax: _, ...older } = plan('Esencial');
    // The cast makes what an older version wrote.
    const kept = { plan: older as Plan, cheaper: [] };
    expect(plans([plan('Gratis')], [kept]).of({ plan: 'Esencial' }).keysMax).toBe(1);
  });

  test('§2.1 required_plan is the cheapest plan that includes it', () => {
    const some = plans([plan('Gratis'), plan('Esencial', ['spread']), plan('Escala', ['spread'])]);
    const withFeature = (feature: Feature) =>
      cheapestPlan(some, ({ features }) => features.includes(feature))?.name;
    expect(withFeature('spread')).toBe('Esencial');
    expect(withFeature('route')).toBeUndefined();
  });
});
