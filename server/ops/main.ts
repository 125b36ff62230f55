import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { addAllocationCommands } from "./allocation-commands";
import { addContractCommands } from "./contract-commands";
import { addServiceCommands } from "./service-commands";
import { addSnapshotCommands } from "./snapshot-commands";

const program = new Command("ops")
  .description(
    "Manage contracts, tokens, points, team members and the ledger from a terminal.\n" +
      "Works whether or not the service is running.",
  )
  .option("--json", "print JSON instead of text");

// The CLI signs no sessions and serves no routes, so it does not need the secrets that settings require.
for (const name of ["AUTH_SECRET", "CRON_SECRET"]) process.env[name] ||= randomUUID();

// Reported where it is written (command.ts).
process.stdout.on("error", () => undefined);

addContractCommands(program);
addServiceCommands(program);
addSnapshotCommands(program);
addAllocationCommands(program);

await program.parseAsync();
