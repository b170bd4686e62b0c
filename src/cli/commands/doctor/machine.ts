import { type Config, lacksPublicUrl } from '../../../config.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import { permissionsForOthers } from '../../../storage/sqlite/data-folder.ts';
import type { Finding } from './finding.ts';

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
    ...examineLinks(config),
  ];
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const subject = 'node';
  if (major >= NEEDED_NODE_MAJOR) {
    return { level: 'ok', subject, message: `Node ${process.versions.node}.` };
  }
  return {
    level: 'broken',
    subject,
    message: `Node ${process.versions.node} is too old: ${NEEDED_NODE_MAJOR} is needed.`,
    remedy: 'Start vesfx with bin/vesfx.js, which finds the right one.',
  };
}

function examineClock(now: Instant): Finding {
  const message = `The clock says ${isoInstant(now)}.`;
  if (now >= EARLIEST_NOW) return { level: 'ok', subject: 'clock', message };
  const remedy = 'Set the clock: it is behind this version of vesfx. Ages and limits depend on it.';
  return { level: 'broken', subject: 'clock', message, remedy };
}

function examineLinks(config: Config): readonly Finding[] {
  if (!lacksPublicUrl(config)) return [];
  return [
    {
      level: 'warning',
      subject: 'public address',
      message: `The service listens on ${config.host}, but links in answers (methodology_url) have its listening address.`,
      remedy: 'Set VESFX_PUBLIC_URL to the address that callers use.',
    },
  ];
}

/** The folder of the SQLite database. With PostgreSQL it is unused. */
function examineFolder({ dataDir, postgres }: Config): readonly Finding[] {
  if (postgres !== undefined) return [];
  const permissions = permissionsForOthers(dataDir);
  if (permissions === undefined) return [];
  return [
    {
      level: 'warning',
      subject: 'data folder',
      message: `Other users of this machine may look into ${dataDir} (${permissions}).`,
      remedy: `Close it: chmod 700 ${dataDir}`,
    },
  ];
}

function examineToken({ adminToken }: Config): Finding {
  const subject = 'admin token';
  if (adminToken !== undefined) return { level: 'ok', subject, message: 'An admin token is set.' };
  return {
    level: 'warning',
    subject,
    message: 'No admin token is set: /v1/admin/records and /metrics are closed.',
    remedy: 'Set VESFX_ADMIN_TOKEN if you want them.',
  };
}
