import { schemaIsCurrent } from "@/db/migrate";
import { database } from "./database";
import { unavailable } from "./limits";
import { single } from "./process";

export const SCHEMA_BEHIND =
  "The database is missing migrations of this version. Run `npm run -s ops -- migrate`.";
const RETRY_AFTER_SECONDS = 5;

/** Blocks requests until the schema is current: statements could act on an old one. @throws DomainError `unavailable` */
export async function requireCurrentSchema(): Promise<void> {
  const seen = single("schema", () => ({ isCurrent: false }));
  if (seen.isCurrent) return;
  if (!(await schemaIsCurrent(database().sql)).current)
    throw unavailable("The service is waiting for a database migration.", RETRY_AFTER_SECONDS);
  seen.isCurrent = true;
}
