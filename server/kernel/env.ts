import { z } from "zod";
import { DatabaseUrlError, readDatabaseUrl } from "@/db/database-url";
import { isTimeZone } from "@/terms/batch-terms";
import { isPoints, parsePoints } from "@/terms/points";

export const wholeNumber = (fallback: number, minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .prefault(String(fallback));

export const onOff = (fallback: "on" | "off") =>
  z
    .enum(["on", "off"])
    .prefault(fallback)
    .transform((value) => value === "on");

export const amount = (fallback: string) =>
  z
    .string()
    .refine(isPoints, "must be a decimal string such as 0.01")
    .refine((value) => !isPoints(value) || parsePoints(value) > 0n, "must be more than 0")
    .prefault(fallback);

export const ports = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,5}(?:, *\d{1,5})*$/, "must be ports such as 443,8443")
    .transform((list) => list.split(",").map(Number))
    .pipe(z.array(z.number().min(1).max(65_535)))
    .prefault(fallback);

const httpUrl = z.url({ protocol: /^https?$/ }).optional();

/** Exact origins only: browsers never send a path or a wildcard in `Origin`. */
export const origins = z
  .string()
  .transform((list) => list.split(",").map((origin) => origin.trim()))
  .pipe(
    z.array(
      z
        .string()
        .refine(
          (origin) => URL.canParse(origin) && new URL(origin).origin === origin && origin !== "null",
          "must be origins such as https://app.example.com, without a path",
        ),
    ),
  )
  .optional();

export const postgresUrl = z
  .string()
  .superRefine((url, ctx) => {
    try {
      readDatabaseUrl(url);
    } catch (error) {
      if (!(error instanceof DatabaseUrlError)) throw error;
      ctx.addIssue({ code: "custom", message: error.message });
    }
  })
  .optional();

export const timeZone = (fallback: string) =>
  z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin").prefault(fallback);

/** A mail server. Its user name and password are percent-encoded. */
export const mailServer = z
  .string()
  .refine(
    (url) => /^smtps?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== "",
    "must be a URL such as smtp://user:password@mail.example.com:587",
  )
  .optional();

const isEmail = (text: string) => z.email().safeParse(text).success;

