import type { ServiceContext } from "@/server/kernel/context";
import { snapshotNotFound } from "./list-holders";
import type { SnapshotOut } from "./schema";
import { storedRows } from "./snapshot-text";

export interface ExportedHolder {
  /** In lower case, as in the canonical text. */
  address: string;
  points: string;
}

/** By address. @throws DomainError `snapshot_not_found` when it is deleted meanwhile, so no file is short */
export async function* exportHolders(
  { db: { sql } }: ServiceContext,
  { id, holders }: Pick<SnapshotOut, "id" | "holders">,
): AsyncGenerator<ExportedHolder[], void, undefined> {
  let left = holders;
  for await (const row of storedRows(sql, id)) {
    left -= row.holders;
    yield row.text.match(/.+/g)!.map((line) => {
      const [address, points] = line.split(" ") as [string, string];
      return { address, points };
    });
  }
  if (left > 0) throw snapshotNotFound(`Snapshot ${id} was deleted while it was downloaded.`);
}
