import type { Capability } from '../../core/capability.ts';
import { ConfigError, isSwitchedOn } from '../../core/config.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { webhookCommands } from './command.ts';

// limit: `VESFX_SECRET` | 32 characters at least | not started
export const MIN_SECRET_LENGTH = 32;

/** Messages to the programs of accounts when something happens (contract §24). */
export const webhooks: Capability = {
  name: 'webhooks',
  settings: {
    VESFX_SECRET: {
      isSecret: true,
      about: 'seals the secrets of webhooks; without it there are none',
      byDefault: 'none',
      shownDefault: sentence('none', 'ninguno'),
      meaning: sentence(
        'Text of 32 characters or more, the same in every process, which seals what is stored secretly: the secrets of webhooks. Without it there are no webhooks. Keep it: what was sealed with another one cannot be read',
        'Texto de 32 caracteres o más, igual en todos los procesos, que sella lo que se guarda en secreto: los secretos de los webhooks. Sin él no hay webhooks. Consérvelo: lo sellado con otro no se puede leer',
      ),
      check: (text) => {
        if (text.length >= MIN_SECRET_LENGTH) return;
        throw new ConfigError(`VESFX_SECRET must have at least ${MIN_SECRET_LENGTH} characters.`);
      },
      inDemonstration: 'the secret of a demonstration is known to all',
    },
    VESFX_ALLOW_LOOPBACK_WEBHOOKS: {
      about: 'allows webhooks to this machine, also without TLS, for tests',
      byDefault: '0',
      shownDefault: '0',
      meaning: sentence(
        'Whether webhooks may go to this machine, also by `http`, for tests',
        'Si los webhooks pueden ir a esta misma máquina, también por `http`, para pruebas',
      ),
      check: (text) => void isSwitchedOn('VESFX_ALLOW_LOOPBACK_WEBHOOKS', text),
    },
  },
  commands: () => [webhookCommands],
  examine: async ({ added }, store, plans) =>
    (await import('./examine.ts')).examineWebhooks(added['VESFX_SECRET'], store, plans),
  // Import on demand: most commands send nothing.
  open: async (parts) => (await import('./job.ts')).openWebhooks(parts),
};
