import { type Command, InvalidArgumentError, Option } from "commander";
import { someOf } from "@/db/migrate";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { openBefore } from "@/server/ledger/settled-through";
import { deleteSnapshot } from "@/server/snapshots/delete-snapshot";
import { readSnapshots } from "@/server/snapshots/list-snapshots";
import { requestSnapshot } from "@/server/snapshots/request-snapshot";
import type { SnapshotOut } from "@/server/snapshots/schema";
import { STILL_OPEN, takeSnapshots } from "@/server/snapshots/take-snapshot";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { parseInstant } from "@/terms/fields";
import * as argument from "./command";
import { onDatabase, untilDone } from "./command";

export function addSnapshotCommands(program: Command): void {
  const snapshot = program.command("snapshot").description("who holds what at an instant");
  snapshot
    .command("take")
    .description("freeze all holdings and wait until it is done; exits with 1 if it fails")
    .addOption(new Option("--type <type>", "the point type").choices(POINT_TYPES).makeOptionMandatory())
    .option("--contract <address>", "only what this contract paid", argument.address)
    .option("--name <name>", "what it is for (default: its points and time)", argument.label)
    .option("--as-of <time>", "an ISO 8601 time; of a date, 00:00 UTC (default: now)", pastTime)
    .option("--include-contracts", "count registered contracts as holders")
    .action(onDatabase(take));
  snapshot.command("list").description("list all snapshots, newest first").action(onDatabase(list));
  snapshot
    .command("delete")
    .description("delete a snapshot with its holders")
    .requiredOption("--id <id>", "the snapshot's ID", argument.idOf("a snapshot"))
    .action(onDatabase(remove));
}

function pastTime(value: string): string {
  const ms = parseInstant(value);
  if (ms === null) throw new InvalidArgumentError("must be an ISO 8601 time");
  return new Date(ms).toISOString();
}

interface TakeOptions {
  type: PointType;
  contract?: string;
  name?: string;
  asOf?: string;
  includeContracts?: true;
}

const SILENT_STEPS_MAX = 10;

/** Takes it, unless the running service has begun to. */
async function take(
  ctx: ServiceContext,
  { type: pointType, contract: contractAddress, ...rest }: TakeOptions,
) {
  const { id, asOf } = await requestSnapshot(ctx, { ...rest, pointType, contractAddress });
  let steps = 0;
  const snapshot = await untilDone(async () => {
    await takeSnapshots(ctx.db);
    const [found] = await readSnapshots(ctx, ctx.db.sql`id = ${id}::uuid`);
    if (!found) throw invalid("The snapshot was deleted while it was being taken.");
    if (found.status !== "RUNNING") return found;
    const open = ++steps === SILENT_STEPS_MAX ? await openBefore(ctx.db, asOf) : null;
    if (open?.length) process.stderr.write(`Waiting. ${STILL_OPEN}: ${someOf(open)}.\n`);
    return null;
  });
  return { text: reportOf(snapshot), json: snapshot, exitCode: snapshot.failure ? 1 : 0 };
}

const headOf = ({ id, name, pointType, asOf, status }: SnapshotOut) =>
  `${id}  ${status}  ${pointType} as of ${asOf}  “${name}”`;

function reportOf(snapshot: SnapshotOut): string {
  const { failure, holders, points, leftOut, ledgerTotal, digest } = snapshot;
  if (failure) return `${headOf(snapshot)}\n${failure}`;
  return [
    headOf(snapshot),
    `${points} held by ${holders} + ${leftOut} left out = ${ledgerTotal}, the ledger's total`,
    `digest ${digest}`,
  ].join("\n");
}

async function list(ctx: ServiceContext) {
  const snapshots = await readSnapshots(ctx, ctx.db.sql`true order by requested_at desc, id desc`);
  return { text: snapshots.map(headOf).join("\n") || "There are no snapshots.", json: snapshots };
}

async function remove(ctx: ServiceContext, { id: given }: { id: string }) {
  await deleteSnapshot(ctx, { snapshotId: given }, removeAllocationsOf);
  return { text: `Deleted snapshot ${given}.`, json: { id: given } };
}
