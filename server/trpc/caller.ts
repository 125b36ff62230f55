import "server-only";
import { randomUUID } from "node:crypto";
import { consoleContext } from "./console-door";
import { createConsoleCaller } from "./root";

/** The console's procedures for server components, called as the signed-in user. */
export async function consoleCaller() {
  return createConsoleCaller(await consoleContext(randomUUID()));
}
