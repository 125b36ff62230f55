import { expect, test } from "vitest";
import { pageRoute, routesOf } from "./page-route";

test("the route template of a path has no address or ID, and is unknown for any other", () => {
  const routes = routesOf([
    "/[...path]",
    "/",
    "/api/auth/[...nextauth]",
    "/batches/[contractAddress]/[batchId]",
    "/contracts/[contractAddress]",
    "/contracts/statements",
    "/livez/[[...path]]",
    "/v1/[[...path]]",
  ]);
  for (const [path, route] of [
    ["/?a=b", "/"],
    ["/batches/0x12/a%2Fb?status=PENDING", "/batches/[contractAddress]/[batchId]"],
    ["/contracts/statements", "/contracts/statements"],
    ["/api/auth/callback/oidc?code=secret", "/api/auth/[...nextauth]"],
    ["/_next/static/chunks/a.js", "/_next"],
    ["/livez", "/livez"],
    ["/livez/a", "unknown"],
    ["/batches/0x12/a/b", "unknown"],
    ["/livezz", "unknown"],
  ] as const)
    expect(pageRoute(path, routes), path).toBe(route);
});
