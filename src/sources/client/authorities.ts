import { readFileSync } from 'node:fs';

/**
 * Hosts that do not send the intermediate certificate which their own names, each with a file of
 * `certificates/` that has it. An intermediate is no root: it is of use only where it leads to an
 * authority that is trusted anyway, so the host is verified like any other.
 */
const INCOMPLETE_HOSTS: Readonly<Record<string, string>> = {
  'www.bcv.org.ve': 'sectigo-intermediates.pem',
  'bcv.org.ve': 'sectigo-intermediates.pem',
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates, in PEM, that ship for a host in addition to what every host is verified by. */
export function shippedCertificates(hostname: string): readonly string[] {
  const file = Object.hasOwn(INCOMPLETE_HOSTS, hostname) ? INCOMPLETE_HOSTS[hostname] : undefined;
  if (file === undefined) return [];
  const text = readFileSync(new URL(`./certificates/${file}`, import.meta.url), 'utf8');
  return text.match(PEM) ?? [];
}
