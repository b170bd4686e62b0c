import type { Config } from '../../core/config.ts';
import { version } from '../../core/config.ts';
import type { Serve } from '../../core/http/serving/server-parts.ts';
import { apiCatalogue } from './api-catalogue.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

/** The address for assistants, and the one at which programs find it. */
export const serveAssistants =
  ({ corsOrigins, notice }: Pick<Config, 'corsOrigins' | 'notice'>): Serve =>
  ({ publicUrl }) => ({
    endpoints: [
      mcpEndpoint({ corsOrigins, version: version(), notice: notice?.en }),
      apiCatalogue(publicUrl),
    ],
  });
