import { type Config, isSwitchedOn } from '../../core/config.ts';

/** Whether webhooks may go to this machine, also without TLS. */
export function allowsLoopback({ added }: Pick<Config, 'added'>): boolean {
  const name = 'VESFX_ALLOW_LOOPBACK_WEBHOOKS';
  return isSwitchedOn(name, added[name] ?? '0');
}
