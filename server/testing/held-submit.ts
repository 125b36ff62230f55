import type { Database } from "@/db/client";
import { SUBMIT_LOCK_SPACE } from "../batches/creation-order";
import type { SubmitBatchInput } from "../batches/submit-schema";
import { addressToBytes } from "../ledger/addresses";
import { submit } from "./factories";

/**
 * Starts a submit that has its creation time but cannot commit, for another transaction holds its account. `release`
 * lets it go on and gives its id.
 */
export async function holdSubmit(
  db: Database,
  batch: SubmitBatchInput,
): Promise<{ release(): Promise<string> }> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const holder = db.sql.begin(async (tx) => {
    await tx`select from accounts where address = ${addressToBytes(batch.contractAddress)}
      and point_type = ${batch.pointType}::point_type for update`;
    isLocked();
    await held;
  });
  await locked;
  const submitted = submit(db, batch);
  const inFlight = () => db.sql`
    select 1 from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.classid = ${SUBMIT_LOCK_SPACE}::int::oid and a.wait_event_type = 'Lock'
      and l.database = (select oid from pg_database where datname = current_database())`;
  while ((await inFlight()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    async release() {
      letGo();
      await holder;
      return await submitted;
    },
  };
}
