import type { Capability } from '../../core/capability.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { readBoard, readHistoryDays, siteSettings } from './settings.ts';

/** What people see in a browser: board, console, documents and status, with their files and figures. */
export const site: Capability = {
  name: 'site',
  settings: {
    VESFX_BOARD: {
      about: '0 or false: no figures without a key',
      byDefault: '1',
      shownDefault: '`1`',
      meaning: sentence(
        '`0` or `false`: no [board](contract.md#30-the-board); `/` only says what the service is',
        '`0` o `false`: no hay [tablero](contract.md#30-the-board); `/` solo dice qué es el servicio',
      ),
      check: readBoard,
    },
    VESFX_BOARD_HISTORY_DAYS: {
      about: 'days of history on the board, 0 to 365',
      byDefault: '365',
      shownDefault: '`365`',
      meaning: sentence(
        'Days of history on the board, 0 to 365; 0 for none. Below 365 it limits the months of `/mes` too',
        'Días de historial en el tablero, de 0 a 365; 0 para ninguno. Por debajo de 365 limita también los meses de `/mes`',
      ),
      check: readHistoryDays,
    },
  },
  open: async ({ config }) => ({
    // Import on demand: the pages take longer to load than most commands run.
    serve: async () => (await import('./serve.ts')).serveSite(siteSettings(config)),
  }),
};
