import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* Prints the section of one version in CHANGELOG.md: node scripts/release-notes.ts 0.2.0 */

const wanted = process.argv[2];
const changelog = readFileSync(fileURLToPath(new URL('../CHANGELOG.md', import.meta.url)), 'utf8');
const section = changelog
  .split(/^## /m)
  .find((part) => wanted !== undefined && part.split(/[ \n]/, 1)[0] === wanted);
if (section === undefined) {
  console.error(`CHANGELOG.md has no version ${wanted ?? '(name one)'}`);
  process.exit(1);
}
console.log(section.slice(section.indexOf('\n')).trim());
