import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Instant, SECOND_MS } from '../../core/domain/time.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** Seals secrets for the database. */
export interface Sealer {
  /** @param owner Id of what the secret belongs to: nothing else opens it. */
  seal(secret: string, owner: string): string;
  /** Undefined when it was sealed with another key, or for another owner. */
  open(sealed: string, owner: string): string | undefined;
}

/** A sealer with a key of its own, made of `VESFX_SECRET` for one purpose. */
export function sealerOf(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `vesfx:${purpose}`, 32));
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
        opener.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, opener.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The headers of Standard Webhooks 1.0.0, with a signature for each secret. */
export function signedHeaders(
  { id, at, body }: { readonly id: string; readonly at: Instant; readonly body: string },
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / SECOND_MS));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
