import { type IncomingHttpHeaders, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";

const PER_WINDOW = 4;
let app: BuiltApp;
let limited: BuiltApp;
let cookie: string;
beforeAll(async () => {
  [app, limited] = await Promise.all([
    startBuiltApp(),
    startBuiltApp({ environment: { PAGE_RATE_LIMIT_PER_MINUTE: String(6 * PER_WINDOW) } }),
  ]);
  ({ cookie } = await signInTo(limited));
});
afterAll(() => Promise.all([app?.stop(), limited?.stop()]));

const nonceOf = (reply: Response) =>
  /'nonce-([^']+)'/.exec(reply.headers.get("content-security-policy")!)![1]!;
/** As it was rendered, without what differs per reply. */
const withoutNonce = async (reply: Response) => (await reply.text()).replaceAll(nonceOf(reply), "");

/** As it is on the wire, which `fetch` does not show. */
function rawReply(
  path: string,
  encodings?: string,
  method = "GET",
): Promise<{ body: Buffer; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const headers = encodings === undefined ? {} : { "Accept-Encoding": encodings };
    request(`${app.url}${path}`, { method, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ body: Buffer.concat(chunks), headers: reply.headers }));
    })
      .on("error", reject)
      .end();
  });
}

describe("scripts and styles", () => {
  /** What differs by encoding. */
  const OWN = [
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "etag",
    "last-modified",
    "accept-ranges",
    "date",
  ];
  const shared = (headers: IncomingHttpHeaders) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));
  let paths: string[];
  beforeAll(async () => {
    const page = await (await fetch(`${app.url}/sign-in`)).text();
    paths = [...new Set(page.match(/\/_next\/static\/[\w./~-]+\.(?:js|css)/g))];
    expect(paths.map((path) => path.split(".").at(-1))).toEqual(expect.arrayContaining(["js", "css"]));
  });

  test("are the same bytes with every encoding and never larger by Brotli than by gzip", async () => {
    for (const path of paths) {
      const [plain, gzip, brotli] = await Promise.all([
        rawReply(path),
        rawReply(path, "gzip"),
        rawReply(path, "gzip, deflate, br, zstd"),
      ]);
      expect([plain, gzip, brotli].map(({ headers }) => headers["content-encoding"])).toEqual([
        undefined,
        "gzip",
        "br",
      ]);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(brotli.body.byteLength).toBeLessThanOrEqual(gzip.body.byteLength);
      expect(Number(brotli.headers["content-length"])).toBe(brotli.body.byteLength);
      expect(shared(brotli.headers)).toEqual(shared(gzip.headers));
    }
  });

  test.each(["br;q=0", "gzip;q=1, br;q=0.0", "x-br", "identity"])(
    "Accept-Encoding: %s gets no Brotli",
    async (encodings) => {
      expect((await rawReply(paths[0]!, encodings)).headers["content-encoding"]).not.toBe("br");
    },
  );

  test("a HEAD request gets the headers alone, and other methods are not answered with the file", async () => {
    const [path] = paths;
    const head = await rawReply(path!, "br", "HEAD");
    const get = await rawReply(`${path}?anything`, "br");
    expect(head.body.byteLength).toBe(0);
    expect({ ...head.headers, date: get.headers.date }).toEqual(get.headers);
    const posted = await fetch(`${app.url}${path}`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await posted.json()).toMatchObject({
      code: "method_not_allowed",
      detail: "Allowed methods: GET, HEAD.",
    });
    expect((await rawReply(`${path}.missing.js`, "br")).headers["cache-control"]).not.toContain("immutable");
  });
});

describe.each(["/docs", "/docs/errors"])("%s", (path) => {
  test("is the same for everybody, but for the nonce of each reply", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => fetch(`${app.url}${path}`)));
    expect(new Set(replies.map(nonceOf)).size).toBe(5);
    const pages = await Promise.all(replies.map(withoutNonce));
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain("</html>");
  });

  test("is compressed for those who accept it", async () => {
    const plain = await rawReply(path);
    const packed = await rawReply(path, "gzip, br");
    expect([plain, packed].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip"]);
    expect(packed.body.byteLength).toBeLessThan(plain.body.byteLength / 5);
  });

  test("is one page for the client router's requests and other parameters too", async () => {
    const reply = await fetch(`${app.url}${path}?_rsc=abc`, {
      headers: { RSC: "1" },
    });
    expect(reply.headers.get("content-type")).toContain("text/html");
    expect(await withoutNonce(reply)).toBe(await withoutNonce(await fetch(`${app.url}${path}`)));
    expect((await fetch(`${app.url}${path}`, { method: "HEAD" })).headers.get("content-length")).toMatch(
      /^\d{5,}$/,
    );
  });
});

test("pages over an address's quota get 429 with Retry-After, and the API and health checks are not counted", async () => {
  // Many together, because a window may end between two requests.
  const flood = (path: string, headers: Record<string, string> = {}) =>
    Promise.all(
      Array.from({ length: 10 * PER_WINDOW }, () =>
        fetch(`${limited.url}${path}`, { headers, redirect: "manual" }),
      ),
    );
  // Other tests of this file may have used up a part of the window.
  const replies = await vi.waitFor(
    async () => {
      const all = await flood("/sign-in", { "X-Forwarded-For": "198.51.100.7" });
      expect(all.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(PER_WINDOW);
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
  expect((await flood("/api/auth/csrf")).map(({ status }) => status)).toContain(429);
  for (const path of ["/readyz", "/v1/openapi.json"])
    expect(new Set((await flood(path)).map(({ status }) => status))).toEqual(new Set([200]));
  const withSession = await flood("/sign-in", { Cookie: cookie });
  expect(new Set(withSession.map(({ status }) => status))).toEqual(new Set([307]));
});

test.each([
  ["a page with a made-up session cookie", "/sign-in", { Cookie: "next-auth.session-token=x" }],
  [
    "a call with a made-up session cookie",
    "/api/trpc/console.session.me",
    {
      Cookie:
        "a=b; next-auth.session-token.0=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0; next-auth.session-token.1=..a.b.c",
    },
  ],
  ["the cron path with a wrong secret", "/api/cron/finalize", { Authorization: "Bearer x" }],
  ["the metrics with a wrong token", "/metrics", { Authorization: "Bearer x" }],
  ["a path below a probe's", "/livez/x", {}],
])("%s is counted like a stranger's", async (_, path, headers: Record<string, string>) => {
  const flood = Array.from({ length: 4 * PER_WINDOW }, () => fetch(`${limited.url}${path}`, { headers }));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(2 * PER_WINDOW);
});

test("a body over 16 KB from a stranger is refused before it is read, with or without a made-up session cookie", async () => {
  for (const headers of [{}, { Cookie: "next-auth.session-token=x" }] as Record<string, string>[]) {
    const path = "/api/trpc/console.staff.openInvitation";
    const reply = await fetch(app.url + path, { method: "POST", headers, body: "x".repeat(16_385) });
    expect([reply.status, await reply.json()]).toEqual([
      413,
      expect.objectContaining({ code: "body_too_large" }),
    ]);
  }
});

test.each([
  "image",
  "image?url=/icon.svg&w=64&q=75",
  "image?url=https://example.com/x",
  "nothing",
  "static/none.js",
  "static/chunks",
])("/_next/%s is 404 without a page or a line in the log", async (path) => {
  const logged = app.output();
  const reply = await fetch(`${app.url}/_next/${path}`);
  expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
  expect(app.output()).toBe(logged);
});
