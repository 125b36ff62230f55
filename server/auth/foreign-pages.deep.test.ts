import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";
import { appRouter } from "../trpc/root";

const app = useBuiltApp();
let cookie: string;
let csrfToken: string;
beforeAll(async () => {
  ({ cookie, csrfToken } = await signInTo(app));
});

const mutations = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([, procedure]) => procedure._def.type === "mutation")
  .map(([name]) => `/api/trpc/${name}`);
const SIGN_IN_ROUTES = ["signin/credentials", "callback/credentials", "signout", "session", "_log"].map(
  (route) => `/api/auth/${route}`,
);

const FOREIGN: [string, Record<string, string>][] = [
  ["another site", { Origin: "https://evil.example" }],
  ["a page without an origin", { Origin: "null" }],
  ["another port of this host", { Origin: "http://127.0.0.1:1" }],
  ["this host's name as a prefix", { Origin: "http://127.0.0.1.evil.example" }],
  ["a browser that only sends the site", { "Sec-Fetch-Site": "cross-site" }],
  ["a sibling subdomain", { "Sec-Fetch-Site": "same-site" }],
];

const post = (route: string, headers: Record<string, string>) => {
  const isSignIn = route.startsWith("/api/auth/");
  return fetch(`${app.url}${route}`, {
    method: "POST",
    headers: {
      Cookie: cookie,
      "Content-Type": isSignIn ? "application/x-www-form-urlencoded" : "application/json",
      ...headers,
    },
    body: isSignIn ? new URLSearchParams({ csrfToken, json: "true" }) : "{}",
    redirect: "manual",
  });
};

describe("a page of another site in a signed-in browser", () => {
  test.each([...mutations, ...SIGN_IN_ROUTES])("cannot send %s", async (route) => {
    for (const [who, headers] of FOREIGN) expect((await post(route, headers)).status, who).toBe(403);
    expect((await post(route, { Origin: app.url })).status).not.toBe(403);
    // Signing out ended the session that the next row needs.
    if (route.endsWith("/signout")) ({ cookie, csrfToken } = await signInTo(app));
  });

  test("cannot make a change with a GET", async () => {
    for (const route of mutations) {
      const reply = await fetch(`${app.url}${route}?input=${encodeURIComponent("{}")}`, {
        headers: { Cookie: cookie },
      });
      expect(reply.status, route).toBe(405);
    }
  });

  test("finds no other mutating route: each route with a POST is in the table above or requires a token", () => {
    const doors = readdirSync("app", { recursive: true, encoding: "utf8" })
      .filter((file) => path.basename(file) === "route.ts")
      .filter((file) => {
        const text = readFileSync(path.join("app", file), "utf8");
        // Machine routes answer 405 to all of these (server/host/odd-requests.deep.test.ts).
        return /\b(?:POST|PUT|PATCH|DELETE)\b/.test(text) && !text.includes("machineRoute(");
      })
      .map((file) => file.replaceAll("\\", "/"));
    expect(doors.sort()).toEqual([
      "api/auth/[...nextauth]/route.ts",
      "api/trpc/[trpc]/route.ts",
      "v1/[[...path]]/route.ts",
    ]);
  });
});

describe("no redirect leads to another site", () => {
  const elsewhere = (own: string) => [
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/%2F/evil.example",
    "/.//evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    own.replace("127.0.0.1", "127.0.0.1.evil.example"),
    own.replace("127.0.0.1", "127.0.0.1@evil.example"),
    `${own}@evil.example/`,
  ];
  const expectOwn = (target: string | null, from: string) => {
    if (target !== null) expect(new URL(target, app.url).origin, from).toBe(app.url);
  };

  test("from the sign-in page, before or after signing in", async () => {
    for (const target of elsewhere(app.url)) {
      const query = `?callbackUrl=${encodeURIComponent(target)}`;
      const signedIn = await fetch(`${app.url}/sign-in${query}`, {
        headers: { Cookie: cookie },
        redirect: "manual",
      });
      expect(signedIn.status, target).toBe(307);
      expectOwn(signedIn.headers.get("location"), target);
      const stranger = await fetch(`${app.url}/api/auth/signin${query}`, { redirect: "manual" });
      expectOwn(stranger.headers.get("location"), target);
    }
  });

  test("after signing in or out", async () => {
    for (const target of elsewhere(app.url)) {
      const session = await signInTo(app, target);
      expectOwn(session.url, target);
      const left = await fetch(`${app.url}/api/auth/signout`, {
        method: "POST",
        headers: { Cookie: session.cookie, "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrfToken: session.csrfToken, callbackUrl: target }),
        redirect: "manual",
      });
      expect(left.status, target).toBe(302);
      expectOwn(left.headers.get("location"), target);
    }
  });

  test.each([
    "//evil.example/",
    "//evil.example/batches/",
    "/%5Cevil.example/",
    "/%2F%2Fevil.example/",
    "/batches//evil.example/",
  ])("from the path %s", async (target) => {
    const reply = await fetch(`${app.url}${target}`, { redirect: "manual" });
    expectOwn(reply.headers.get("location"), target);
  });
});
