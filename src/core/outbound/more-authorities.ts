import { readFileSync } from 'node:fs';

/** The certificates that this process trusts beside those of Node, by the file that has them. */
const added = new Map<string, string>();

/**
 * Trusts the certificates of a PEM file for every connection from now on, as Node does with a
 * `NODE_EXTRA_CA_CERTS` of the environment, which it reads only when it starts.
 * @throws Error that says what is wrong with the file.
 */
export function trustAuthoritiesOf(file: string): void {
  const text = readFileSync(file, 'utf8');
  if (added.get(file) === text) return;
  // Not imported: most commands connect to nothing.
  const tls = process.getBuiltinModule('node:tls');
  if (tls.setDefaultCACertificates === undefined) {
    throw new Error('this Node reads it only from the environment: set it there, or update Node');
  }
  const before = tls.getCACertificates('default');
  try {
    tls.setDefaultCACertificates([...before, ...certificatesIn(text)]);
  } catch {
    throw new Error(`${file} has no certificates in PEM, or one that cannot be read`);
  }
  added.set(file, text);
}

function certificatesIn(text: string): readonly string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error('no certificates');
  return found;
}
