import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

let app: BuiltApp;
let cookie: string;
beforeAll(async () => {
  app = await startBuiltApp();
  ({ cookie } = await signInTo(app));
});
afterAll(() => app?.stop());

const post = (path: string, type: string, body: BodyInit) =>
  fetch(app.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": type, Cookie: cookie },
    body,
    duplex: "half",
  } as RequestInit);

/** A body without a declared length. */
const stream = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(Math.min(bytes, 65_536)).fill(97));
      bytes -= 65_536;
      if (bytes <= 0) controller.close();
    },
  });

const ROUTES = ["signin/credentials", "callback/credentials", "signout"].map((name) => `/api/auth/${name}`);

describe.each(ROUTES)("%s", (route) => {
  test.each([
    ["an empty body called JSON", JSON_TYPE, "", 400],
    ["broken JSON", JSON_TYPE, "{", 400],
    ["a JSON array", JSON_TYPE, "[]", 400],
    ["fields that are objects", JSON_TYPE, '{"email":{"a":1},"password":["x"]}', 400],
    ["another media type", "text/plain", "a=b", 415],
    ["a body of 20 KB", FORM, "a".repeat(20_000), 413],
    ["a body of 2 MB", FORM, "a".repeat(2_000_000), 413],
  ])("answers %s as a problem", async (_what, type, body, status) => {
    const reply = await post(route, type, body);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ status, detail: expect.any(String) });
  });

  test("stops reading a body of undeclared length", async () => {
    expect((await post(route, FORM, stream(3_000_000))).status).toBe(413);
  });
});

const ODD = ["%", "%00", "é", "漢", "\r\nX: y", "x".repeat(2000), "[object Object]", "constructor", "../.."];
const ACTIONS = [
  "",
  "signin",
  "signin/oidc",
  "callback/credentials",
  "callback/oidc",
  "callback/no",
  "signout",
]
  .concat(["error", "verify-request", "session", "csrf", "providers", "_log", "no-such"])
  .map((name) => `/api/auth/${name}`);

describe("no odd request is an internal error", () => {
  test.each(ACTIONS)("%s with any method, query or cookie", async (path) => {
    const asked: [string, RequestInit][] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"].map(
      (method) => [path, { method }],
    );
    for (const odd of ODD) {
      const text = encodeURIComponent(odd);
      asked.push([`${path}?error=${text}&callbackUrl=${text}&csrf=${text}`, {}]);
      for (const name of ["next-auth.session-token", "next-auth.session-token.0", "next-auth.csrf-token"])
        asked.push([path, { headers: { Cookie: `${name}=${text}` } }]);
      asked.push([
        path,
        { headers: { Cookie: `next-auth.state=${text}; next-auth.pkce.code_verifier=${text}` } },
      ]);
    }
    asked.push([path, { headers: { Cookie: "next-auth.session-token=%E0%A4%A; =x; zone=%" } }]);
    for (const [target, init] of asked) {
      const { status } = await fetch(app.url + target, { redirect: "manual", ...init });
      expect(status, `${init.method ?? "GET"} ${target} ${JSON.stringify(init.headers ?? {})}`).toBeLessThan(
        500,
      );
    }
  });

  test.each(["garbage", "%", "[]", "{}", "x".repeat(15_000)])(
    "a page with the router state %j is a problem",
    async (state) => {
      for (const path of ["/batches", "/sign-in", "/docs"]) {
        const headers = { Cookie: cookie, RSC: "1", "Next-Router-State-Tree": state };
        const reply = await fetch(app.url + path, { headers, redirect: "manual" });
        expect([path, reply.status]).toEqual([path, 400]);
        expect(await reply.json()).toMatchObject({ code: "validation_failed" });
      }
    },
  );

  test.each([
    ["Next-Action", "garbage"],
    ["Next-Router-Prefetch", "garbage"],
    ["Next-Router-Segment-Prefetch", "/garbage"],
    ["Next-Url", "garbage"],
    ["X-Forwarded-Host", "a b"],
    ["X-Forwarded-Proto", "gopher"],
    ["X-Middleware-Subrequest", "proxy"],
    ["X-Nextjs-Data", "1"],
    ["Cookie", "next-auth.callback-url=http%3A%2F%2F%5B"],
    ["Cookie", "zone=garbage; sidebar=%; theme=%00"],
  ])("a page and a console call with %s: %s", async (name, value) => {
    for (const path of ["/batches", "/sign-in", "/api/trpc/console.session.me", "/api/auth/csrf"]) {
      const reply = await fetch(app.url + path, { headers: { RSC: "1", [name]: value }, redirect: "manual" });
      expect(reply.status, path).toBeLessThan(500);
    }
  });

  test.each([
    ["multipart/form-data; boundary=x", "garbage"],
    [
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="$ACTION_ID_x"\r\n\r\n\r\n--x--',
    ],
    ["text/plain;charset=UTF-8", "[]"],
    [FORM, "a=b"],
  ])("a page that is posted %s to", async (type, body) => {
    for (const path of ["/sign-in", "/batches"])
      for (const more of [{}, { "Next-Action": "0".repeat(42) }] as Record<string, string>[]) {
        const reply = await fetch(app.url + path, {
          method: "POST",
          headers: { "Content-Type": type, Cookie: cookie, ...more },
          body,
          redirect: "manual",
        });
        expect(reply.status, `${path} ${JSON.stringify(more)}`).toBeLessThan(500);
      }
  });

  test("a page refuses a body that is too large", async () => {
    expect((await post("/sign-in", FORM, "a".repeat(2_000_000))).status).toBe(413);
  });
});
