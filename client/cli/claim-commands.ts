import type { Command } from "commander";
import { createClient } from "../src/create-client.ts";
import { addClaimsCheck } from "./check-claims.ts";
import { optionsOf, urlOf } from "./service.ts";
import { print } from "./terminal.ts";

const READ_TIMEOUT_MS = 20_000;

/** Claims are public, so none of these needs a contract or a token. */
export function addClaimCommands(program: Command, signal: AbortSignal): void {
  const claims = program.command("claims").description("Claims of an allocation.");
  claims
    .command("get <allocation> <address>")
    .description("Print what an address gets by a published allocation, with its proof, as JSON.")
    .action(async (allocation: string, address: string, _: object, command: Command) => {
      const client = createClient({
        baseUrl: urlOf(optionsOf(command)),
        totalTimeoutMs: READ_TIMEOUT_MS,
      });
      print(true, await client.getClaim(allocation, address, { signal }), () => "");
    });
  addClaimsCheck(claims);
}
