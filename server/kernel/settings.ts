import { z } from "zod";
import { SETTINGS } from "./env";
import { checkTogether } from "./env-rules";
import { single } from "./single";

/** Earlier names of settings. The current name wins. */
const OLD_NAMES: Record<string, string> = { LEGACY_API: "LEGACY_POINT_NAMES" };

/** With the embedded Postgres, a first batch should be finalized while its submitter watches. */
const EMBEDDED_MINIMUM_FINALIZE_SECONDS = 10;

const Schema = z.object(SETTINGS).superRefine(checkTogether);

export type Settings = z.output<typeof Schema>;

/** Lists every invalid setting, one per line. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/**
 * Parses the environment. An empty variable counts as absent.
 * @throws SettingsError naming every invalid variable, never its value.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.keys(SETTINGS)
      .map((name) => [name, environment[name] || environment[OLD_NAMES[name] ?? ""]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  if (!given.DATABASE_URL)
    given.MINIMUM_FINALIZE_SECONDS ??= String(
      Math.min(EMBEDDED_MINIMUM_FINALIZE_SECONDS, Number(given.DEFAULT_FINALIZE_SECONDS ?? Infinity) || 0),
    );
  const parsed = Schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new SettingsError(`Invalid settings:\n${lines.join("\n")}`);
}

/** The settings of this process, parsed on first use. @throws SettingsError */
export function settings(): Settings {
  return single("settings", () => parseSettings(process.env));
}

/** The service's public scheme, host and port, shown to users and wallets. Never taken from a request. */
export function publicOrigin(): string {
  const { PUBLIC_URL, PORT } = settings();
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : `http://localhost:${PORT}`;
}
