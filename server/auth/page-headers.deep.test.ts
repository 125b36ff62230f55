import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";

const PAGES = ["/sign-in", "/docs", "/docs/errors", "/batches", "/no-such-page"];
const MACHINES = ["/livez", "/readyz", "/version", "/api/auth/csrf", "/api/trpc/console.session.me"];
/** `/v1` sends `nosniff` too. */
const OF_PAGES = [
  "content-security-policy",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
  "strict-transport-security",
];

const apps: Record<"host" | "next" | "https", BuiltApp> = {} as never;
beforeAll(async () => {
  apps.host = await startBuiltApp();
  apps.next = await startBuiltApp({ door: "next" });
  apps.https = await startBuiltApp({ environment: { PUBLIC_URL: "https://points.example.com" } });
});
afterAll(() => Promise.all(Object.values(apps).map((app) => app.stop())));

const headersOf = async (url: string, init?: RequestInit) =>
  (await fetch(url, { redirect: "manual", ...init })).headers;

describe("headers of pages", () => {
  test.each(PAGES)("%s allows scripts by nonce only, and no framing", async (page) => {
    const reply = await fetch(`${apps.host.url}${page}`, { redirect: "manual" });
    const policy = reply.headers.get("content-security-policy")!;
    const nonce = /script-src 'self' 'nonce-([^']{24})' 'strict-dynamic';/.exec(policy)![1]!;
    for (const directive of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split("; ")).toContain(directive);
    const scripts = [...(await reply.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    if (reply.status !== 307) expect(scripts.length).toBeGreaterThan(3);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
  });

  test.each([...PAGES, ...MACHINES])(
    "%s forbids content sniffing, sends no referrer to other sites, and disables device access",
    async (path) => {
      const headers = await headersOf(`${apps.host.url}${path}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("strict-transport-security")).toBeNull();
    },
  );

  test("a script of the build has the right content type", async () => {
    const page = await (await fetch(`${apps.host.url}/sign-in`)).text();
    const headers = await headersOf(`${apps.host.url}${/src="(\/_next\/static\/[^"]+\.js)"/.exec(page)![1]}`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toMatch(/javascript/);
  });

  test.each(["host", "next"] as const)(
    "replies of /v1 have none of these headers, through %s",
    async (door) => {
      for (const path of ["/v1", "/v1/openapi.json", "/v1/no-such-path"]) {
        const headers = await headersOf(`${apps[door].url}${path}`);
        expect(
          OF_PAGES.filter((name) => headers.has(name)),
          path,
        ).toEqual([]);
      }
    },
  );
});

describe("over https", () => {
  test("browsers keep using https", async () => {
    const headers = await headersOf(`${apps.https.url}/sign-in`);
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  test("every sign-in cookie is __Host-, HttpOnly and Secure, and works", async () => {
    const { setCookies, cookie } = await signInTo(apps.https);
    expect(setCookies.map((line) => line.split("=")[0])).toEqual(
      expect.arrayContaining([
        "__Host-next-auth.csrf-token",
        "__Host-next-auth.callback-url",
        "__Host-next-auth.session-token",
        "__Host-known-device",
      ]),
    );
    for (const line of setCookies) {
      const attributes = line.toLowerCase().split("; ").slice(1);
      expect(line).toMatch(/^__Host-/);
      expect(attributes).toEqual(expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]));
      expect(attributes.some((attribute) => /^domain=/i.test(attribute))).toBe(false);
    }
    const me = await fetch(`${apps.https.url}/api/trpc/console.session.me`, { headers: { Cookie: cookie } });
    expect(me.status).toBe(200);
  });

  test("a mutation from the public origin is accepted, no matter which host the proxy names", async () => {
    const { cookie } = await signInTo(apps.https);
    const reply = await fetch(`${apps.https.url}/api/trpc/console.batches.cancel`, {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json", Origin: "https://points.example.com" },
      body: JSON.stringify({ contractAddress: `0x${"1".repeat(40)}`, batchId: "b", reason: "a reason" }),
    });
    expect(reply.status).toBe(404);
  });
});

test("over plain http, cookies are HttpOnly and not Secure, since browsers would drop them", async () => {
  for (const line of (await signInTo(apps.host)).setCookies) {
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/i);
    expect(line).not.toMatch(/; Secure/);
  }
});
