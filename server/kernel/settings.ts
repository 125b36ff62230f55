import { z } from "zod";
import { readNamedFile } from "@/db/read-named-file";
import type { BatchLimits } from "@/terms/batch-limits";
import { IN_FILES, SETTINGS } from "./env";
import { single } from "./process";

type Given = z.output<z.ZodObject<typeof SETTINGS>>;

/** What the first setting needs. Messages link to the console, so they need its public URL. */
const NEEDED = [
  ["ALERT_WEBHOOK_URL", "PUBLIC_URL"],
  ["ALERT_EMAIL_TO", "SMTP_URL"],
  ["SMTP_URL", "MAIL_FROM"],
  ["SMTP_URL", "PUBLIC_URL"],
  ["DATABASE_URL", "AUTH_SECRET"],
  ["DATABASE_URL", "CRON_SECRET"],
] as const satisfies [keyof Given, keyof Given][];

const OIDC = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;

/** A transfer as JSON with the longest amount and the comma, without spaces. */
const TRANSFER_BYTES_MAX = 110;
/** The rest of a batch, through the API or the console. */
const BATCH_BYTES_WITHOUT_ROWS = 512;
/** `max_connections` of the embedded Postgres (db/embedded/server.ts). */
const EMBEDDED_CONNECTIONS_MAX = 100;
/** Connections of a process outside its pool: for self-checks, and for migrations and later heavy calls. */
const CONNECTIONS_OUTSIDE_POOL = 3;

/** Settings that are valid on their own but conflict: name and message of each error. */
function* contradictions(given: Given): Generator<[keyof Given, string]> {
  for (const [name, needed] of NEEDED)
    if (given[name] && !given[needed]) yield [needed, `is required when ${name} is set`];
  if (OIDC.some((name) => given[name]))
    for (const name of OIDC) if (!given[name]) yield [name, "is required when another OIDC setting is set"];
  if (given.AUTH_SECRET && given.AUTH_SECRET === given.CRON_SECRET)
    yield ["CRON_SECRET", "must differ from AUTH_SECRET"];
  if (given.MINIMUM_FINALIZE_SECONDS > given.DEFAULT_FINALIZE_SECONDS)
    yield [
      "MINIMUM_FINALIZE_SECONDS",
      `must not exceed DEFAULT_FINALIZE_SECONDS (${given.DEFAULT_FINALIZE_SECONDS})`,
    ];
  const { MAX_TRANSFERS_PER_BATCH: rows, BODY_BYTES_MAX: bytes } = given;
  const bytesLeast = rows * TRANSFER_BYTES_MAX + BATCH_BYTES_WITHOUT_ROWS;
  if (bytesLeast > bytes) {
    const rowsMost = Math.floor((bytes - BATCH_BYTES_WITHOUT_ROWS) / TRANSFER_BYTES_MAX);
    yield [
      "MAX_TRANSFERS_PER_BATCH",
      `a full batch (${rows}) may not fit in BODY_BYTES_MAX (${bytes}); ` +
        `set BODY_BYTES_MAX=${bytesLeast} or MAX_TRANSFERS_PER_BATCH=${rowsMost}`,
    ];
  }
  const { WEB_CONCURRENCY: processes, DATABASE_POOL_MAX: pool } = given;
  if (!given.DATABASE_URL && neededConnections(given) > EMBEDDED_CONNECTIONS_MAX) {
    const processesMost = Math.min(processes, EMBEDDED_CONNECTIONS_MAX / (1 + CONNECTIONS_OUTSIDE_POOL));
    const poolMost = Math.floor(EMBEDDED_CONNECTIONS_MAX / processesMost) - CONNECTIONS_OUTSIDE_POOL;
    yield [
      "DATABASE_POOL_MAX",
      `needs ${processes} × (${pool} + ${CONNECTIONS_OUTSIDE_POOL}) connections ` +
        `for ${processes} processes, more than the ${EMBEDDED_CONNECTIONS_MAX} of the embedded Postgres; ` +
        `WEB_CONCURRENCY=${processesMost} with DATABASE_POOL_MAX=${poolMost} works`,
    ];
  }
}

/** How many connections this machine's processes open at most. */
export const neededConnections = (given: Pick<Given, "WEB_CONCURRENCY" | "DATABASE_POOL_MAX">): number =>
  given.WEB_CONCURRENCY * (given.DATABASE_POOL_MAX + CONNECTIONS_OUTSIDE_POOL);

