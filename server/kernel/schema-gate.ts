import { schemaIsCurrent } from "@/db/migrate";
import { database } from "./database";
import { single } from "./single";
import { DomainError } from "./values/problems";

export const SCHEMA_BEHIND =
  "The database lacks migrations of this version; `npm run -s ops -- migrate` applies them.";
const RETRY_AFTER_SECONDS = 5;

/**
 * Lets nothing through to a schema that lacks migrations of this version: its statements would fail half-way or do what
 * an older schema means. Asks the database until it is current, then never again in this process.
 * @throws DomainError `unavailable`
 */
export async function requireCurrentSchema(): Promise<void> {
  const seen = single("schema", () => ({ isCurrent: false }));
  if (seen.isCurrent) return;
  if (!(await schemaIsCurrent(database().sql)).current) {
    const headers = { "Retry-After": String(RETRY_AFTER_SECONDS) };
    throw new DomainError("unavailable", "The service waits for its database to be migrated.", { headers });
  }
  seen.isCurrent = true;
}
