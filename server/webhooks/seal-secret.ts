import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** A new signing secret: `whsec_` and the base64 of 256 random bits (Standard Webhooks). */
export const makeWebhookSecret = () => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/**
 * Encrypts a signing secret for storage: AES-256-GCM with a key derived from the service's secret and bound to the endpoint.
 * A stolen database cannot sign, and a secret copied to another endpoint's row cannot be opened.
 */
export function sealSecret(secret: string, endpointId: string, serviceSecret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(serviceSecret), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(endpointId));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** Decrypts a secret. Null if it was sealed for another endpoint or with another service secret. */
export function openSecret(seal: Buffer, endpointId: string, serviceSecret: string): string | null {
  try {
    const nonce = seal.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", keyOf(serviceSecret), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(endpointId));
    decipher.setAuthTag(seal.subarray(-TAG_BYTES));
    const text = decipher.update(seal.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
    return text + decipher.final("utf8");
  } catch {
    return null;
  }
}

const keyOf = (serviceSecret: string) =>
  Buffer.from(hkdfSync("sha256", serviceSecret, "point-transfer-batches", "webhook-secrets", 32));
