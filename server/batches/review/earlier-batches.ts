import type { Fragment } from "postgres";
import type { Database } from "@/db/client";

/** Number of earlier finalized batches of the same contract and point type to compare with. */
const EARLIER_MAX = 50;
/** Max finalized batches read per range of ages. */
const READ_MAX = 500;
/** Ages before the batch, newest first, that are read one after another until there are enough. The last range is open. */
const AGES = ["0", "1 hour", "1 day", "7 days"] as const;

/** The batch to compare, as SQL: parameters, or columns of an outer query. */
interface Compared {
  contract: Fragment;
  pointType: Fragment;
  createdAt: Fragment;
  seq: Fragment;
}

/**
 * A select of the newest payments that were already finalized when a batch was submitted: `seq`, `points`, `transfer_count`.
 * Each branch is a bounded range of `batches_by_contract_type_status`, and the limit ends the reading. One long range would
 * read everything finalized since the submit first, which is a lot after a long wait.
 * @param pinned the routing condition on `contract_address`, if there is one
 */
export function earlierFinalized({ sql }: Pick<Database, "sql">, of: Compared, pinned: Fragment = sql``) {
  const branches = AGES.map((age, at) => {
    const oldest = AGES[at + 1];
    return sql`${at > 0 ? sql`union all` : sql``} (
      select seq, points, transfer_count from (
        select seq, points, transfer_count, finalized_at from batches
        where contract_address = ${of.contract} ${pinned} and point_type = ${of.pointType} and status = 'FINALIZED' and reverses_seq is null
          and (created_at, seq) < (${of.createdAt}, ${of.seq})
          and created_at <= ${of.createdAt} - ${age}::text::interval
          ${oldest ? sql`and created_at > ${of.createdAt} - ${oldest}::text::interval` : sql``}
        order by created_at desc, seq desc limit ${READ_MAX}
      ) as newest where finalized_at <= ${of.createdAt})`;
  });
  return sql`select seq, points, transfer_count from (${branches}) as earlier limit ${EARLIER_MAX}`;
}