/** `name@example.com` or `A name <name@example.com>`. */
export const mailbox = z
  .string()
  .transform((text) => {
    const named = /^([^<>"\p{Cc}]{1,100}) <([^<>]+)>$/u.exec(text);
    return named ? { name: named[1]!.trim(), address: named[2]! } : { name: "", address: text };
  })
  .refine(({ address }) => isEmail(address), "must be an address such as Points <points@example.com>")
  .optional();

/** Also the maximum recipients of one email. */
const ADDRESSES_MAX = 20;

export const emails = z
  .string()
  .transform((list) => list.split(",").map((address) => address.trim()))
  .refine(
    (list) => list.length <= ADDRESSES_MAX && list.every(isEmail),
    `must be up to ${ADDRESSES_MAX} addresses such as ops@example.com,lead@example.com`,
  )
  .optional();

/** Secrets of guides and examples, and keyboard rows: what people meant to replace. */
const GUESSED = /change.?me|password|example|^(?:secret|test|admin|your)|0123456789|qwerty/i;
const DISTINCT_CHARACTERS_MIN = 6;

export const secret = z
  .string()
  .min(16, "must have at least 16 characters")
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
  .refine(
    (value) => new Set(value).size >= DISTINCT_CHARACTERS_MIN && !GUESSED.test(value),
    "is easy to guess; make one with `openssl rand -hex 32`",
  )
  .optional();

/** The service cannot serve below a path: its links, cookies and API start at the root. */
export const publicUrl = z
  .string()
  .refine((text) => {
    if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
    const { pathname, search, hash, username, password } = new URL(text);
    return pathname === "/" && [search, hash, username, password].every((part) => part === "");
  }, "must be scheme, host and port, such as https://points.example.com")
  .optional();

/** Of the earlier service, which said for each what a contract earned with it. */
export const LEGACY_ASSETS = ["ETH", "WETH", "USDB", "BLAST"] as const;

/** Each may be in a file, for secrets that are mounted: NAME_FILE has its path. */
export const IN_FILES = [
  "DATABASE_URL",
  "DATABASE_MIGRATION_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "CRON_SECRET",
  "METRICS_TOKEN",
  "ADMIN_PASSWORD",
  "OIDC_CLIENT_SECRET",
  "RPC_URL",
  "ALERT_WEBHOOK_URL",
  "SMTP_URL",
] as const;

/** Variable, description, default and bounds. `.env.example` is generated from it and tested against it. */
export const SETTINGS = {
  PORT: wholeNumber(3000, 0, 65_535).describe("TCP port to serve on"),
  HOST: z.string().min(1).prefault("0.0.0.0").describe("Address to listen on"),
  WEB_CONCURRENCY: wholeNumber(1, 1, 64).describe(
    "Number of processes that share PORT, each with its own connection pool. " +
      "More than one uses more CPU cores",
  ),
  PUBLIC_URL: publicUrl.describe(
    "URL of the service as users see it, without a path, when it differs from http://localhost:PORT",
  ),
  DEFAULT_TIME_ZONE: timeZone("UTC").describe(
    "IANA time zone in which the console shows times until a team member chooses another. " +
      "Statements always use UTC months",
  ),
  DATA_DIR: z
    .string()
    .min(1)
    .prefault(".data")
    .describe("Directory for the embedded Postgres and the generated secrets"),
  DATABASE_URL: postgresUrl.describe("URL of the Postgres database to use instead of the embedded one"),
  DATABASE_MIGRATION_URL: postgresUrl.describe(
    "Postgres URL for migrations, when DATABASE_URL points to a pooler or its role cannot change the schema",
  ),
  MIGRATE_ON_START: onOff("on").describe(
    "`off` leaves migrations to `npm run -s ops -- migrate`. " +
      "Until they have run, the service waits and does not open its port",
  ),
  DATABASE_POOL_MAX: wholeNumber(10, 1, 500).describe(
    "Number of database connections of each process. Three in ten, at least one, serve the console, " +
      "and the others /v1 and the finalizer; with 1 they share it",
  ),
  DATABASE_POOLER: z
    .enum(["none", "transaction"])
    .prefault("none")
    .describe(
      "Set to `transaction` when DATABASE_URL points to a transaction-mode pooler. " +
        "Turns off prepared statements and startup parameters",
    ),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(8, 1, 300).describe(
    "Maximum seconds to wait for a database connection, reply or lock",
  ),
  AUTH_SECRET: secret.describe(
    "Signs staff sessions and wallet challenges, and encrypts webhook secrets. " +
      "Generated in DATA_DIR by default; required with DATABASE_URL",
  ),
  AUTH_SECRET_PREVIOUS: secret.describe(
    "The AUTH_SECRET before this one, for as long as its sessions shall live. " +
      "Webhook secrets are encrypted anew on the next run of webhooks",
  ),
  CRON_SECRET: secret.describe(
    "Bearer token for GET /api/cron/finalize. Generated in DATA_DIR by default; required with DATABASE_URL",
  ),
  METRICS_TOKEN: secret.describe(
    "Bearer token for GET /metrics and for details of GET /readyz. Metrics are off without it",
  ),
  ADMIN_EMAIL: z
    .email()
    .prefault("admin@example.com")
    .describe("Email of the first admin, who is created when there are no staff yet"),
  ADMIN_PASSWORD: z
    .string()
    .min(12, "must have at least 12 characters")
    .optional()
    .describe("Password of the first admin. Without it, one is generated and printed once"),
  FINALIZER: onOff("on").describe("Set to `off` to finalize only through the cron route"),
  FINALIZER_BUDGET_SECONDS: wholeNumber(20, 1, 600).describe("Maximum seconds per finalizer run"),
  SELF_CHECK_EVERY_HOURS: wholeNumber(24, 0, 8760).describe(
    "Hours between self-checks of the ledger, run by one instance at a time; 0 = only on request",
  ),
  MINIMUM_TRANSFER_POINTS: amount("0.01").describe("Minimum amount of a PHASE2_POINTS transfer"),
  MINIMUM_TRANSFER_GOLD: amount("0.000001").describe("Minimum amount of a PHASE2_GOLD transfer"),
  MAX_TRANSFERS_PER_BATCH: wholeNumber(2000, 1, 10_000).describe("Maximum number of transfers per batch"),
  MINIMUM_FINALIZE_SECONDS: wholeNumber(3600, 0, 31_536_000).describe(
    "Minimum secondsToFinalize; 10 with the embedded Postgres unless set",
  ),
  DEFAULT_FINALIZE_SECONDS: wholeNumber(86_400, 0, 31_536_000).describe(
    "Default and maximum secondsToFinalize",
  ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(600, 0, 1_000_000).describe(
    "Requests per minute to /v1, per access token or operator; 0 = no limit",
  ),
  TOKEN_FAILURES_PER_MINUTE: wholeNumber(30, 0, 1_000_000).describe(
    "Requests per minute with unknown, expired or revoked tokens, per client IP address; 0 = no limit. " +
      "Valid tokens from the same address are still accepted",
  ),
  SIGN_IN_RATE_LIMIT_PER_MINUTE: wholeNumber(300, 0, 1_000_000).describe(
    "Sign-ins of operators per minute and client IP address; 0 = no limit. " +
      "Challenges and solutions are counted separately",
  ),
  SIGN_IN_FAILURES_PER_MINUTE: wholeNumber(30, 0, 1_000_000).describe(
    "Failed sign-ins of operators per minute and client IP address; 0 = no limit",
  ),
  CONSOLE_RATE_LIMIT_PER_MINUTE: wholeNumber(600, 0, 1_000_000).describe(
    "Console calls per minute and team member, and as many pages per client IP address with a session " +
      "cookie. Without one, a tenth as many pages and sign-in requests. Counted by each process in windows " +
      "of 10 seconds; 0 = no limit",
  ),
  PUBLIC_BOOKS: onOff("off").describe(
    "Set to `on` to serve the totals of all points to anyone, see docs/books.md",
  ),
  PUBLIC_RECEIPTS: onOff("off").describe(
    "Set to `on` to show anyone what a wallet received and will receive, on the page /r/{address}, " +
      "see docs/verify.md",
  ),
  PUBLIC_RATE_LIMIT_PER_MINUTE: wholeNumber(60, 0, 1_000_000).describe(
    "Requests for the public books and receipts per minute and client IP address; 0 = no limit. " +
      "Totals, pages and receipts are counted separately",
  ),
  PASSWORD_FAILURES_PER_EMAIL: wholeNumber(10, 0, 1_000_000).describe(
    "Wrong passwords in ten minutes for one email from one client IP address, or from one device that " +
      "signed in before. Other devices of an address may fail ten times as often in all, with invalid " +
      "invitation links. Further attempts are slowed down to this rate; 0 = no limit",
  ),
  SESSION_IDLE_MINUTES: wholeNumber(720, 15, 43_200).describe(
    "Minutes without use after which a staff session ends. An open console page counts as use",
  ),
  SESSION_MAX_HOURS: wholeNumber(168, 1, 8760).describe(
    "Hours after sign-in when a staff session ends, even if it is in use",
  ),
  OIDC_ISSUER: httpUrl.describe(
    "OpenID Connect issuer for single sign-on to the console. Staff are matched by verified email",
  ),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("Client ID at the issuer"),
  OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe("Client secret at the issuer. The redirect URL is PUBLIC_URL/api/auth/callback/oidc"),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(40)
    .prefault("single sign-on")
    .describe("Name of the issuer on the sign-in button"),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10).describe(
    "Number of proxies in front that append the client's address to X-Forwarded-For; " +
      "0 = ignore all X-Forwarded-* headers",
  ),
  CORS_ORIGINS: origins.describe(
    "Comma-separated origins of web pages that may call /v1 from a browser. None by default",
  ),
  RPC_URL: httpUrl.describe(
    "JSON-RPC URL of the chain, to verify signatures of smart-contract operators (ERC-1271)",
  ),
  CHALLENGE_SECONDS: wholeNumber(60, 30, 3600).describe(
    "Seconds in which an operator signs a sign-in message. " +
      "A contract wallet with several owners needs more than the default",
  ),
  CHAIN_ID: wholeNumber(1, 1, 4_294_967_295).describe("EIP-155 chain ID in the message that operators sign"),
  WEBHOOK_ALLOW_PRIVATE: onOff("off").describe(
    "Set to `on` to allow webhooks over plain HTTP and to private addresses, for tests and closed networks",
  ),
  WEBHOOK_PORTS: ports("443").describe("Comma-separated ports that webhook URLs may use"),
  ALERT_WEBHOOK_URL: httpUrl.describe(
    "URL to which alerts are posted as Slack-compatible JSON, such as a Slack incoming webhook. " +
      "Anyone who knows it can post there. Needs PUBLIC_URL, see docs/alerts.md",
  ),
  ALERT_EMAIL_TO: emails.describe("Comma-separated email addresses that receive alerts. Needs SMTP_URL"),
  SMTP_URL: mailServer.describe(
    "Mail server for alerts, invitations and password resets, such as " +
      "smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start. " +
      "Needs MAIL_FROM and PUBLIC_URL",
  ),
  MAIL_FROM: mailbox.describe("Sender of emails, such as Points <points@example.com>"),
  LEGACY_API: z
    .enum(["true", "false"])
    .prefault("false")
    .describe(
      "Set to `true` for callers of the earlier service: its point names, fields and zero address, " +
        "see docs/migrate.md",
    ),
  LEGACY_ASSET: z
    .enum(LEGACY_ASSETS)
    .prefault("ETH")
    .describe("Asset under which LEGACY_API shows all points that a contract earned, see docs/migrate.md"),
  BODY_BYTES_MAX: wholeNumber(1_048_576, 1024, 16_777_216).describe(
    "Maximum size of a request body, in bytes; at most 16384 from callers without a token or session",
  ),
  STOP_DELAY_SECONDS: wholeNumber(0, 0, 300).describe(
    "Seconds that a stopping process keeps serving while /readyz returns 503, " +
      "so that load balancers can take it out",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.describe(
    "OTLP/HTTP endpoint for traces, or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT. See operations.md for the others",
  ),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .prefault("info")
    .describe("Minimum severity of log lines"),
} as const;
