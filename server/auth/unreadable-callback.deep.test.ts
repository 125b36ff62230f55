import { beforeAll, expect, test } from "vitest";
import { signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";

const app = useBuiltApp();
let cookie: string;
let csrfToken: string;
beforeAll(async () => {
  ({ cookie, csrfToken } = await signInTo(app));
});

const UNREADABLE = ["garbage", "http://[", "https://", "%00", "batches", "ftp://x", "\\\\evil.example"];
const form = (fields: Record<string, string>, query = ""): [string, RequestInit] => [
  query,
  { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }), redirect: "manual" },
];
const send = (route: string, init: RequestInit = {}, extra = "") =>
  fetch(app.url + route, { redirect: "manual", ...init, headers: { Cookie: cookie + extra } });
const leadsTo = (reply: Response) => new URL(reply.headers.get("location") ?? "x:", app.url);

test.each(UNREADABLE)("signing in or out with the callback URL %j leads to the console", async (wanted) => {
  const query = `?callbackUrl=${encodeURIComponent(wanted)}`;
  const start = await send(`/api/auth/signin${query}`);
  expect([start.status, leadsTo(start).pathname]).toEqual([302, "/sign-in"]);
  expect(leadsTo(start).searchParams.get("error")).toBeNull();
  for (const [address, init] of [form({ callbackUrl: wanted }), form({}, query)]) {
    const left = await send(`/api/auth/signout${address}`, init);
    expect([left.status, leadsTo(left).origin]).toEqual([302, app.url]);
    const came = await send(`/api/auth/callback/credentials${address}`, {
      ...init,
      body: new URLSearchParams({ ...app.admin, csrfToken, callbackUrl: wanted, json: "true" }),
    });
    expect(came.status).toBe(200);
    expect(new URL(((await came.json()) as { url: string }).url).origin).toBe(app.url);
  }
});

test.each(UNREADABLE)("a cookie with the callback URL %j is deleted, and the page loads", async (wanted) => {
  const others = cookie.replace(/next-auth\.callback-url=[^;]*(?:; )?/, "");
  const bad = `next-auth.callback-url=${encodeURIComponent(wanted)}`;
  for (const route of ["/batches", "/sign-in", "/api/auth/csrf"]) {
    const reply = await fetch(app.url + route, {
      headers: { Cookie: `${others}; ${bad}` },
      redirect: "manual",
    });
    expect(reply.status, route).toBeLessThan(400);
    expect(reply.headers.getSetCookie().join(), route).toMatch(/next-auth\.callback-url=;/);
  }
});

test("a readable cookie is kept", async () => {
  const reply = await send("/batches");
  expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
});
