import { readProductText } from '../../product-files.ts';

/**
 * Hosts that do not send the intermediate certificate of their chain, each with the file in
 * `certificates/` that contains it. An intermediate is not a root: it must still chain to a trusted
 * authority, so the host is verified like any other.
 */
const INCOMPLETE_HOSTS: Readonly<Record<string, string>> = {
  'www.bcv.org.ve': 'sectigo-intermediates.pem',
  'bcv.org.ve': 'sectigo-intermediates.pem',
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Additional certificates shipped for a host, in PEM. */
export function shippedCertificates(hostname: string): readonly string[] {
  const file = Object.hasOwn(INCOMPLETE_HOSTS, hostname) ? INCOMPLETE_HOSTS[hostname] : undefined;
  if (file === undefined) return [];
  const text = readProductText(`src/core/sources/client/certificates/${file}`);
  return text.match(PEM) ?? [];
}
