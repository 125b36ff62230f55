import type { Fragment } from "postgres";
import { contractLabels } from "@/server/batches/list/list-console-batches";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { snapshotNotFound } from "./list-holders";
import { ofScope, shownColumns, toSnapshotOut } from "./list-snapshots";
import { type ConsoleSnapshotsInput, SNAPSHOTS_MAX, type SnapshotInput, type SnapshotOut } from "./schema";

export type ConsoleSnapshot = Awaited<ReturnType<typeof readConsoleSnapshots>>[number];

/** @param which a condition on `snapshots`, which may also be an order and a limit */
export async function readConsoleSnapshots(ctx: ServiceContext, which: Fragment) {
  const rows = await ctx.db.sql<(SnapshotOut & { contract: Buffer | null; requestedBy: string })[]>`
    select ${shownColumns(ctx)}, contract_address as contract, requested_by as "requestedBy"
    from snapshots where ${which}`;
  const contracts = rows.flatMap(({ contract }) => contract ?? []);
  const labels = contracts.length > 0 ? await contractLabels(ctx, contracts) : null;
  return rows.map(({ contract, requestedBy, ...row }) => {
    const contractAddress = contract && addressFromBytes(contract);
    const contractLabel = (contractAddress && labels?.get(contractAddress)) ?? null;
    return { ...toSnapshotOut(row), contractAddress, contractLabel, requestedBy };
  });
}

/** A condition on `snapshots`. */
export function inScope(ctx: ServiceContext, { contractAddress, pointType }: ConsoleSnapshotsInput) {
  const { sql } = ctx.db;
  const contract = contractAddress ? addressToBytes(contractAddress) : null;
  return sql`${contractAddress === undefined ? sql`true` : ofScope(ctx, contract)}
    ${pointType ? sql`and point_type = ${pointType}::point_type` : sql``}`;
}

/** Newest first. Of one scope, these are all. */
export const listConsoleSnapshots = (
  ctx: ServiceContext,
  scope: ConsoleSnapshotsInput,
): Promise<ConsoleSnapshot[]> =>
  readConsoleSnapshots(
    ctx,
    ctx.db.sql`${inScope(ctx, scope)} order by requested_at desc, id desc limit ${SNAPSHOTS_MAX}`,
  );

/** In any status. @throws DomainError `snapshot_not_found` */
export async function getSnapshot(
  ctx: ServiceContext,
  { snapshotId }: SnapshotInput,
): Promise<ConsoleSnapshot> {
  const [snapshot] = await readConsoleSnapshots(ctx, ctx.db.sql`id = ${snapshotId}::uuid`);
  if (snapshot) return snapshot;
  throw snapshotNotFound(`There is no snapshot ${snapshotId}.`);
}

/** @throws DomainError `snapshot_not_found`, also while it is being taken and when it failed */
export async function getTaken(ctx: ServiceContext, input: SnapshotInput): Promise<ConsoleSnapshot> {
  const snapshot = await getSnapshot(ctx, input);
  if (snapshot.status === "TAKEN") return snapshot;
  throw snapshotNotFound(`Snapshot ${snapshot.id} is ${snapshot.status}, so it has no holders.`);
}
