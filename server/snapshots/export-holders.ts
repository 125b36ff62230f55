import type { ServiceContext } from "@/server/kernel/context";
import { shortestPoints } from "@/terms/points";
import { type HolderRow, readHoldersAfter, snapshotNotFound } from "./list-holders";
import type { SnapshotOut } from "./schema";

export interface ExportedHolder {
  /** In lower case, as in the canonical text. */
  address: string;
  points: string;
}

/** As many as are in a packed row, so that few are in memory. */
const PAGE_HOLDERS = 10_000;

/** By address. @throws DomainError `snapshot_not_found` when it is deleted meanwhile, so no file is short */
export async function* exportHolders(
  ctx: ServiceContext,
  { id, holders }: Pick<SnapshotOut, "id" | "holders">,
): AsyncGenerator<ExportedHolder[], void, undefined> {
  let rows: HolderRow[] = [];
  for (let exported = 0; exported < holders; exported += rows.length) {
    rows = await readHoldersAfter(ctx, id, rows.at(-1)?.address ?? Buffer.alloc(0), PAGE_HOLDERS);
    if (rows.length === 0) throw snapshotNotFound(`Snapshot ${id} was deleted while it was downloaded.`);
    yield rows.map(({ address, points }) => ({
      address: `0x${address.toString("hex")}`,
      points: shortestPoints(points),
    }));
  }
}
