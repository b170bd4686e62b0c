import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** X.509 certificates for tests, encoded in DER: valid ones, and ones that no authority issues. */

export interface TestCertificate {
  readonly name: string;
  /** The certificate in PEM. */
  readonly cert: string;
  /** Its private key in PEM. */
  readonly key: string;
}

export interface CertificateOptions {
  readonly name: string;
  /** Names and IPv4 addresses of the server. */
  readonly hosts?: readonly string[];
  /** The signer; by default the certificate itself. */
  readonly issuer?: TestCertificate;
  readonly isAuthority?: boolean;
  readonly validFrom?: string;
  /** Before 2050, when the encoding of dates changes. */
  readonly validTo?: string;
}

export function makeCertificate(options: CertificateOptions): TestCertificate {
  const { name, hosts = [], issuer, isAuthority = false } = options;
  const { validFrom = '2020-01-01', validTo = '2049-12-31' } = options;
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const extensions = [
    ...(isAuthority ? [extension(OID.basicConstraints, sequence(BOOLEAN_TRUE))] : []),
    ...(hosts.length > 0 ? [extension(OID.subjectAltName, sequence(...hosts.map(host)))] : []),
  ];
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName(issuer?.name ?? name),
    sequence(date(validFrom), date(validTo)),
    commonName(name),
    pair.publicKey,
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', contents, createPrivateKey(issuer?.key ?? pair.privateKey));
  const whole = sequence(contents, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: pair.privateKey,
  };
}

const OID = {
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const;

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length =
    size < 0x80
      ? [size]
      : size < 0x100
        ? [0x81, size]
        : [0x82, Math.floor(size / 0x100), size % 0x100];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const BOOLEAN_TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(oid(OID.ecdsaWithSha256));

const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(name)))));

const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));

const date = (day: string) => der(0x17, Buffer.from(`${day.replaceAll('-', '').slice(2)}000000Z`));

const host = (text: string) =>
  isIP(text) === 0
    ? der(0x82, Buffer.from(text))
    : der(0x87, Buffer.from(text.split('.').map(Number)));
