import type { Capability } from '../../core/capability.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { mcpCommand } from './command.ts';

/** The rates for assistants, which ask in the Model Context Protocol (contract §25). */
export const assistants: Capability = {
  name: 'assistants',
  settings: {
    VESFX_URL: {
      about: 'address of the service that "vesfx mcp" asks',
      byDefault: 'none',
      shownDefault: sentence('none', 'ninguna'),
      meaning: sentence(
        'For `vesfx mcp`: address of the service that it asks, such as `https://rates.example`',
        'Para `vesfx mcp`: dirección del servicio que consulta, como `https://rates.example`',
      ),
    },
    VESFX_KEY: {
      isSecret: true,
      about: 'key with which "vesfx mcp" asks',
      byDefault: 'none',
      shownDefault: sentence('none', 'ninguna'),
      meaning: sentence(
        'For `vesfx mcp`: the key with which it asks, of any kind that has the scope `mcp`',
        'Para `vesfx mcp`: la clave con la que consulta, de cualquier tipo que tenga el permiso `mcp`',
      ),
    },
  },
  commands: () => [mcpCommand],
  open: async ({ config }) => ({
    serve: async () => (await import('./serve.ts')).serveAssistants(config),
  }),
};
