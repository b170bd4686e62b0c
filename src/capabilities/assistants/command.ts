import { command } from '../../core/cli/command.ts';
import { UsageError } from '../../core/cli/output.ts';
import { readConfig } from '../../core/config.ts';

const HELP = `
An assistant starts it and speaks with it over its standard input and output. It asks the service at
VESFX_URL with the key in VESFX_KEY, which needs the scope mcp and those of the tools.

  VESFX_URL=https://rates.example VESFX_KEY=vfx_rk_live_... vesfx mcp`;

/** `vesfx mcp`: the address for assistants, for those that only start programs. */
export const mcpCommand = command({
  name: 'mcp',
  about: 'answer an assistant over standard input and output',
  help: HELP,
  isService: true,
  async run(input) {
    const { added } = readConfig(input);
    const { VESFX_URL: url = '', VESFX_KEY: key } = added;
    if (!URL.canParse(url) || !/^https?:/.test(url)) {
      throw new UsageError(
        'Set VESFX_URL to the address of the service, such as https://rates.example.',
      );
    }
    const { bridge } = await import('./bridge.ts');
    await bridge({ url, key });
    return undefined;
  },
});
