import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const KNOWN_DEVICE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The value of a cookie which shows that a device signed in as this person before. It gives no access. The device's wrong
 * passwords are counted separately from everyone else's. Nothing is stored, and the cookie does not contain the email.
 * @param deviceId of the device's previous cookie, if it has one
 */
export function sealDevice(email: string, secret: string, deviceId: string | null): string {
  const id = deviceId ?? randomBytes(16).toString("base64url");
  const expiresAt = Math.floor(Date.now() / 1000) + KNOWN_DEVICE_SECONDS;
  const fields = `${id}.${expiresAt}`;
  return `${fields}.${mac(fields, email, secret).toString("base64url")}`;
}

/** The device's ID; null when the cookie was not made for this person, or has expired. Works the same for unknown emails. */
export function openDevice(cookie: string | undefined, email: string, secret: string): string | null {
  const [id = "", expiresAt = "", seal = "", ...more] = (cookie ?? "").split(".");
  const expected = mac(`${id}.${expiresAt}`, email, secret);
  const given = Buffer.from(seal, "base64url");
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return Number(expiresAt) * 1000 > Date.now() ? id : null;
}

const mac = (fields: string, email: string, secret: string) =>
  createHmac("sha256", secret).update(`known-device\n${fields}\n${email.toLowerCase()}`).digest();
