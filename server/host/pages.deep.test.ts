import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { wallet } from "@/testing/factories";
import { type BuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";
import { MARKED_SECRETS, SECRET_MARK } from "@/testing/marked-secrets.mjs";
import { sendRaw } from "@/testing/rest-request";
import { signInTo } from "@/testing/sign-in";

const PER_WINDOW = 4;
const PUBLIC_URL = "https://batches.team.example";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** `https` is at PUBLIC_URL, and `limited` has a quota of pages per address. */
const apps: Record<"host" | "https" | "limited", BuiltApp> = {} as never;
let app: BuiltApp;
let cookie: string;
beforeAll(async () => {
  app = apps.host = await startBuiltApp({
    environment: { AUTH_SECRET: `${SECRET_MARK}-of-this-test-run` },
  });
  apps.https = await startBuiltApp({ environment: { PUBLIC_URL } });
  apps.limited = await startBuiltApp({
    environment: { CONSOLE_RATE_LIMIT_PER_MINUTE: String(60 * PER_WINDOW) },
  });
  await app.ops(["contract", "create", "--address", CONTRACT, "--label", "Known contract"]);
  ({ cookie } = await signInTo(app));
});
afterAll(() => Promise.all(Object.values(apps).map((each) => each.stop())));

const open = (target: string, init?: RequestInit, at = app) =>
  fetch(at.url + target, { redirect: "manual", ...init });
const openAsStaff = async (target: string) => {
  const reply = await open(target, { headers: { Cookie: cookie } });
  return { status: reply.status, text: await reply.text() };
};

describe("headers of pages", () => {
  const PAGES = [
    "/sign-in",
    "/docs",
    "/docs/reference/batches",
    "/docs/errors",
    "/docs/api",
    "/batches",
    "/no-such-page",
  ];
  const MACHINES = ["/livez", "/readyz", "/version", "/api/auth/csrf", "/api/trpc/console.session.me"];

  test.each(PAGES)("%s allows scripts by nonce only, and no framing", async (page) => {
    const reply = await open(page);
    const policy = reply.headers.get("content-security-policy")!;
    const nonce = /script-src 'self' 'nonce-([^']{24})' 'strict-dynamic';/.exec(policy)![1]!;
    const directives = ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"];
    expect(policy.split("; ")).toEqual(expect.arrayContaining([...directives, "frame-ancestors 'none'"]));
    const scripts = [...(await reply.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    if (reply.status !== 307) expect(scripts.length).toBeGreaterThan(3);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
  });

  test("every page and reply forbids content sniffing, sends no referrer to other sites, and disables device access", async () => {
    for (const target of [...PAGES, ...MACHINES]) {
      const { headers } = await open(target);
      const sent = (name: string) => [target, headers.get(name)];
      expect(sent("x-content-type-options")).toEqual([target, "nosniff"]);
      expect(sent("referrer-policy")).toEqual([target, "same-origin"]);
      expect(sent("cross-origin-opener-policy")).toEqual([target, "same-origin"]);
      expect(sent("permissions-policy")).toEqual([target, expect.stringContaining("camera=()")]);
      expect(sent("x-powered-by")).toEqual([target, null]);
      expect(sent("strict-transport-security")).toEqual([target, null]);
    }
  });
});

describe("at an https address, with the same build", () => {
  test("the service prints it, shows it in the reference and the document, and asks wallets to sign for it", async () => {
    expect(apps.https.output()).toContain(`Ready at ${PUBLIC_URL}`);
    expect(await (await open("/docs", {}, apps.https)).text()).toContain(PUBLIC_URL);
    expect(await (await open("/docs")).text()).not.toContain(PUBLIC_URL);
    const document = await open("/v1/openapi.json", {}, apps.https);
    expect(await document.json()).toMatchObject({ servers: [{ url: PUBLIC_URL }] });
    await newContractToken(apps.https, CONTRACT);
    const asked = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ contractAddress: CONTRACT, operatorAddress: CONTRACT }),
    };
    const challenge = await open("/v1/dapp-auth/challenge", asked, apps.https);
    expect(await challenge.json()).toMatchObject({ message: expect.stringContaining(`URI: ${PUBLIC_URL}`) });
  });

  test("browsers keep using https", async () => {
    const { headers } = await open("/sign-in", {}, apps.https);
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000");
    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
    const api = await open("/v1/openapi.json", {}, apps.https);
    expect(api.headers.get("strict-transport-security")).toBe("max-age=63072000");
  });

  test("every sign-in cookie is __Host-, HttpOnly and Secure, and works", async () => {
    const { setCookies, cookie, url } = await signInTo(apps.https);
    expect(url).toBe(`${PUBLIC_URL}/batches`);
    const names = ["csrf-token", "callback-url", "session-token"].map((name) => `__Host-next-auth.${name}`);
    expect(setCookies.map((line) => line.split("=")[0])).toEqual(
      expect.arrayContaining([...names, "__Host-known-device"]),
    );
    for (const line of setCookies) {
      const attributes = line.toLowerCase().split("; ").slice(1);
      expect(line).toMatch(/^__Host-/);
      expect(attributes).toEqual(expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]));
      expect(attributes.some((attribute) => /^domain=/i.test(attribute))).toBe(false);
    }
    // From the public origin, no matter which host the proxy names.
    const change = {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json", Origin: PUBLIC_URL },
      body: JSON.stringify({ contractAddress: `0x${"1".repeat(40)}`, batchId: "b", reason: "a reason" }),
    };
    expect((await open("/api/trpc/console.batches.cancel", change, apps.https)).status).toBe(404);
  });
});

