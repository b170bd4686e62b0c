import { writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Loaded before the program: kills the process, or makes the database fail, at its n-th statement.
 * It is configured by the environment:
 *
 *   ABORT_AT which statement, from 1; 0 for none
 *   ABORT_HOW `kill` right after it, or `throw` in its place
 *   ABORT_COUNT file into which the number of statements goes at the end
 *   ABORT_MISTAKE `autocommit`: every statement is a transaction of its own
 */

const at = Number(process.env['ABORT_AT'] ?? '0');
const how = process.env['ABORT_HOW'] ?? 'kill';
const countFile = process.env['ABORT_COUNT'];
const isAutocommit = process.env['ABORT_MISTAKE'] === 'autocommit';

/** `SQLITE_IOERR`: https://www.sqlite.org/rescode.html#ioerr */
const IOERR = 10;

let count = 0;

function around<R>(run: () => R): R {
  count += 1;
  const isNow = count === at;
  if (isNow && how === 'throw') {
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: IOERR });
  }
  const result = run();
  if (isNow) process.kill(process.pid, 'SIGKILL');
  return result;
}

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, text) {
  const isFrame = /^\s*(begin|commit|rollback)/i.test(text);
  around(() => {
    if (!(isAutocommit && isFrame)) exec.call(this, text);
  });
};

const { run, all } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values) {
  return around(() => Reflect.apply(run, this, values));
};
StatementSync.prototype.all = function (this: StatementSync, ...values) {
  return around(() => Reflect.apply(all, this, values));
};

if (countFile !== undefined) {
  process.on('exit', () => writeFileSync(countFile, String(count)));
}
