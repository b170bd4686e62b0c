import { alerts } from './capabilities/alerts/alerts.ts';
import { assistants } from './capabilities/assistants/assistants.ts';
import { backfillOfWorkbooks } from './capabilities/backfill/backfill.ts';
import { compat } from './capabilities/compat/compat.ts';
import { demo } from './capabilities/demo/demo.ts';
import { doctor } from './capabilities/doctor/doctor.ts';
import { evidenceOfFigures } from './capabilities/evidence/evidence.ts';
import { exportOfFiles } from './capabilities/export/export.ts';
import { handouts } from './capabilities/handouts/handouts.ts';
import { importCsv } from './capabilities/import-csv/import-csv.ts';
import { lookup } from './capabilities/lookup/lookup.ts';
import { month } from './capabilities/month/capability.ts';
import { move } from './capabilities/move/capability.ts';
import { routes } from './capabilities/routes/routes.ts';
import { site } from './capabilities/site/site.ts';
import { staticCopy } from './capabilities/static-copy/static-copy.ts';
import { stream } from './capabilities/stream/capability.ts';
import { webhooks } from './capabilities/webhooks/webhooks.ts';
import type { Capability } from './core/capability.ts';

/** Every capability. Without its folder and its lines here the rest works as before. */
export const CAPABILITIES: readonly Capability[] = [
  site, // what people see in a browser
  demo, // the service on bundled figures, to look at
  doctor, // what is wrong with an installation, and what to do
  backfillOfWorkbooks, // past official rates of the central bank's workbooks
  lookup, // what is stored, on the command line
  evidenceOfFigures, // where a published figure comes from
  routes, // the table of contents of the endpoints
  move, // from a folder to PostgreSQL
  compat, // other services' addresses
  month, // the official rates of a month: table, close, average
  assistants, // the rates for AI assistants
  stream, // rates as they change
  handouts, // clients and add-ons that programs install from the service
  staticCopy, // the rates as files that any web server can serve
  exportOfFiles, // what is stored, as a file
  importCsv, // rates of CSV files that people have, for the import
  webhooks, // messages to the programs of accounts when something happens
  alerts, // messages to the operator when a problem begins and when it ends
];