test("a program whose base URL lacks /v1 gets 404 in JSON, not a page", async () => {
  const token = { Authorization: "Bearer ptb_of-a-contract", "Content-Type": "application/json" };
  const called = [
    await open("/dapp-auth/challenge", { method: "POST", body: "{}" }),
    await open(`/contracts/${CONTRACT}/batches/a`, { method: "PUT", body: "{}", headers: token }),
    await open(`/contracts/${CONTRACT}`, { headers: token }),
    await open("/api/contracts", { headers: token }),
  ];
  for (const reply of called) {
    expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(await reply.json()).toMatchObject({ code: "not_found", detail: expect.stringContaining("/v1") });
  }
  expect((await open("/docs", { headers: token })).status).toBe(200);
});

test("the build's files for browsers contain no secret's name in scripts, nor its value at build time", () => {
  const folder = ".next/static";
  const filesWith = (text: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text));
  expect(filesWith("Incorrect email or password.").length).toBeGreaterThan(0);
  for (const word of [...Object.keys(MARKED_SECRETS), "NEXTAUTH_SECRET", SECRET_MARK])
    expect(filesWith(word), word).toEqual([]);
});

test("a socket on which nothing is sent is closed without a reply, and half a request is refused", async () => {
  const { hostname, port } = new URL(app.url);
  const received = (sent: string) =>
    new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(sent));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
    });
  const [nothing, half] = await Promise.all([received(""), received("GET /livez HTTP/1.1\r\n")]);
  expect(nothing).toBe("");
  expect(half).toMatch(/^HTTP\/1\.1 400 /);
});

describe("over an address's quota", () => {
  let session: string;
  beforeAll(async () => {
    ({ cookie: session } = await signInTo(apps.limited));
  });
  const statuses = (replies: Response[]) => replies.map(({ status }) => status);
  // Many together, because a window may end between two requests.
  const flood = (target: string, headers: Record<string, string> = {}) =>
    Promise.all(Array.from({ length: 10 * PER_WINDOW }, () => open(target, { headers }, apps.limited)));

  test("pages over an address's quota get 429 with Retry-After, and the API and health checks are not counted", async () => {
    // Other tests of this file may have used up a part of the window.
    const replies = await vi.waitFor(
      async () => {
        const all = await flood("/sign-in", { "X-Forwarded-For": "198.51.100.7" });
        expect(statuses(all).filter((status) => status === 200).length).toBeGreaterThanOrEqual(PER_WINDOW);
        return all;
      },
      { timeout: 60_000, interval: 500 },
    );
    const refused = replies.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      code: "rate_limited",
      detail: expect.stringMatching(
        /^Too many pages were requested from your address\. Retry in \d+ seconds?\.$/,
      ),
    });
    expect(statuses(await flood("/api/auth/csrf"))).toContain(429);
    for (const target of ["/readyz", "/v1/openapi.json"])
      expect(new Set(statuses(await flood(target)))).toEqual(new Set([200]));
    expect(new Set(statuses(await flood("/sign-in", { Cookie: session })))).toEqual(new Set([307]));
  });

  test("a browser that is over its quota gets a page with the time to wait, and a program the problem", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const refusedOf = async (target: string, headers: Record<string, string>) =>
      await vi.waitFor(async () => {
        const found = (await flood(target, headers)).find(({ status }) => status === 429);
        expect(found).toBeDefined();
        return found!;
      });
    const refused = await refusedOf("/sign-in", { Accept: accept });
    const waitSeconds = refused.headers.get("retry-after")!;
    expect(Number(waitSeconds)).toBeGreaterThan(0);
    expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(refused.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await refused.text();
    expect(page).toContain("<h1>Rate limit exceeded</h1>");
    expect(page).toContain(`Retry in ${waitSeconds} second`);
    for (const [target, headers] of [
      ["/sign-in", { Accept: "*/*" }],
      ["/api/auth/csrf", { Accept: accept }],
    ] as const) {
      const { headers: sent } = await refusedOf(target, headers);
      expect(sent.get("content-type"), target).toBe("application/problem+json");
    }
  });

  test("what a stranger makes up is counted like a stranger's", async () => {
    const madeUp: [target: string, headers: Record<string, string>][] = [
      ["/sign-in", { Cookie: "next-auth.session-token=x" }],
      ["/api/cron/finalize", { Authorization: "Bearer x" }],
      ["/metrics", { Authorization: "Bearer x" }],
      ["/livez/x", {}],
    ];
    for (const [target, headers] of madeUp) {
      const answered = statuses(await flood(target, headers)).filter((status) => status !== 429);
      expect(answered.length, target).toBeLessThanOrEqual(2 * PER_WINDOW);
    }
  });
});

