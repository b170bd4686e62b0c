import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '../scenario.ts';

/**
 * A separate file system in a file, mounted over a loop device, so that its faults affect nothing
 * else.
 */
export interface Image {
  /** The mount point. */
  readonly path: string;
  mount(): void;
  unmount(): void;
  /**
   * Simulates a power cut: nothing more is written, not even the journal of the file system,
   * and everything that has not reached the device is lost.
   */
  cutPower(): void;
}

const TOOLS = ['mkfs.ext4', 'mount', 'umount', 'perl', 'chattr'];

/** `EXT4_IOC_SHUTDOWN`, and its flag that leaves the log unwritten (linux/ext4.h). */
const SHUTDOWN = '0x8004587d';
const WITHOUT_LOG = 2;
const CUT = [
  "open(my $disk, '<', $ARGV[0]) or die $!",
  `my $flags = pack('L', ${WITHOUT_LOG})`,
  `ioctl($disk, ${SHUTDOWN}, $flags) or die $!`,
].join('; ');

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Why no image can be mounted here; undefined when it can. */
export function whyNoImage(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'only root may mount a file system';
  for (const tool of TOOLS) {
    try {
      run('sh', '-c', `command -v ${tool}`);
    } catch {
      return `${tool} is not installed`;
    }
  }
  try {
    run('losetup', '--find');
  } catch {
    return 'there is no loop device';
  }
  return undefined;
}

export function createImage(trial: Trial, megabytes: number): Image {
  const file = join(trial.dir, 'disk.img');
  const path = join(trial.dir, 'disk');
  writeFileSync(file, '');
  truncateSync(file, megabytes * 1024 * 1024);
  mkdirSync(path);
  run('mkfs.ext4', '-q', '-F', '-m', '0', file);
  let mounted = false;
  const image: Image = {
    path,
    mount() {
      run('mount', '-o', 'loop,noatime', file, path);
      mounted = true;
    },
    unmount() {
      if (!mounted) return;
      run('umount', path);
      mounted = false;
    },
    cutPower: () => run('perl', '-e', CUT, path),
  };
  // Fallback for when a process still has open files on it.
  trial.onEnd(() => mounted && run('umount', '-l', path));
  image.mount();
  return image;
}
