import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./start-error";

const NAMES = ["AUTH_SECRET", "CRON_SECRET"] as const;
type Secrets = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * The secrets of a local start: given ones first, then those stored in `dataDir`. Creates and stores missing ones (mode 0600).
 * @throws StartError when the file cannot be read
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
    throw new StartError(`Cannot read ${file}. Fix the file, or delete it to create new secrets.`, {
      cause,
    });
  }
}
