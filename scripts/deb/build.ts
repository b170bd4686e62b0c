import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { buildProgram } from '../../src/core/cli/program.ts';
import { version } from '../../src/core/config.ts';
import { filesIn, putAtOnce, ROOT, runQuietly } from '../compile.ts';
import { completion } from './completion.ts';
import { manual } from './manual.ts';

/*
 * `npm run build:deb`: makes `dist/vesfx_0.5.0_amd64.deb` of the program that `npm run build:binary` made.
 */

/** As Debian names them. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const DEPLOY = join(ROOT, 'deploy');
/** What dpkg runs before and after it unpacks or removes the package. */
const CONTROL = join(import.meta.dirname, 'control');
const UNITS = globSync('*.{service,timer}', { cwd: DEPLOY });
const PROGRAM = 'usr/lib/vesfx/vesfx';
/** Only its unit starts it. */
const DUMP = 'usr/lib/vesfx/vesfx-dump';

/**
 * Node has its libraries within, the file of secrets is not for everyone, and a backup is made by the program that
 * is installed, not by one of the same name in `/usr/local`.
 */
const OVERRIDES = `vesfx: embedded-library *
vesfx: hardening-no-pie *
vesfx: non-standard-file-perm 0640 != 0644 *
vesfx: command-with-path-in-maintainer-script /usr/bin/vesfx *
`;

/** What the program needs of the system, of which Debian 12 has enough. */
const DEPENDS = 'libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libatomic1, passwd, procps';

interface Made {
  /** The program of one file, with its licences beside it. */
  readonly program: string;
  readonly arch: string;
  readonly folder: string;
  /** What dpkg-deb compresses with. */
  readonly compression?: 'xz' | 'none';
}

interface Release {
  readonly version: string;
  /** `2026-11-29`. */
  readonly day: string;
}

/** The day that the changelog has for the version. */
function release(): Release {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const day = new RegExp(`^## ${version()} - (\\S+)`, 'm').exec(changelog)?.[1];
  if (day === undefined) throw new Error(`CHANGELOG.md has no day for ${version()}.`);
  return { version: version(), day };
}

const MAINTAINER = 'The vesfx founders <vesfx@users.noreply.github.com>';

function control({ version: of }: Release, arch: string, kilobytes: number): string {
  return `Package: vesfx
Version: ${of}
Architecture: ${ARCHITECTURES[arch]}
Maintainer: ${MAINTAINER}
Installed-Size: ${kilobytes}
Depends: ${DEPENDS}
Recommends: systemd
Suggests: postgresql-client
Section: web
Priority: optional
Homepage: https://github.com/vesfx/vesfx
Description: exchange rates of the Venezuelan bolivar over HTTP
 vesfx reads the official rates of the Central Bank of Venezuela and the
 prices of the markets, keeps them, and serves quotes, conversions and
 history as JSON, CSV and pages. It needs no other program and no
 database server.
`;
}

function copyright(): string {
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  return `${own.trim()}\n\nThe program has Node.js and other packages within. licences.txt.gz beside this file names them, with\ntheir copyright and licences.\n`;
}

/** The date as RFC 5322 has it, without a time. */
function debianDate(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return date.toUTCString().replace('GMT', '+0000');
}

function debianChangelog({ version: of, day }: Release): string {
  return `vesfx (${of}) stable; urgency=medium\n\n  * See /usr/share/doc/vesfx/changelog.gz.\n\n -- ${MAINTAINER}  ${debianDate(day)}\n`;
}

/** @returns the path of the package. */
export function makeDeb({ program, arch, folder, compression = 'xz' }: Made): string {
  const top = mkdtempSync(join(tmpdir(), 'vesfx-deb-'));
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    const file = join(top, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const packed = (text: string) => gzipSync(text, { level: 9 });
  try {
    const now = release();
    chmodSync(top, 0o755);
    mkdirSync(join(top, dirname(PROGRAM)), { recursive: true });
    copyFileSync(program, join(top, PROGRAM));
    chmodSync(join(top, PROGRAM), 0o755);
    const ours = (name: string) =>
      readFileSync(join(DEPLOY, name), 'utf8')
        .replaceAll('/usr/local/sbin/vesfx-dump', `/${DUMP}`)
        .replaceAll('/usr/local/sbin/vesfx', '/usr/bin/vesfx');
    put('usr/bin/vesfx', ours('vesfx'), 0o755);
    put(DUMP, ours('vesfx-dump'), 0o755);
    for (const unit of UNITS) put(`usr/lib/systemd/system/${unit}`, ours(unit));
    put('etc/vesfx.env', ours('vesfx.env'), 0o640);
    const commands = buildProgram(CAPABILITIES);
    put('usr/share/man/man1/vesfx.1.gz', packed(manual(commands, now.version, now.day)));
    put('usr/share/bash-completion/completions/vesfx', completion(commands));
    const documents = 'usr/share/doc/vesfx';
    const licences = readFileSync(join(dirname(program), 'vesfx-licences.txt'), 'utf8');
    put(`${documents}/licences.txt.gz`, packed(licences));
    put(`${documents}/copyright`, copyright());
    put(`${documents}/changelog.gz`, packed(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')));
    put(`${documents}/changelog.Debian.gz`, packed(debianChangelog(now)));
    put('usr/share/lintian/overrides/vesfx', OVERRIDES);
    const files = filesIn(top);
    const bytes = files.reduce((sum, file) => sum + statSync(join(top, file)).size, 0);
    const sums = files
      .filter((file) => !file.startsWith('etc/'))
      .map(
        (file) =>
          `${createHash('md5')
            .update(readFileSync(join(top, file)))
            .digest('hex')}  ${file}\n`,
      );
    put('DEBIAN/control', control(now, arch, Math.ceil(bytes / 1024)));
    put('DEBIAN/md5sums', sums.join(''));
    put('DEBIAN/conffiles', '/etc/vesfx.env\n');
    for (const script of globSync('*', { cwd: CONTROL })) {
      put(`DEBIAN/${script}`, readFileSync(join(CONTROL, script)), 0o755);
    }
    const made = join(folder, `vesfx_${now.version}_${ARCHITECTURES[arch]}.deb`);
    const flags = ['--root-owner-group', `-Z${compression}`, '--build', top];
    putAtOnce(made, (beside) => runQuietly('dpkg-deb', [...flags, beside]));
    return made;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
  const folder = join(ROOT, 'dist');
  const program = join(folder, `vesfx-linux-${values.arch}`);
  if (!existsSync(program))
    throw new Error(`There is no ${program}: npm run build:binary makes it.`);
  console.log(makeDeb({ program, arch: values.arch, folder }));
}