/** With the embedded Postgres, a first batch should be finalized while its submitter watches. */
const EMBEDDED_MINIMUM_FINALIZE_SECONDS = 10;

const Schema = z.object(SETTINGS).superRefine((given, ctx) => {
  for (const [name, message] of contradictions(given))
    ctx.addIssue({ code: "custom", path: [name], message });
});

export type Settings = z.output<typeof Schema>;

/** Lists every invalid setting, one per line. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** The validator's own rules in our words. */
const words: z.core.$ZodErrorMap = (issue) => {
  const counts = "origin" in issue && issue.origin === "string";
  switch (issue.code) {
    case "too_big":
      return counts ? `must have at most ${issue.maximum} characters` : `must be at most ${issue.maximum}`;
    case "too_small":
      return counts ? `must have at least ${issue.minimum} characters` : `must be at least ${issue.minimum}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format === "email"
        ? "must be an address such as ops@example.com"
        : "must be a URL such as https://example.com/path";
    default:
      return undefined;
  }
};

const FILE_END = "_FILE";

/** Puts the files that NAME_FILE names into `given`. Returns an error line for each that it cannot use. */
function readFiles(
  environment: Record<string, string | undefined>,
  given: Record<string, string | undefined>,
): string[] {
  const errors: string[] = [];
  for (const name of IN_FILES) {
    const file = environment[name + FILE_END];
    if (!file) continue;
    try {
      const value = readNamedFile(file).replace(/\r?\n$/, "");
      if ((given[name] ?? value) === value) given[name] = value;
      else errors.push(`${name}: differs from the file of ${name}${FILE_END}`);
    } catch (error) {
      errors.push(`${name}${FILE_END}: its file ${(error as Error).message}`);
    }
  }
  return errors;
}

/** Shorter names are often those of other programs. */
const NAME_LENGTH_MIN = 8;
const CHANGES_MAX = 2;

/** A sentence for each variable whose name is nearly a setting's. */
export function misspelled(environment: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(SETTINGS), ...IN_FILES.map((name) => name + FILE_END)];
  return Object.keys(environment)
    .filter((name) => name.length >= NAME_LENGTH_MIN && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((each) => changes(name.toUpperCase(), each) <= CHANGES_MAX);
      return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : [];
    });
}

/** Levenshtein's distance. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1));
    row = next;
  }
  return row[to.length]!;
}

/** Empty counts as absent. @throws SettingsError naming every invalid variable, never its value */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given: Record<string, string | undefined> = Object.fromEntries(
    Object.keys(SETTINGS)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const unread = readFiles(environment, given);
  if (!given.DATABASE_URL)
    given.MINIMUM_FINALIZE_SECONDS ??= String(
      Math.min(EMBEDDED_MINIMUM_FINALIZE_SECONDS, Number(given.DEFAULT_FINALIZE_SECONDS ?? Infinity) || 0),
    );
  const parsed = Schema.safeParse(given, { error: words });
  if (parsed.success && unread.length === 0) return parsed.data;
  const invalid = parsed.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  throw new SettingsError(["Invalid settings:", ...unread, ...invalid].join("\n  "));
}

/** The settings of this process, parsed on first use. @throws SettingsError */
export const settings = (): Settings => single("settings", () => parseSettings(process.env));

/** The current secret, and the one before it while it still opens what it sealed. */
export function authSecrets(): string[] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = settings();
  return [AUTH_SECRET, AUTH_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
}

/** The service's public scheme, host and port, shown to users and wallets. Never taken from a request. */
export function publicOrigin(): string {
  const { PUBLIC_URL, PORT } = settings();
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : `http://localhost:${PORT}`;
}

export function batchLimits(): BatchLimits {
  const given = settings();
  return {
    minimumPoints: {
      PHASE2_POINTS: given.MINIMUM_TRANSFER_POINTS,
      PHASE2_GOLD: given.MINIMUM_TRANSFER_GOLD,
    },
    transfersMax: given.MAX_TRANSFERS_PER_BATCH,
    minimumFinalizeSeconds: given.MINIMUM_FINALIZE_SECONDS,
    defaultFinalizeSeconds: given.DEFAULT_FINALIZE_SECONDS,
    zeroAddressAllowed: given.LEGACY_API === "true",
  };
}
