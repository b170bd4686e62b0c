import { CAPABILITIES } from './capabilities.ts';
import { run } from './core/cli/program.ts';

// A reader such as `head` may close the pipe early. That is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const code = await run(process.argv.slice(2), CAPABILITIES);
// Wait until both streams have written their output to a pipe.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
