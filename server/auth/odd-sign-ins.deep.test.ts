import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "@/server/trpc/root";
import { signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/test-database";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const app = useBuiltApp();
let cookie: string;
let csrfToken: string;
const signInAgain = async () => {
  ({ cookie, csrfToken } = await signInTo(app));
};
beforeAll(signInAgain);

const send = (target: string, init: RequestInit = {}) =>
  fetch(app.url + target, { redirect: "manual", ...init, headers: { Cookie: cookie, ...init.headers } });
const post = (target: string, type: string, body: BodyInit, headers: Record<string, string> = {}) =>
  send(target, {
    method: "POST",
    headers: { "Content-Type": type, ...headers },
    body,
    duplex: "half",
  } as RequestInit);

describe.each(["signin/credentials", "callback/credentials", "signout"])("/api/auth/%s", (route) => {
  /** A body without a declared length. */
  const stream = (bytes: number) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(Math.min(bytes, 65_536)).fill(97));
        bytes -= 65_536;
        if (bytes <= 0) controller.close();
      },
    });

  test.each([
    ["broken JSON", JSON_TYPE, () => "{", 400],
    ["fields that are objects", JSON_TYPE, () => '{"email":{"a":1},"password":["x"]}', 400],
    ["another media type", "text/plain", () => "a=b", 415],
    ["a body of 2 MB", FORM, () => "a".repeat(2_000_000), 413],
    ["a body of undeclared length", FORM, () => stream(3_000_000), 413],
  ])("answers %s as a problem", async (_what, type, body, status) => {
    const reply = await post(`/api/auth/${route}`, type, body());
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ status, detail: expect.any(String) });
  });
});

const ODD = ["%", "%00", "漢", "\r\nX: y", "x".repeat(2000), "constructor"];
const ACTIONS = [
  ...["", "signin", "signin/oidc", "callback/credentials", "callback/oidc", "callback/no", "signout"],
  ...["error", "verify-request", "session", "csrf", "providers", "_log", "no-such"],
].map((name) => `/api/auth/${name}`);
const PAGES = ["/sign-in", "/batches"];

describe("no odd request is an internal error", () => {
  const expectAnswer = async (target: string, init: RequestInit = {}) => {
    const { status } = await fetch(app.url + target, { redirect: "manual", ...init });
    expect(status, `${init.method ?? "GET"} ${target} ${JSON.stringify(init.headers ?? {})}`).toBeLessThan(
      500,
    );
  };

  test.each(ACTIONS)("%s with any method, query or cookie", async (action) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
      await expectAnswer(action, { method });
    for (const text of ODD.map(encodeURIComponent)) {
      await expectAnswer(`${action}?error=${text}&callbackUrl=${text}&csrf=${text}`);
      for (const name of ["next-auth.session-token", "next-auth.session-token.0", "next-auth.csrf-token"])
        await expectAnswer(action, { headers: { Cookie: `${name}=${text}` } });
      const oidc = `next-auth.state=${text}; next-auth.pkce.code_verifier=${text}`;
      await expectAnswer(action, { headers: { Cookie: oidc } });
    }
    await expectAnswer(action, { headers: { Cookie: "next-auth.session-token=%E0%A4%A; =x; zone=%" } });
  });

  test.each(["garbage", "%", "{}"])("a page with the router state %j is a problem", async (state) => {
    for (const page of [...PAGES, "/docs"]) {
      const reply = await send(page, { headers: { RSC: "1", "Next-Router-State-Tree": state } });
      expect([page, reply.status]).toEqual([page, 400]);
      expect(await reply.json()).toMatchObject({ code: "validation_failed" });
    }
  });
});

