import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from './service.ts';

/** Midnight in Caracas before Sunday, when one new bolívar becomes `REFORM_FACTOR` old ones. */
export const MIDNIGHT = Date.parse('2026-11-22T04:00:00Z');

export const REFORM_FACTOR = 1_000;

/** The folder of a catalogue with that reform, or with one on another day. */
export async function reformCatalogue(on = '2026-11-22'): Promise<string> {
  const catalogueDir = await temporaryDir();
  const reforms = [{ on, factor: REFORM_FACTOR, name: 'bolívar de prueba' }];
  await writeFile(join(catalogueDir, 'redenominations.json'), JSON.stringify(reforms));
  return catalogueDir;
}
