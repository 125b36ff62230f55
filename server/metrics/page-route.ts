/** Every Next route except `/v1`, where procedures define the templates, and the page for paths that are not found. */
export const PAGE_ROUTES = [
  "/",
  "/access",
  "/access/audit",
  "/access/audit/export",
  "/api/auth/[...nextauth]",
  "/api/cron/finalize",
  "/api/trpc/[trpc]",
  "/batches",
  "/batches/[contractAddress]/[batchId]",
  "/batches/export",
  "/batches/jobs",
  "/batches/jobs/[jobId]",
  "/batches/jobs/[jobId]/export",
  "/batches/new",
  "/contracts",
  "/contracts/[contractAddress]",
  "/contracts/[contractAddress]/statements",
  "/contracts/[contractAddress]/statements/export",
  "/contracts/[contractAddress]/transfers/export",
  "/contracts/[contractAddress]/webhooks",
  "/docs",
  "/docs/errors",
  "/forgot-password",
  "/inbox",
  "/livez",
  "/metrics",
  "/operations",
  "/profile",
  "/r/[address]",
  "/r/[address]/[contractAddress]/[batchId]",
  "/readyz",
  "/recipients/[address]",
  "/recipients/[address]/export",
  "/sign-in",
  "/version",
  "/welcome",
] as const;

/** `/livez` and similar routes have a catch-all that answers 404 for paths below them. */
const STATIC = new Set<string>(PAGE_ROUTES.filter((route) => !route.includes("[")));
const DYNAMIC = PAGE_ROUTES.filter((route) => route.includes("[")).map((route) => ({
  route,
  pattern: new RegExp(`^${route.replaceAll(/\[\.\.\.\w+\]/g, ".+").replaceAll(/\[\w+\]/g, "[^/]+")}$`),
}));

/** The route template of a path, so that invented paths cannot create new labels. */
export function pageRoute(target: string): string {
  const path = target.split("?", 1)[0]!;
  if (STATIC.has(path)) return path;
  if (path.startsWith("/_next/")) return "/_next";
  return DYNAMIC.find(({ pattern }) => pattern.test(path))?.route ?? "unknown";
}
