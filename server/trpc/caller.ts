import "server-only";
import { randomUUID } from "node:crypto";
import { consoleContext } from "./console-door";
import { createConsoleCaller } from "./root";

/** The console's procedures for server components, for the person signed in. */
export async function consoleCaller() {
  return createConsoleCaller(await consoleContext(randomUUID()));
}
