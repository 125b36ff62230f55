import { schemaIsCurrent } from "@/db/migrate";
import { database } from "./database";
import { single } from "./single";
import { DomainError } from "./values/problems";

export const SCHEMA_BEHIND =
  "The database is missing migrations of this version. Run `npm run -s ops -- migrate`.";
const RETRY_AFTER_SECONDS = 5;

/**
 * Blocks requests while the schema lacks migrations of this version: statements could fail halfway or act on an old
 * schema. Checks until the schema is current, and then never again in this process.
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
