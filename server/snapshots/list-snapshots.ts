import type { Fragment } from "postgres";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { SnapshotOut } from "./schema";

/** Of one contract, or over all contracts. */
export const ofScope = ({ db: { sql } }: Pick<ServiceContext, "db">, contract: Buffer | null) =>
  contract ? sql`contract_address = ${contract}` : sql`contract_address is null`;

/** The columns of `SnapshotOut`. */
export const shownColumns = ({ db: { sql } }: ServiceContext) => sql`
  id, name, point_type as "pointType", as_of as "asOf", includes_contracts as "includesContracts", status,
  requested_at as "requestedAt", finished_at as "finishedAt", holders::float8 as holders, points,
  left_out as "leftOut", ledger_total as "ledgerTotal", encode(digest, 'hex') as digest, failure`;

export const toSnapshotOut = (row: SnapshotOut): SnapshotOut =>
  withPoints(withTimes(row, "asOf", "requestedAt", "finishedAt"), "points", "leftOut", "ledgerTotal");

/** @param which a condition on `snapshots`, which may also be an order and a limit */
export async function readSnapshots(ctx: ServiceContext, which: Fragment): Promise<SnapshotOut[]> {
  const rows = await ctx.db.sql<SnapshotOut[]>`select ${shownColumns(ctx)} from snapshots where ${which}`;
  return rows.map(toSnapshotOut);
}

/** Newest first. Requesting one enforces the limit. */
export const listSnapshots = (
  ctx: ServiceContext,
  { contractAddress }: { contractAddress: string },
): Promise<SnapshotOut[]> =>
  readSnapshots(
    ctx,
    ctx.db.sql`${ofScope(ctx, addressToBytes(contractAddress))} order by requested_at desc, id desc`,
  );
