import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { shippedCertificates } from './authorities.ts';

const certificatesOf = (host: string) =>
  shippedCertificates(host).map((pem) => new X509Certificate(pem));

/** The day that a release made now must still be good on, and half a year of service after it. */
const RELEASE = Date.parse('2026-11-21T00:00:00Z');
const HALF_A_YEAR_MS = 183 * 86_400_000;

describe.each(['www.bcv.org.ve', 'bcv.org.ve'])('the certificates that ship for %s', (host) => {
  const certificates = certificatesOf(host);

  test('are the two intermediates with which Sectigo signs servers', () => {
    const names = certificates.map(({ subject }) => /CN=(.*)/.exec(subject)?.[1]);
    expect(names).toEqual([
      'Sectigo Public Server Authentication CA DV R36',
      'Sectigo Public Server Authentication CA OV R36',
    ]);
  });

  test('are each signed by a root that Node trusts', () => {
    const roots = rootCertificates.map((pem) => new X509Certificate(pem));
    for (const certificate of certificates) {
      const root = roots.find((one) => certificate.checkIssued(one));
      expect(root?.subject).toContain('Sectigo Public Server Authentication Root R46');
      expect(root !== undefined && certificate.verify(root.publicKey)).toBe(true);
    }
  });

  test('are intermediates: they may sign, and are not signed by themselves', () => {
    for (const certificate of certificates) {
      expect(certificate.ca).toBe(true);
      expect(certificate.checkIssued(certificate)).toBe(false);
    }
  });

  test('are valid for at least another half year', () => {
    for (const { validFromDate, validToDate } of certificates) {
      expect(validFromDate.getTime()).toBeLessThan(RELEASE);
      expect(validToDate.getTime()).toBeGreaterThan(RELEASE + HALF_A_YEAR_MS);
    }
  });
});

test('no certificate ships for any other host', () => {
  const others = [
    'criptoya.com',
    'x.www.bcv.org.ve',
    'www.bcv.org.ve.example.org',
    'constructor',
    '',
  ];
  expect(others.map((host) => shippedCertificates(host))).toEqual(others.map(() => []));
});
