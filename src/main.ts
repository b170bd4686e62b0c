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

// Without top-level await, which the program of one file cannot have.
void run(process.argv.slice(2), CAPABILITIES).then((code) => {
  // Wait until both streams have written their output to a pipe.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
});
