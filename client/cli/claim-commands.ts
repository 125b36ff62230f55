import type { Command } from "commander";
import { createClient } from "../src/create-client.ts";
import { optionsOf, READ_TIMEOUT_MS, urlOf } from "./service.ts";
import { print } from "./terminal.ts";

/** Claims are public, so this needs no contract and no token. */
export function addClaimCommands(program: Command, signal: AbortSignal): void {
  const claims = program.command("claims").description("Claims of an allocation.");
  claims
    .command("get <allocation> <address>")
    .description("Print what an address gets by a published allocation, with its proof, as JSON.")
    .action(async (allocation: string, address: string, _: object, command: Command) => {
      const client = createClient({ baseUrl: urlOf(optionsOf(command)), totalTimeoutMs: READ_TIMEOUT_MS });
      print(true, await client.getClaim(allocation, address, { signal }), () => "");
    });
}
