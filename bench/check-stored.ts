import type { Database } from "@/db/client";
import { pointsOfRow } from "./load/make-requests";

/** Where a contender keeps what it was sent. */
const STORES = {
  ours: { batches: "batches", transfers: "transfers", parent: "batch_seq" },
  payload: { batches: "batches", transfers: "batches_transfers", parent: "_parent_id" },
} as const;

export type Store = keyof typeof STORES;

/** Every batch that was sent is stored with all its rows and points. @throws Error otherwise: who stores less would be faster */
export async function checkStored(
  { sql }: Database,
  store: Store,
  sent: { batches: number; transfers: number },
): Promise<void> {
  const { batches, transfers, parent } = STORES[store];
  const points = Array.from({ length: sent.transfers }, (_, at) => pointsOfRow(at));
  const [found] = await sql<{ batches: number; whole: number }[]>`
    select (select count(*)::int from ${sql(batches)}) as batches,
      (select count(*)::int from (select count(*) as rows, sum(points::numeric) as points from ${sql(transfers)} group by ${sql(parent)}) as each
       where each.rows = ${sent.transfers} and each.points = (select sum(p) from unnest(${points}::text[]::numeric[]) as p)) as whole`;
  if (found?.batches === sent.batches && found.whole === sent.batches) return;
  throw new Error(
    `${sent.batches} batches of ${sent.transfers} were sent; ${found?.batches} are stored, ${found?.whole} of them whole.`,
  );
}
