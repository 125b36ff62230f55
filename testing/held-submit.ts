import type { Database } from "@/db/client";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { addressToBytes } from "@/server/kernel/values/addresses";
import { SUBMIT_LOCK_SPACE } from "@/server/ledger/creation-order";
import { submit } from "./factories";
import { waitsForLock } from "./until-blocked";

/**
 * Starts a submit that has its creation time but cannot commit, because another transaction locks its account. `release`
 * unlocks it and returns the id.
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
    await tx`select 1 from accounts where address = ${addressToBytes(batch.contractAddress)}
      and point_type = ${batch.pointType}::point_type for update`;
    isLocked();
    await held;
  });
  await locked;
  const submitted = submit(db, batch);
  while (!(await oneIsInFlight(db))) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    async release() {
      letGo();
      await holder;
      return await submitted;
    },
  };
}

async function oneIsInFlight(db: Database): Promise<boolean> {
  const submits = await db.sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and classid = ${SUBMIT_LOCK_SPACE}::int::oid
      and database = (select oid from pg_database where datname = current_database())`;
  for (const { pid } of submits) if (await waitsForLock(db, pid)) return true;
  return false;
}
