import type { Capability } from '../../core/capability.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { alertCommands } from './command.ts';

/** Messages to the operator when a problem begins and when it ends. */
export const alerts: Capability = {
  name: 'alerts',
  settings: {
    VESFX_ALERTS: {
      isSecret: true,
      about: 'destinations of alerts: "vesfx alert --help"',
      byDefault: 'none',
      shownDefault: sentence('none', 'ninguno'),
      meaning: sentence(
        'Where to send alerts about problems: see [Alerts](#alerts)',
        'Adónde enviar avisos de los problemas: vea [Avisos](#avisos)',
      ),
      flag: {
        notation: '--alert <address...>',
        about: 'destinations of alerts, such as telegram://TOKEN@CHAT',
      },
    },
  },
  commands: () => [alertCommands],
  // Import on demand: most commands send nothing.
  open: async (parts) => (await import('./job.ts')).openAlerts(parts),
};
