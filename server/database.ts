import { createDatabase, type Database } from "@/db/client";
import { settings } from "./settings";
import { single } from "./single";

/** The pool of this process. */
export function database(): Database {
  return single("database", () => {
    const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_TIMEOUT_SECONDS, DATABASE_POOLER } = settings();
    if (!DATABASE_URL)
      throw new Error("DATABASE_URL is not set; `npm start` sets it to the embedded Postgres.");
    return createDatabase({
      url: DATABASE_URL,
      poolMax: DATABASE_POOL_MAX,
      timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
      pooler: DATABASE_POOLER,
    });
  });
}
