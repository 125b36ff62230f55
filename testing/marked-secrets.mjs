/** Part of every secret that `npm test` builds with, so that tests can search the build for it. */
export const SECRET_MARK = "marked-secret";

export const MARKED_SECRETS = {
  AUTH_SECRET: `${SECRET_MARK}-of-sessions`,
  CRON_SECRET: `${SECRET_MARK}-of-the-cron`,
  ADMIN_PASSWORD: `${SECRET_MARK}-of-the-admin`,
  DATABASE_URL: `postgres://${SECRET_MARK}@127.0.0.1:1/none`,
  PUBLIC_URL: `http://${SECRET_MARK}.example`,
  RPC_URL: `http://127.0.0.1:1/${SECRET_MARK}`,
};
