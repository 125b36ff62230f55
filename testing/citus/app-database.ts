import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CitusDatabases } from "./test-databases";

interface AppDatabase {
  /** What an app without a Postgres in its folder needs. */
  environment: Record<string, string>;
  drop(): Promise<void>;
}

/** With CITUS_URL, the clone for the app in this folder, kept across restarts; null without. */
export async function appDatabase(dataDir: string, url: string): Promise<AppDatabase | null> {
  const databases = CitusDatabases.ofRun();
  if (!databases) return null;
  const file = join(dataDir, "citus-url");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, await databases.clone());
  const databaseUrl = readFileSync(file, "utf8");
  const withPassword = new URL(databaseUrl);
  // Gives the secrets test a password, even if the nodes ask for none.
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
