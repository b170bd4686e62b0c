import { isDiskLow } from '../../core/app/store-monitor.ts';
import { type Config, lacksPublicUrl } from '../../core/config.ts';
import { type Instant, isoInstant } from '../../core/domain/time.ts';
import { freeBytesIn, permissionsForOthers } from '../../core/storage/sqlite/data-folder.ts';
import { broken, type Finding, ok, warning } from './finding.ts';

const NEEDED_NODE_MAJOR = 24;

/** A clock before this date is wrong: this version did not exist yet. */
const EARLIEST_NOW = Date.parse('2026-08-01T00:00:00Z');

/** Checks that do not depend on stored data. */
export function examineMachine(config: Config, now: Instant): readonly Finding[] {
  return [
    examineNode(),
    examineClock(now),
    examineToken(config),
    ...examineFolder(config),
    ...examineDisk(config.postgres === undefined ? freeBytesIn(config.dataDir) : undefined),
    ...examineLinks(config),
  ];
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const node = `Node ${process.versions.node}`;
  if (major >= NEEDED_NODE_MAJOR) return ok('node', `${node}.`);
  const remedy = 'Start vesfx with bin/vesfx.js, which finds the right one.';
  return broken('node', `${node} is too old: ${NEEDED_NODE_MAJOR} is needed.`, remedy);
}

function examineClock(now: Instant): Finding {
  const message = `The clock says ${isoInstant(now)}.`;
  if (now >= EARLIEST_NOW) return ok('clock', message);
  const remedy = 'Set the clock: it is behind this version of vesfx. Ages and limits depend on it.';
  return broken('clock', message, remedy);
}

function examineLinks(config: Config): readonly Finding[] {
  if (!lacksPublicUrl(config)) return [];
  const message = `The service listens on ${config.host}, but links in answers (methodology_url) have its listening address.`;
  const remedy = 'Set VESFX_PUBLIC_URL to the address that callers use.';
  return [warning('public address', message, remedy)];
}

/** The folder of the SQLite database. With PostgreSQL it is unused. */
function examineFolder({ dataDir, postgres }: Config): readonly Finding[] {
  if (postgres !== undefined) return [];
  const permissions = permissionsForOthers(dataDir);
  if (permissions === undefined) return [];
  const message = `Other users can read the data folder ${dataDir} (${permissions}).`;
  return [warning('data folder', message, `Run chmod 700 ${dataDir}.`)];
}

/** With less space than this the next large write fails, so the disk counts as full. */
const FULL_DISK_BYTES = 10_000_000;

/** @param freeBytes Undefined when no folder is used. */
export function examineDisk(freeBytes: number | undefined): readonly Finding[] {
  if (!isDiskLow(freeBytes)) return [];
  const subject = 'disk';
  const remedy = 'Free some space. Never delete vesfx.db-wal or vesfx.db-shm.';
  if (freeBytes < FULL_DISK_BYTES) {
    return [broken(subject, 'The disk of the data folder is full.', remedy)];
  }
  const megabytes = Math.floor(freeBytes / 1_000_000);
  return [warning(subject, `Only ${megabytes} MB of disk space is free.`, remedy)];
}

function examineToken({ adminToken, metricsToken }: Config): Finding {
  const subject = 'admin token';
  if (adminToken !== undefined) return ok(subject, 'An admin token is set.');
  const closed = metricsToken === undefined ? ' and /metrics are' : ' is';
  const message = `No admin token is set: /v1/admin/records${closed} closed.`;
  return warning(subject, message, 'Set VESFX_ADMIN_TOKEN if you want them.');
}
