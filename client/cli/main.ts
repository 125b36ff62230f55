import { Command, CommanderError, Option } from "commander";
import { addBatchCommands } from "./batch-commands.ts";
import { addClaimCommands } from "./claim-commands.ts";
import { addLoginCommand } from "./login.ts";
import { addFileCommands } from "./pay.ts";
import { EXIT, Failure, failureOf, print, printable, say, stopping } from "./terminal.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.on(name, () => {
    // npx passes each Ctrl-C on to a process that the terminal has sent it to already.
    if (stop.signal.aborted) process.exit(process.exitCode ?? end(stopping.failure()));
    stop.abort(new Failure(EXIT.unsent, "Stopped."));
  });

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // `point-batches list | head` closes the pipe early.
  const isClosed = code === "EPIPE";
  if (!isClosed) say(`The result cannot be written: ${message}.`);
  process.exit(process.exitCode || (isClosed ? EXIT.done : EXIT.badInput));
});

const program = new Command("point-batches")
  .description("Pay points to many recipients, from a file, over the point transfer batch service's API.")
  .addOption(new Option("--url <url>", "the service").env("POINT_BATCHES_URL"))
  .addOption(new Option("--contract <address>", "the contract that pays").env("POINT_BATCHES_CONTRACT"))
  .option("--json", "print JSON instead of text")
  .configureOutput({
    writeOut: (text) => process.stdout.write(printable(text)),
    writeErr: (text) => process.stderr.write(printable(text)),
  })
  .exitOverride()
  .showHelpAfterError("(add --help for the options and examples)")
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    "after",
    `
The access token is read from POINT_BATCHES_TOKEN, or from the last login. It is never an argument, which the
shell would keep in its history.

Examples:
  export POINT_BATCHES_URL=http://localhost:3000
  export POINT_BATCHES_CONTRACT=0x00000000000000000000000000000000c0ffee00
  read -rs POINT_BATCHES_TOKEN && export POINT_BATCHES_TOKEN
  point-batches check payout.csv --type PHASE2_POINTS
  point-batches pay payout.csv --type PHASE2_POINTS --wait --report paid.csv
  point-batches list --status PENDING

Exit codes:
  0    done
  1    the file has errors, differs or cannot be read, or the result or a report cannot be written
  2    wrong usage: an option, the token or the address of the service
  3    the service refused it
  4    sent in part, or not followed to its end: the message says how to continue
  5    no answer from the service; nothing was sent
  6    stopped or not confirmed; nothing was sent
  70   an error of point-batches itself
npx ends with 130 after Ctrl-C, also when some batches are sent.`,
  );

addFileCommands(program, stop.signal);
addBatchCommands(program, stop.signal);
addClaimCommands(program, stop.signal);
addLoginCommand(program, stop.signal);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = end(error);
}

function end(error: unknown): number {
  // Commander has printed it. Help and version have the code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  // A prompt wraps the reason of the signal.
  const failure = failureOf(stop.signal.aborted && !(error instanceof Failure) ? stop.signal.reason : error);
  const { exitCode, message, facts } = failure;
  if (program.opts<{ json?: boolean }>().json)
    print(true, { success: false, exitCode, message, ...facts }, () => message);
  else say(message);
  return exitCode;
}
