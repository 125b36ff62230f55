import "server-only";
import { randomUUID } from "node:crypto";
import { createPublicCaller } from "@/server/receipts/router";
import { consoleContext, openContext } from "./console-endpoint";
import { createConsoleCaller } from "./root";

/** The console's procedures for server components, called as the signed-in user. */
export const consoleCaller = async () => createConsoleCaller(await consoleContext(randomUUID()));

/** The procedures for anyone, called for the client whose request has these headers. */
export const publicCaller = async (headers: Pick<Headers, "get">, requestId: string, replyHeaders: Headers) =>
  createPublicCaller(await openContext(requestId, replyHeaders, headers));
