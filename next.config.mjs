import { existsSync } from "node:fs";

/** On every reply except those of /v1. proxy.ts adds the content security policy, which has a nonce. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // Not `no-referrer`: browsers would hide the origin of forms, and a foreign one could not be recognized.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), " +
    "midi=(), payment=(), usb=()",
};

const HSTS_SECONDS = 63_072_000;

/**
 * `Strict-Transport-Security` of every page and of `/v1`; null where people do not use https.
 * @param {string | undefined} publicUrl
 */
export const transportSecurity = (publicUrl) =>
  publicUrl?.startsWith("https:") ? `max-age=${HSTS_SECONDS}` : null;

/** Loaded only where traces are configured: instrumentation.ts. */
const TRACING_PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-node",
];

/** @type {import("next").NextConfig} */
export default {
  serverExternalPackages: ["postgres", "pino", "prom-client", ...TRACING_PACKAGES],
  poweredByHeader: false,
  // No screen uses Next's image optimizer. It is 404; otherwise anyone could make it write errors to the log.
  images: { unoptimized: true },
  skipTrailingSlashRedirect: true,
  // server/guides/guides.ts reads them at run time.
  outputFileTracingIncludes: { "/docs/**": ["./docs/*.md", "./client/README.md"] },
  redirects: async () => [
    { source: "/batches/jobs", destination: "/access/audit?action=bulk.start", permanent: true },
    { source: "/batches/jobs/:job", destination: "/access/audit?job=:job", permanent: true },
    { source: "/contracts/:address/batches", destination: "/batches?contract=:address", permanent: true },
    {
      source: "/recipients/allocations/:path*",
      destination: "/snapshots/allocations/:path*",
      permanent: true,
    },
    {
      source: "/recipients",
      has: [{ type: "query", key: "snapshot" }],
      destination: "/snapshots",
      permanent: true,
    },
  ],
  rewrites: async () => [{ source: "/docs/:guide.md", destination: "/docs/markdown/:guide" }],
  experimental: {
    // Next keeps the body of a request that passes proxy.ts in memory. Sign-in forms are much smaller.
    proxyClientMaxBodySize: "64kb",
    // "warm start" takes half a second less and "memory under load" 40 MB, the first visit 90 ms more.
    preloadEntriesOnStart: false,
    // These packages do not declare that unused modules can be left out: WebSockets and code for servers.
    optimizePackageImports: ["@trpc/client", "@trpc/tanstack-react-query"],
    // Writing 200 MB of cache is a tenth of a build. Only a folder that is built again reads it.
    turbopackFileSystemCacheForBuild: existsSync(".next"),
    // Bytes before minifying. Fewer, larger files compress better: "usable in Chromium" in docs/benchmarks.md
    // takes 199 instead of 205 kB, in 8 instead of 16 requests, of which HTTP/1.1 sends six at a time.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 5_000_000, requestCost: 1_000_000 },
  },
  // `npm test` checks the types of the whole project.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    {
      source: "/((?!v1(?:/|$)).*)",
      headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })),
    },
    {
      source: "/api/:path*",
      headers: [
        {
          key: "Content-Security-Policy",
          value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        },
      ],
    },
  ],
};
