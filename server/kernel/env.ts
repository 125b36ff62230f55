import { z } from "zod";
import { amount, onOff, origins, postgresUrl, secret, wholeNumber } from "./env-kinds";
import { checkTogether } from "./env-rules";

/**
 * Every setting of the service: its environment variable, meaning, default and bounds.
 * `.env.example` is made from this table and tested against it.
 */
export const SETTINGS = {
  PORT: wholeNumber(3000, 0, 65_535).describe("TCP port to serve on"),
  HOST: z.string().min(1).prefault("0.0.0.0").describe("Address to listen on"),
  WEB_CONCURRENCY: wholeNumber(1, 1, 64).describe(
    "Processes that serve PORT together, each with its own pool; more than one uses more cores of one machine",
  ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address people open, when it differs from http://localhost:PORT"),
  DATA_DIR: z
    .string()
    .min(1)
    .prefault(".data")
    .describe("Folder of the embedded Postgres and of secrets made here"),
  DATABASE_URL: postgresUrl.describe("Postgres to use instead of the embedded one"),
  DATABASE_REPLICA_URL: postgresUrl.describe(
    "Streaming replica of DATABASE_URL to read lists, counts and exports from, only while it has every write committed before",
  ),
  DATABASE_REPLICA_WAIT_MS: wholeNumber(100, 0, 2000).describe(
    "Longest wait of a list for the replica to catch up; then the primary answers, and the replica rests for a second",
  ),
  DATABASE_MIGRATION_URL: postgresUrl.describe(
    "Postgres address for migrations, where DATABASE_URL is a pooler's or its role may not change the schema",
  ),
  MIGRATE_ON_START: onOff("on").describe(
    "`off` leaves migrations to `npm run -s ops -- migrate`; until then the service waits and says so in /readyz",
  ),
  DATABASE_POOL_MAX: wholeNumber(10, 1, 500).describe("Connections in the pool of one process"),
  DATABASE_POOLER: z
    .enum(["none", "transaction"])
    .prefault("none")
    .describe(
      "`transaction` when DATABASE_URL is a transaction-mode pooler: no prepared statements, no start-up parameters",
    ),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(8, 1, 300).describe(
    "Longest wait for a connection, an answer or a lock of the database",
  ),
  AUTH_SECRET: secret.describe(
    "Signs staff sessions and wallet challenges, and seals webhook secrets. Made in DATA_DIR on a local start; required with DATABASE_URL",
  ),
  CRON_SECRET: secret.describe(
    "Bearer token of GET /api/cron/finalize. Made in DATA_DIR on a local start; required with DATABASE_URL",
  ),
  METRICS_TOKEN: secret.describe("Bearer token of GET /metrics; without it there are no metrics"),
  ADMIN_EMAIL: z
    .email()
    .prefault("admin@example.com")
    .describe("E-mail of the first admin, made when there is no staff yet"),
  ADMIN_PASSWORD: z
    .string()
    .min(12, "must be at least 12 characters")
    .optional()
    .describe("Password of the first admin; without it one is made and printed once"),
  FINALIZER: onOff("on").describe("`off` leaves finalizing to the cron route"),
  FINALIZER_BUDGET_SECONDS: wholeNumber(20, 1, 600).describe("Longest time one finalizer run may take"),
  SELF_CHECK_EVERY_HOURS: wholeNumber(24, 0, 8760).describe(
    "Hours between self-checks of the ledger, by one instance at a time; 0 = only when asked",
  ),
  SELF_CHECK_ROUND_DAYS: wholeNumber(7, 0, 365).describe(
    "Days in which self-checks come round to every old transfer; 0 = each check reads the whole ledger",
  ),
  MINIMUM_TRANSFER_POINTS: amount("0.01").describe("Least PHASE2_POINTS of one transfer"),
  MINIMUM_TRANSFER_GOLD: amount("0.000001").describe("Least PHASE2_GOLD of one transfer"),
  MAX_TRANSFERS_PER_BATCH: wholeNumber(2000, 1, 10_000).describe("Most transfers of one batch"),
  MINIMUM_FINALIZE_SECONDS: wholeNumber(3600, 0, 31_536_000).describe("Least secondsToFinalize"),
  DEFAULT_FINALIZE_SECONDS: wholeNumber(86_400, 0, 31_536_000).describe(
    "Most secondsToFinalize, and its default",
  ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(600, 0, 1_000_000).describe(
    "Requests to /v1 a minute of one access token, or of one operator of a contract; 0 = no limit",
  ),
  SIGN_IN_RATE_LIMIT_PER_MINUTE: wholeNumber(30, 0, 1_000_000).describe(
    "Requests to /v1/dapp-auth a minute of one client address; 0 = no limit",
  ),
  PASSWORD_FAILURES_PER_CLIENT: wholeNumber(50, 0, 1_000_000).describe(
    "Wrong passwords and dead invitation links of one client address in a window; 0 = no limit",
  ),
  PASSWORD_FAILURES_PER_EMAIL: wholeNumber(10, 0, 1_000_000).describe(
    "Wrong passwords for one e-mail in a window, from wherever they come; 0 = no limit",
  ),
  PASSWORD_FAILURES_WINDOW_SECONDS: wholeNumber(600, 1, 86_400).describe(
    "Length of the window in which wrong passwords are counted; after it tries are free again",
  ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "OpenID Connect issuer for a second way to sign in to the console; staff only, by verified e-mail",
    ),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("Client id at the issuer"),
  OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe("Client secret at the issuer; the redirect address is PUBLIC_URL/api/auth/callback/oidc"),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(40)
    .prefault("single sign-on")
    .describe("What the sign-in button calls the issuer"),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10).describe(
    "Proxies in front, each adding the address it was called from to X-Forwarded-For; 0 = nobody is believed, about X-Forwarded-Host and -Proto neither",
  ),
  CORS_ORIGINS: origins.describe(
    "Origins of web pages that may call /v1 from a browser, comma-separated; none when absent",
  ),
  RPC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("JSON-RPC address of the chain, to check signatures of smart-contract operators (ERC-1271)"),
  CHAIN_ID: wholeNumber(1, 1, 4_294_967_295).describe(
    "EIP-155 chain named in the message that operators sign",
  ),
  WEBHOOK_ALLOW_PRIVATE: onOff("off").describe(
    "`on` also sends webhooks by plain HTTP and to addresses of private networks: for tests and closed networks",
  ),
  LEGACY_POINT_NAMES: z
    .enum(["true", "false"])
    .prefault("false")
    .describe("`true` also takes and gives the point names and fields of old callers"),
  BODY_BYTES_MAX: wholeNumber(1_048_576, 1024, 16_777_216).describe("Largest request body"),
  STOP_DELAY_SECONDS: wholeNumber(0, 0, 300).describe(
    "How long a stopping process still serves while /readyz says 503, so that a balancer takes it out first",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Where traces are sent by OTLP over HTTP; the other OTEL_* variables count too. None without it",
    ),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .prefault("info")
    .describe("Least severe line logged"),
} as const;

const Schema = z.object(SETTINGS).superRefine(checkTogether);

export type Settings = z.output<typeof Schema>;

/** All problems of the environment at once, one line each. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/**
 * Parses the environment. An empty variable counts as absent.
 * @throws SettingsError naming every variable that is wrong, never its value.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.keys(SETTINGS)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new SettingsError(`Settings that must be mended:\n${lines.join("\n")}`);
}
