import { afterEach, expect, test, vi } from "vitest";
import { KNOWN_DEVICE_SECONDS, openDevice, sealDevice } from "./sessions";

const EMAIL = "a@example.com";
const SECRET = "a secret of this service";

afterEach(() => void vi.useRealTimers());

test("a device's cookie works for the person who signed in there, in any letter case, and keeps its ID", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  const id = openDevice(cookie, EMAIL.toUpperCase(), SECRET);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(openDevice(sealDevice(EMAIL, SECRET, id), EMAIL, SECRET)).toBe(id);
});

test("a device's cookie works for nobody else, with no other secret, and not when it is changed", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  expect(openDevice(cookie, "b@example.com", SECRET)).toBeNull();
  expect(openDevice(cookie, EMAIL, "another secret")).toBeNull();
  expect(openDevice(`x${cookie}`, EMAIL, SECRET)).toBeNull();
  expect(openDevice(`${cookie}.x`, EMAIL, SECRET)).toBeNull();
  for (const garbage of [undefined, "", ".", "..", "a.b.c", "é.1.é"])
    expect(openDevice(garbage, EMAIL, SECRET)).toBeNull();
});

test("a device's cookie expires after a year, and does not contain the email", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  expect(Buffer.from(cookie, "base64url").toString() + cookie).not.toContain("example");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + KNOWN_DEVICE_SECONDS * 1000 });
  expect(openDevice(cookie, EMAIL, SECRET)).toBeNull();
});
