import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import type { StaffRole } from "@/server/kernel/context";
import { createConsoleCaller } from "@/server/trpc/root";
import { LIMITS } from "./factories";

// Tests call more often than a person may.
process.env.CONSOLE_RATE_LIMIT_PER_MINUTE ??= "0";

/** The console's procedures, called by a person with a role; the request id is `request-1`. */
export function callerOf(db: Database, role: StaffRole) {
  return createConsoleCaller({
    db,
    limits: LIMITS,
    requestId: "request-1",
    authorization: null,
    clientAddress: "console",
    staff: { email: `${role}@example.com`, role, sessionId: randomUUID() },
    replyHeaders: new Headers(),
  }).console;
}
