import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { addBackupCommands } from "./backup-commands";
import { addContractCommands } from "./contract-commands";
import { addDemoCommand } from "./demo-command";
import { addDistributeCommand } from "./distribute-command";
import { addServiceCommands } from "./service-commands";

const program = new Command("ops")
  .description(
    "Runs the service from a terminal: contracts, tokens, points, people, finalizing, checks.\nWorks while the service runs and while it is stopped.",
  )
  .option("--json", "print JSON for programs");

// The command line signs no session and guards no route: it runs without the secrets that a served DATABASE_URL requires.
for (const name of ["AUTH_SECRET", "CRON_SECRET"]) process.env[name] ||= randomUUID();

addContractCommands(program);
addServiceCommands(program);
addBackupCommands(program);
addDemoCommand(program);
addDistributeCommand(program);

await program.parseAsync();
