/** @type {import("next").NextConfig} */
export default {
  serverExternalPackages: ["postgres", "pino"],
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  experimental: {},
  // `npm test` checks types on the whole project; the build need not do it twice.
  typescript: { ignoreBuildErrors: true },
};
