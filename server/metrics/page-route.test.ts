import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PAGE_ROUTES, pageRoute } from "./page-route";

describe("the route template of a page", () => {
  test("is known for every page and route file of the app", () => {
    const files = readdirSync("app", { recursive: true, encoding: "utf8" })
      .filter((file) => /(?:^|[\\/])(?:page\.tsx|route\.ts)$/.test(file))
      .map((file) => `/${file.replaceAll("\\", "/")}`.replace(/\/(?:page\.tsx|route\.ts)$/, ""))
      .map((route) => route.replaceAll(/\/\([^)]+\)|\/\[\[\.\.\.\w+\]\]/g, "") || "/")
      .filter((route) => !route.startsWith("/v1") && route !== "/[...path]");
    expect([...PAGE_ROUTES].sort()).toEqual(files.sort());
  });

  test("of a path has no address or ID, and is unknown for any other", () => {
    for (const [path, route] of [
      ["/batches/0x12/a%2Fb?status=PENDING", "/batches/[contractAddress]/[batchId]"],
      ["/api/auth/callback/oidc?code=secret", "/api/auth/[...nextauth]"],
      ["/_next/static/chunks/a.js", "/_next"],
      ["/batches/0x12/a/b", "unknown"],
      ["/livezz", "unknown"],
    ] as const)
      expect(pageRoute(path)).toBe(route);
  });
});
