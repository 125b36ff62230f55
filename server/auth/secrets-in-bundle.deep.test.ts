import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";
import { MARKED_SECRETS, SECRET_MARK } from "../../testing/marked-secrets.mjs";

const NAMES = [...Object.keys(MARKED_SECRETS), "NEXTAUTH_SECRET"];
const AUTH_SECRET = `${SECRET_MARK}-of-this-test-run`;

/** Files served to browsers that contain a text. */
function filesWith(text: string): string[] {
  return readdirSync(".next/static", { recursive: true, encoding: "utf8" })
    .map((file) => path.join(".next/static", file))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}

const app = useBuiltApp({ environment: { AUTH_SECRET } });

describe("the files served to browsers", () => {
  test("are searched: a text of the sign-in page is found", () => {
    expect(filesWith("Incorrect email or password.").length).toBeGreaterThan(0);
  });

  test("contain no secret's name in scripts, nor its value at build time", () => {
    for (const word of [...NAMES, SECRET_MARK]) expect(filesWith(word), word).toEqual([]);
  });

  test("contain no secret of the running service in pages", async () => {
    const { cookie } = await signInTo(app);
    for (const page of [
      "/sign-in",
      "/docs",
      "/docs/errors",
      "/batches",
      "/api/auth/session",
      "/api/auth/providers",
    ]) {
      const text = await (await fetch(`${app.url}${page}`, { headers: { Cookie: cookie } })).text();
      for (const secret of [SECRET_MARK, app.cronSecret, app.admin.password, "postgres://"])
        expect(text.includes(secret), `${page}: ${secret}`).toBe(false);
    }
  });
});