describe("statuses", () => {
  /** The sidebar's component in the data of the page: Next answers these with what the browser draws. */
  const SIDEBAR = '\\"Sidebar\\"';

  test.each([
    ["a path below a page", "/access/nobody", "Page not found", "View all batches"],
    ["an unknown batch", `/batches/${CONTRACT}/none`, "Batch not found", "View all batches"],
    ["an undecodable batch ID", `/batches/${CONTRACT}/%25E0%25A4%25A`, "Batch not found", "View all"],
    ["an unknown contract", `/contracts/${wallet(0xbad)}`, "Contract not found", "View all contracts"],
    ["an invalid recipient", "/recipients/0xbad", "Invalid address", "View recipients"],
  ])("%s is 404 for staff, with the sidebar and a way back", async (_what, target, title, wayBack) => {
    const { status, text } = await openAsStaff(target);
    expect(status).toBe(404);
    for (const part of [title, wayBack, SIDEBAR]) expect(text).toContain(part);
  });

  test("without PUBLIC_RECEIPTS, a wallet's page and receipts are not found, signed in or not", async () => {
    const page = `/r/${wallet(0xf00)}`;
    const signedOut = await open(page);
    for (const { status, text } of [
      await openAsStaff(page),
      { status: signedOut.status, text: await signedOut.text() },
    ]) {
      expect(status).toBe(404);
      for (const part of ["Page not found", "Sign in", "Read the docs"]) expect(text).toContain(part);
      expect(text).not.toContain("Wallet");
    }
    const receipt = await open(`${page}/${CONTRACT}/some-batch`);
    expect([receipt.status, await receipt.json()]).toMatchObject([404, { code: "not_found" }]);
    expect(receipt.headers.get("cache-control")).toBe("no-store");
  });

  test("a page whose data cannot be read is 500, with the sidebar and no database message", async () => {
    const sql = postgres(app.databaseUrl(), { max: 1 });
    await sql`alter table batches rename column digest to other_digest`;
    try {
      const { status, text } = await openAsStaff(`/batches/${CONTRACT}/none`);
      expect(status).toBe(500);
      expect(text).toContain(SIDEBAR);
      expect(text).not.toMatch(/column|does not exist|postgres/i);
    } finally {
      await sql`alter table batches rename column other_digest to digest`;
      await sql.end();
    }
  });

  test.each([`/contracts/${CONTRACT}`, `/contracts/${wallet(0xbad)}`, "/recipients/0xbad", "/no-such-page"])(
    "%s is sign-in for a visitor, who learns nothing about what exists",
    async (path) => {
      const { status, headers } = await open(path);
      const signIn = `/sign-in?callbackUrl=${encodeURIComponent(path)}`;
      expect([status, headers.get("location")]).toEqual([307, signIn]);
    },
  );

  test.each([
    ["BREW", "/v1/openapi.json"],
    ["BREW", "/livez"],
    ["PROPFIND", "/batches"],
    ["PUT", "/metrics"],
  ])("%s %s is answered with a 405 problem and an Allow header", async (method, target) => {
    const { status, headers, text } = await sendRaw(app.url, { method, path: target, headers: [], body: [] });
    expect(status).toBe(405);
    expect(headers.allow).toContain("GET");
    expect(headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(text)).toMatchObject({ status: 405, code: "method_not_allowed", success: false });
  });

  test.each([
    "image?url=/icon.svg&w=64&q=75",
    "image?url=https://example.com/x",
    "nothing",
    "static/none.js",
  ])("/_next/%s is 404 without a page or a line in the log", async (target) => {
    const logged = app.output();
    const reply = await open(`/_next/${target}`);
    expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
    expect(app.output()).toBe(logged);
  });
});
