import { Command } from "commander";
import { addContractCommands } from "./contract-commands";
import { addServiceCommands } from "./service-commands";

const program = new Command("ops")
  .description(
    "Runs the service from a terminal: contracts, tokens, points, people, finalizing, checks.\nWorks while the service runs and while it is stopped.",
  )
  .option("--json", "print JSON for programs")
  .showHelpAfterError("(add --help for the options)");

addContractCommands(program);
addServiceCommands(program);

await program.parseAsync();
