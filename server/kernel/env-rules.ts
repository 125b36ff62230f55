import type { z } from "zod";
import type { SETTINGS } from "./env";
import { isPoints, parsePoints } from "./values/points";

type Given = z.output<z.ZodObject<typeof SETTINGS>>;

/** Rules that involve more than one setting. */
export function checkTogether(settings: Given, ctx: z.RefinementCtx): void {
  if (settings.MINIMUM_FINALIZE_SECONDS > settings.DEFAULT_FINALIZE_SECONDS) {
    ctx.addIssue({
      code: "custom",
      path: ["MINIMUM_FINALIZE_SECONDS"],
      message: `must not exceed DEFAULT_FINALIZE_SECONDS (${settings.DEFAULT_FINALIZE_SECONDS})`,
    });
  }
  for (const name of ["MINIMUM_TRANSFER_POINTS", "MINIMUM_TRANSFER_GOLD"] as const) {
    if (isPoints(settings[name]) && parsePoints(settings[name]) <= 0n) {
      ctx.addIssue({ code: "custom", path: [name], message: "must be more than 0" });
    }
  }
  for (const [name, message] of contradictions(settings))
    ctx.addIssue({ code: "custom", path: [name], message });
  const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  if (oidc.some((name) => settings[name])) {
    for (const name of oidc.filter((name) => !settings[name])) {
      ctx.addIssue({ code: "custom", path: [name], message: "is required when another OIDC setting is set" });
    }
  }
  for (const [name, needed] of NEEDED) {
    if (settings[name] && !settings[needed])
      ctx.addIssue({ code: "custom", path: [needed], message: `is required when ${name} is set` });
  }
  if (settings.DATABASE_URL) {
    for (const name of ["AUTH_SECRET", "CRON_SECRET"] as const) {
      if (!settings[name]) {
        ctx.addIssue({ code: "custom", path: [name], message: "is required when DATABASE_URL is set" });
      }
    }
  }
}

/** Messages link to the console, so they need its public URL. */
const NEEDED = [
  ["ALERT_WEBHOOK_URL", "PUBLIC_URL"],
  ["ALERT_EMAIL_TO", "SMTP_URL"],
  ["SMTP_URL", "MAIL_FROM"],
  ["SMTP_URL", "PUBLIC_URL"],
] as const satisfies [keyof Given, keyof Given][];

/** A transfer as JSON with the longest amount and the comma, without spaces. */
const TRANSFER_BYTES_MAX = 110;
/** The rest of a batch, through the API or the console. */
const BATCH_BYTES_BESIDE_ROWS = 512;
/** `max_connections` of the embedded Postgres (db/embedded-server.ts). */
const EMBEDDED_CONNECTIONS_MAX = 100;
/** Connections of a process outside its pool, for self-checks and migrations. */
const CONNECTIONS_BESIDE_POOL = 3;

/** Settings that are valid on their own but conflict: name and message of each error. */
function* contradictions(given: Given): Generator<[string, string]> {
  const { MAX_TRANSFERS_PER_BATCH: rows, BODY_BYTES_MAX: bytes } = given;
  const bytesLeast = rows * TRANSFER_BYTES_MAX + BATCH_BYTES_BESIDE_ROWS;
  if (bytesLeast > bytes) {
    const rowsMost = Math.floor((bytes - BATCH_BYTES_BESIDE_ROWS) / TRANSFER_BYTES_MAX);
    yield [
      "MAX_TRANSFERS_PER_BATCH",
      `a full batch (${rows}) may not fit in BODY_BYTES_MAX (${bytes}); set BODY_BYTES_MAX=${bytesLeast} or MAX_TRANSFERS_PER_BATCH=${rowsMost}`,
    ];
  }
  const { WEB_CONCURRENCY: processes, DATABASE_POOL_MAX: pool } = given;
  if (!given.DATABASE_URL && processes * (pool + CONNECTIONS_BESIDE_POOL) > EMBEDDED_CONNECTIONS_MAX) {
    const processesMost = Math.min(processes, EMBEDDED_CONNECTIONS_MAX / (1 + CONNECTIONS_BESIDE_POOL));
    const poolMost = Math.floor(EMBEDDED_CONNECTIONS_MAX / processesMost) - CONNECTIONS_BESIDE_POOL;
    yield [
      "DATABASE_POOL_MAX",
      `needs ${processes} × (${pool} + ${CONNECTIONS_BESIDE_POOL}) connections for ${processes} processes, more than the ${EMBEDDED_CONNECTIONS_MAX} of the embedded Postgres; WEB_CONCURRENCY=${processesMost} with DATABASE_POOL_MAX=${poolMost} works`,
    ];
  }
}
