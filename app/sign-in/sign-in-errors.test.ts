import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contentPolicy, NOTICE_STYLES } from "@/app/content-policy";
import { safePath } from "./safe-path";
import { failureMessage } from "./sign-in-errors";

test.each([
  ["wait_1", "Too many incorrect passwords. Try again in 1 second."],
  ["wait_45", "Too many incorrect passwords. Try again in 45 seconds."],
  ["wait_541", "Too many incorrect passwords. Try again in 10 minutes."],
  ["session_ended", "Your session has ended. Sign in again to return to your page."],
  ["CredentialsSignin", "Incorrect email or password."],
])("%s has a message", (code, message) => {
  expect(failureMessage(code)).toBe(message);
});

test.each(["<b>pay here</b>", "toString", "__proto__", "wait_", "wait_-5", "wait_1e9", "wait_0", ""])(
  "an unknown code is never shown: %j",
  (code) => {
    expect(failureMessage(code)).toBe("Sign-in failed. Try again.");
  },
);

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/sign-in"])(
  "sign-in never leads to %s",
  (wanted) => {
    expect(safePath(wanted)).toBe("/batches");
    expect(safePath(`/batches?open=${encodeURIComponent(wanted)}`)).toMatch(/^\/batches\?open=/);
  },
);

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the content policy", () => {
  test("allows scripts by nonce only in production", () => {
    const policy = contentPolicy({ nonce: "bm9uY2U=", dev: false, https: false });
    expect(policy).toContain("script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic';");
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe");
    expect(policy).not.toContain("upgrade-insecure-requests");
  });

  test("upgrades to https when served over https", () => {
    expect(contentPolicy({ nonce: "n", dev: false, https: true })).toMatch(/; upgrade-insecure-requests$/);
  });

  test("has the hash of the installed toast library's styles", () => {
    const library = readFileSync("node_modules/sonner/dist/index.mjs", "utf8");
    const [, literal] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(library)!;
    expect(NOTICE_STYLES).toEqual([hashOf(""), hashOf(JSON.parse(literal!) as string)]);
  });
});
