import type { Database } from "@/db/client";
import { pointsOfRow } from "./load/make-requests";

/** How a contender stores what it was sent. Each query returns the rows and points of every batch. */
const STORES = {
  packed: `select length(addresses) / 20 as rows, (select sum(p) from unnest(points) as p) as points from batch_transfers`,
  rows: `select count(*) as rows, sum(points) as points from transfers group by batch_seq, contract_address`,
  payload: `select count(*) as rows, sum(points::numeric) as points from batches_transfers group by _parent_id`,
} as const;

/** `packed` is the service's format; the hand-written peers store a row per transfer. */
export type Store = keyof typeof STORES;

/** Checks that every sent batch is stored with all its rows and points, because storing less would be faster. @throws Error if not */
export async function checkStored(
  { sql }: Database,
  store: Store,
  sent: { batches: number; transfers: number },
): Promise<void> {
  const points = Array.from({ length: sent.transfers }, (_, at) => pointsOfRow(at));
  const [found] = await sql<{ batches: number; whole: number }[]>`
    select (select count(*)::int from batches) as batches,
      (select count(*)::int from (${sql.unsafe(STORES[store])}) as each
       where each.rows = ${sent.transfers} and each.points = (select sum(p) from unnest(${points}::text[]::numeric[]) as p)) as whole`;
  if (found?.batches === sent.batches && found.whole === sent.batches) return;
  throw new Error(
    `${sent.batches} batches of ${sent.transfers} were sent; ${found?.batches} are stored, ${found?.whole} of them complete.`,
  );
}
