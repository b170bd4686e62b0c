import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Instant } from '../../../core/domain/time.ts';
import type { PageClock } from './browser/page-clock.ts';

/** The server has no clock: a page is of one instant. */
export const ClockContext = createContext<PageClock | undefined>(undefined);

/**
 * What is written of the current instant. Only a component whose text changes is drawn again, because
 * a page has many ages.
 */
export function useAt<Value extends string | boolean>(
  written: Instant,
  write: (now: Instant) => Value,
): Value {
  const clock = useContext(ClockContext);
  const value = write(clock?.now() ?? written);
  const [, show] = useState(value);
  useEffect(() => clock?.onTick(() => show(write(clock.now()))));
  return value;
}