describe("a page of another site in a signed-in browser", () => {
  const mutations = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
  )
    .filter(([, procedure]) => procedure._def.type === "mutation")
    .map(([name]) => `/api/trpc/${name}`);
  const signIns = ["signin/credentials", "callback/credentials", "signout", "session", "_log"].map(
    (route) => `/api/auth/${route}`,
  );
  const FOREIGN: [string, Record<string, string>][] = [
    ["another site", { Origin: "https://evil.example" }],
    ["a page without an origin", { Origin: "null" }],
    ["this host's name as a prefix", { Origin: "http://127.0.0.1.evil.example" }],
    ["a browser that only sends the site", { "Sec-Fetch-Site": "cross-site" }],
  ];

  test.each([...mutations, ...signIns])("cannot send %s", async (route) => {
    const ask = async (headers: Record<string, string>) =>
      signIns.includes(route)
        ? await post(route, FORM, new URLSearchParams({ csrfToken, json: "true" }), headers)
        : await post(route, JSON_TYPE, "{}", headers);
    for (const [who, headers] of FOREIGN) expect((await ask(headers)).status, who).toBe(403);
    expect((await ask({ Origin: app.url })).status).not.toBe(403);
    // Signing out ended the session that the next row needs.
    if (route.endsWith("/signout")) await signInAgain();
  });

  test("cannot make a change with a GET", async () => {
    for (const route of mutations) {
      const reply = await send(`${route}?input=${encodeURIComponent("{}")}`);
      expect(reply.status, route).toBe(405);
    }
  });

  test("finds no other mutating route: each route with a POST is in the table above or requires a token", () => {
    const doors = readdirSync("app", { recursive: true, encoding: "utf8" })
      .filter((file) => path.basename(file) === "route.ts")
      .filter((file) => {
        const text = readFileSync(path.join("app", file), "utf8");
        // Machine routes answer 405 to all of these (server/host/pages.deep.test.ts).
        return /^export\b[^;`]*\b(?:POST|PUT|PATCH|DELETE)\b/m.test(text) && !text.includes("MACHINE_PATHS");
      })
      .map((file) => file.replaceAll("\\", "/"));
    expect(doors.sort()).toEqual([
      "api/auth/[...nextauth]/route.ts",
      "api/trpc/[trpc]/route.ts",
      "v1/[[...path]]/route.ts",
    ]);
  });
});

describe("callback URLs", () => {
  const UNREADABLE = ["garbage", "http://[", "%00", "ftp://x", "\\\\evil.example"];
  const elsewhere = () => [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "/%2F/evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    app.url.replace("127.0.0.1", "127.0.0.1.evil.example"),
    app.url.replace("127.0.0.1", "127.0.0.1@evil.example"),
  ];
  const leadsTo = (reply: Response) => new URL(reply.headers.get("location") ?? "x:", app.url);

  test("no redirect leads to another site, and an unreadable address leads to the console", async () => {
    const all = [...UNREADABLE, ...elsewhere()].map(
      (wanted) => [wanted, `?callbackUrl=${encodeURIComponent(wanted)}`] as const,
    );
    for (const [wanted, query] of all) {
      const signedIn = await send(`/sign-in${query}`);
      expect([signedIn.status, leadsTo(signedIn).origin], wanted).toEqual([307, app.url]);
      const { origin, pathname, searchParams } = leadsTo(await send(`/api/auth/signin${query}`));
      expect([origin, pathname, searchParams.get("error")], wanted).toEqual([app.url, "/sign-in", null]);
    }
    for (const [wanted, query] of all)
      for (const [address, fields] of [
        ["", { callbackUrl: wanted }],
        [query, {}],
      ] as const) {
        const fieldsOf = (more: object) => new URLSearchParams({ csrfToken, ...fields, ...more });
        const left = await post(`/api/auth/signout${address}`, FORM, fieldsOf({}));
        expect([left.status, leadsTo(left).origin], wanted).toEqual([302, app.url]);
        const credentials = fieldsOf({ ...app.admin, json: "true" });
        const came = await post(`/api/auth/callback/credentials${address}`, FORM, credentials);
        const { url } = (await came.json()) as { url: string };
        expect([came.status, new URL(url).origin], wanted).toEqual([200, app.url]);
      }
    await signInAgain();
  });
});
