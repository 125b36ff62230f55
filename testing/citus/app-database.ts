import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CitusDatabases } from "./test-databases";

interface AppDatabase {
  /** What an app needs that has no Postgres in its folder. */
  environment: Record<string, string>;
  drop(): Promise<void>;
}

/** With CITUS_URL, the clone of the app that runs in this folder: the same one when it starts there again. Null without. */
export async function appDatabase(dataDir: string, url: string): Promise<AppDatabase | null> {
  const databases = CitusDatabases.ofRun();
  if (!databases) return null;
  const file = join(dataDir, "citus-url");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, await databases.clone());
  const databaseUrl = readFileSync(file, "utf8");
  const withPassword = new URL(databaseUrl);
  // Something to keep secret, also where the nodes ask for no password.
  withPassword.password ||= "password-of-this-test-run";
  return {
    environment: {
      DATABASE_URL: withPassword.href,
      PUBLIC_URL: url,
      AUTH_SECRET: "auth-secret-of-this-test-run",
    },
    drop: () => databases.drop(databaseUrl),
  };
}
