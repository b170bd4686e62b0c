import { official, quote } from '../../../../test/harness/make.ts';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../../test/harness/service.ts';
import type { PublishableGrant } from '../../../core/domain/keys.ts';
import type { ServiceName } from '../compat.ts';

const ALL = ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'] as const;

const read = (time: string) => ({ captured_at: time });

/**
 * Official rates of Wednesday to Friday (in force on the tests' Saturday) and of Tuesday (Monday
 * is a bank holiday), and the parallel market of Thursday and now.
 */
export const WEEK: readonly object[] = [
  official('2026-11-18', { USD: 795, EUR: 915, CNY: 109 }, read('2026-11-17T21:10:00Z')),
  official('2026-11-19', { USD: 800, EUR: 920, CNY: 110 }, read('2026-11-18T21:10:00Z')),
  official('2026-11-20', { USD: 804.5, EUR: 925.5, CNY: 111 }, read('2026-11-19T21:10:00Z')),
  official('2026-11-24', { USD: 810, EUR: 930, CNY: 112 }, read('2026-11-20T21:10:00Z')),
  quote('parallel', 880.25, {
    updated_at: '2026-11-19T18:00:00Z',
    captured_at: '2026-11-19T18:00:00Z',
  }),
  quote('parallel', 890.75),
];

/** The settings with the addresses of the listed services; by default they need a key. */
export function answering(names: readonly ServiceName[] = ALL, open = false) {
  return { added: { VESFX_COMPAT: names.join(), VESFX_COMPAT_OPEN: open ? '1' : '0' } };
}

/** A service with the addresses of the listed services; by default open without a key. */
export async function startCompatService(
  names: readonly ServiceName[],
  {
    open = true,
    records = WEEK,
    config = {},
  }: {
    readonly open?: boolean;
    readonly records?: readonly object[];
    readonly config?: TestServiceOptions['config'];
  } = {},
): Promise<TestService> {
  const added = { ...config.added, ...answering(names, open).added };
  const service = await startTestService({ config: { ...config, added } });
  await service.push(...records);
  return service;
}

/** A publishable key of a new account, for rates; by default no page may use it. */
export async function publishableKey(
  { service: { accounts } }: TestService,
  grant: Partial<PublishableGrant> = {},
): Promise<string> {
  const { id } = await accounts.create('A shop', 'Gratis');
  const created = await accounts.createKey(id, {
    grant: {
      kind: 'publishable',
      scopes: ['rates'],
      origins: [],
      allowNoOrigin: false,
      requestsPerMinute: 60,
      ...grant,
    },
  });
  return created.key;
}
