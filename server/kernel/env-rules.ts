import type { z } from "zod";
import type { SETTINGS } from "./env";
import { isPoints, parsePoints } from "./values/points";

type Given = z.output<z.ZodObject<typeof SETTINGS>>;

/** What must hold of several settings together. */
export function checkTogether(settings: Given, ctx: z.RefinementCtx): void {
  if (settings.MINIMUM_FINALIZE_SECONDS > settings.DEFAULT_FINALIZE_SECONDS) {
    ctx.addIssue({
      code: "custom",
      path: ["MINIMUM_FINALIZE_SECONDS"],
      message: `must not be more than DEFAULT_FINALIZE_SECONDS (${settings.DEFAULT_FINALIZE_SECONDS})`,
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
      ctx.addIssue({ code: "custom", path: [name], message: "is required with the other OIDC settings" });
    }
  }
  if (settings.DATABASE_URL) {
    for (const name of ["AUTH_SECRET", "CRON_SECRET"] as const) {
      if (!settings[name]) {
        ctx.addIssue({ code: "custom", path: [name], message: "is required when DATABASE_URL is set" });
      }
    }
  }
}

/** Of a row as JSON: the longest amount, no spaces, and the comma. */
const TRANSFER_BYTES_MAX = 110;
/** Of a batch beside its rows, at either door. */
const BATCH_BYTES_BESIDE_ROWS = 512;
/** What the embedded Postgres takes (db/embedded-server.ts). */
const EMBEDDED_CONNECTIONS_MAX = 100;
/** Of a process beside its pool: a self-check's and a migration's. */
const CONNECTIONS_BESIDE_POOL = 3;

/** Settings of which each is right, and that cannot work together: `path` and `message` of each fault. */
function* contradictions(given: Given): Generator<[string, string]> {
  const { MAX_TRANSFERS_PER_BATCH: rows, BODY_BYTES_MAX: bytes } = given;
  const bytesLeast = rows * TRANSFER_BYTES_MAX + BATCH_BYTES_BESIDE_ROWS;
  if (bytesLeast > bytes) {
    const rowsMost = Math.floor((bytes - BATCH_BYTES_BESIDE_ROWS) / TRANSFER_BYTES_MAX);
    yield [
      "MAX_TRANSFERS_PER_BATCH",
      `a full batch (${rows}) may not fit into BODY_BYTES_MAX (${bytes}): set BODY_BYTES_MAX=${bytesLeast} or MAX_TRANSFERS_PER_BATCH=${rowsMost}`,
    ];
  }
  const { WEB_CONCURRENCY: processes, DATABASE_POOL_MAX: pool } = given;
  if (!given.DATABASE_URL && processes * (pool + CONNECTIONS_BESIDE_POOL) > EMBEDDED_CONNECTIONS_MAX) {
    const processesMost = Math.min(processes, EMBEDDED_CONNECTIONS_MAX / (1 + CONNECTIONS_BESIDE_POOL));
    const poolMost = Math.floor(EMBEDDED_CONNECTIONS_MAX / processesMost) - CONNECTIONS_BESIDE_POOL;
    yield [
      "DATABASE_POOL_MAX",
      `${processes} × (${pool} + ${CONNECTIONS_BESIDE_POOL}), for WEB_CONCURRENCY processes, is more than the ${EMBEDDED_CONNECTIONS_MAX} connections of the embedded Postgres: WEB_CONCURRENCY=${processesMost} with DATABASE_POOL_MAX=${poolMost} works`,
    ];
  }
}
