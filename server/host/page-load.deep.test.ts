import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";

const PER_WINDOW = 4;
let app: BuiltApp;
let limited: BuiltApp;
beforeAll(async () => {
  [app, limited] = await Promise.all([
    startBuiltApp(),
    startBuiltApp({ environment: { PAGE_RATE_LIMIT_PER_MINUTE: String(6 * PER_WINDOW) } }),
  ]);
});
afterAll(() => Promise.all([app?.stop(), limited?.stop()]));

const nonceOf = (reply: Response) =>
  /'nonce-([^']+)'/.exec(reply.headers.get("content-security-policy")!)![1]!;
/** As it was rendered, without what differs per reply. */
const withoutNonce = async (reply: Response) => (await reply.text()).replaceAll(nonceOf(reply), "");

/** Bytes on the wire, which `fetch` does not report. */
function rawBytes(
  path: string,
  headers: Record<string, string>,
): Promise<{ bytes: number; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`${app.url}${path}`, { headers }, (reply) => {
      let bytes = 0;
      reply.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      reply.on("end", () => resolve({ bytes, encoding: reply.headers["content-encoding"] }));
    })
      .on("error", reject)
      .end();
  });
}

describe.each(["/docs", "/docs/errors"])("%s", (path) => {
  test("is the same for everybody, but for the nonce of each reply", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => fetch(`${app.url}${path}`)));
    expect(new Set(replies.map(nonceOf)).size).toBe(5);
    const pages = await Promise.all(replies.map(withoutNonce));
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain("</html>");
  });

  test("is compressed for those who accept it", async () => {
    const plain = await rawBytes(path, {});
    const packed = await rawBytes(path, { "Accept-Encoding": "gzip, br" });
    expect([plain.encoding, packed.encoding]).toEqual([undefined, "gzip"]);
    expect(packed.bytes).toBeLessThan(plain.bytes / 5);
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
    Promise.all(Array.from({ length: 10 * PER_WINDOW }, () => fetch(`${limited.url}${path}`, { headers })));
  const replies = await flood("/sign-in", { "X-Forwarded-For": "198.51.100.7" });
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(PER_WINDOW);
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
  const withSession = await flood("/sign-in", { Cookie: "next-auth.session-token=x" });
  expect(withSession.filter(({ status }) => status === 200).length).toBeGreaterThan(PER_WINDOW);
});
