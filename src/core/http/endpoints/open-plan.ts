import { marketInPlan } from '../../app/access/access.ts';
import type { Market } from '../../domain/markets.ts';
import type { Plan } from '../../domain/plans.ts';
import type { Services } from '../pipeline/services.ts';

/** The plan of readers without a key: the cheapest one. */
export function openPlan({ plans }: Pick<Services, 'plans'>): Plan {
  const [cheapest] = plans.list;
  if (cheapest === undefined) throw new Error('the catalogue has no plan');
  return cheapest;
}

/** Whether readers without a key see the market: on the board, and in the calculator. */
export function isOpenMarket(services: Pick<Services, 'plans'>, market: Market): boolean {
  return marketInPlan(services.plans, openPlan(services), market);
}
