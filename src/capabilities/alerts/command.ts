import { command, group } from '../../core/cli/command.ts';
import { DONE, FAILED, UsageError } from '../../core/cli/output.ts';
import { readConfig } from '../../core/config.ts';

const HELP = `
Addresses, in VESFX_ALERTS (separated by spaces or commas) or with --alert:
  telegram://TOKEN@CHAT                    a Telegram bot writes to a chat
  smtp://USER:PASSWORD@HOST:587?from=ADDRESS&to=ADDRESS
                                           a mail; smtps: for TLS from the start
  https://hooks.slack.com/...              a webhook of Slack
  https://discord.com/api/webhooks/...     a webhook of Discord
  https://HOST/PATH                        any other: a POST of {title, lines, text}
#slack or #discord behind an address chooses that shape for another host.

"vesfx serve" and "vesfx collect" report each problem once, at most one message a minute: a source
that fails for 15 minutes, a held record, a missed publication, less than 1 GB of free disk, no
process that reads the sources; and the end of each.`;

const testCommand = command({
  name: 'test',
  about: 'send a test message to every destination',
  flags: { '--alert <address...>': 'destinations instead of those of VESFX_ALERTS' },
  async run(input) {
    const config = readConfig(input);
    const { destinationsOf, serviceName } = await import('./job.ts');
    const destinations = destinationsOf(config);
    if (destinations.length === 0) {
      throw new UsageError('There is no destination: set VESFX_ALERTS or pass --alert.');
    }
    const message = {
      title: `vesfx ${serviceName(config)}: test message`,
      lines: ['Alerts reach you here.'],
    };
    const results = await Promise.all(
      destinations.map(async ({ name, send }) => {
        try {
          await send(message);
          return { destination: name, sent: true };
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          return { destination: name, sent: false, why };
        }
      }),
    );
    const lines = results.map(({ destination, sent, why }) =>
      sent ? `sent to ${destination}` : `NOT sent to ${destination}: ${why}`,
    );
    const exitCode = results.every(({ sent }) => sent) ? DONE : FAILED;
    return { json: { results }, text: lines.join('\n'), exitCode };
  },
});

export const alertCommands = group('alert', 'test the destinations of alerts', [testCommand], {
  help: HELP,
});
