import { encode } from "next-auth/jwt";
import { afterAll, expect, test, vi } from "vitest";
import { forgetSingles } from "@/testing/forget-singles";
import { sessionIdOf } from "./session-cookies";

afterAll(() => {
  vi.unstubAllEnvs();
  forgetSingles();
});

test("a session lives on when AUTH_SECRET is rotated, as long as AUTH_SECRET_PREVIOUS has the old one", async () => {
  const old = "auth-secret-before-rotation";
  const cookie = `next-auth.session-token=${await encode({ token: { sid: "s1" }, secret: old })}`;
  const read = (secrets: Record<string, string>) => {
    vi.unstubAllEnvs();
    for (const [name, secret] of Object.entries(secrets)) vi.stubEnv(name, secret);
    forgetSingles();
    return sessionIdOf(cookie);
  };
  const AUTH_SECRET = "auth-secret-after-rotation";
  expect(await read({ AUTH_SECRET: old })).toBe("s1");
  expect(await read({ AUTH_SECRET })).toBeNull();
  expect(await read({ AUTH_SECRET, AUTH_SECRET_PREVIOUS: old })).toBe("s1");
});
