/** Of every reply but those of /v1, which are no pages. The policy of pages carries a nonce: proxy.ts. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // Not `no-referrer`: browsers would then hide the origin of forms, and a foreign form could not be recognized.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
};

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
  skipTrailingSlashRedirect: true,
  experimental: {
    // Next keeps the body of a request that passes proxy.ts in memory. Sign-in forms are far smaller.
    proxyClientMaxBodySize: "64kb",
    // On, the service starts half a second later with 40 MB more, to save 90 ms of the first visit: docs/internals/performance.md.
    preloadEntriesOnStart: false,
    // They do not declare that unused modules can be left out: WebSockets and what only servers need.
    optimizePackageImports: ["@trpc/client", "@trpc/tanstack-react-query"],
    // Bytes before minifying. Fewer, larger files compress better: 199 instead of 205 kB and 8 instead of 16 requests for the batch list,
    // of which HTTP/1.1 sends six at a time.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 5_000_000, requestCost: 1_000_000 },
  },
  // `npm test` checks types on the whole project; the build need not do it twice.
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
