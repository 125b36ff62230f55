import "server-only";
import { randomUUID } from "node:crypto";
import { createPublicCaller } from "../receipts/router";
import { consoleContext, openContext } from "./console-endpoint";
import { createConsoleCaller } from "./root";

/** The console's procedures for server components, called as the signed-in user. */
export async function consoleCaller() {
  return createConsoleCaller(await consoleContext(randomUUID()));
}

/** The procedures for anyone, called for the client whose request has these headers. */
export async function publicCaller(headers: Pick<Headers, "get">, requestId: string, replyHeaders: Headers) {
  return createPublicCaller(await openContext(requestId, replyHeaders, headers));
}
