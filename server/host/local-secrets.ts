import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./start-error";

const NAMES = ["AUTH_SECRET", "CRON_SECRET"] as const;
type Secrets = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * The secrets of a local start: those given, else those kept in `dataDir`, else new ones, which are kept (mode 0600).
 * @throws StartError when the file cannot be read.
 */
export function localSecrets(dataDir: string, given: Secrets): Required<Secrets> {
  const file = join(dataDir, "secrets.json");
  const kept = readSecrets(file);
  const missing = NAMES.filter((name) => !kept[name]);
  for (const name of missing) kept[name] = randomBytes(32).toString("base64url");
  if (missing.length > 0) {
    writeFileSync(`${file}.draft`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    chmodSync(`${file}.draft`, 0o600);
    renameSync(`${file}.draft`, file);
  }
  return {
    AUTH_SECRET: given.AUTH_SECRET ?? kept.AUTH_SECRET!,
    CRON_SECRET: given.CRON_SECRET ?? kept.CRON_SECRET!,
  };
}

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    const known = NAMES.map((name) => [name, (parsed as Secrets)[name]] as const);
    return Object.fromEntries(known.filter(([, value]) => typeof value === "string" && value.length >= 16));
  } catch (cause) {
    throw new StartError(`${file} cannot be read; mend it, or remove it to have new secrets made.`, {
      cause,
    });
  }
}
