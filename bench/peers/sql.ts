import { createHash } from "node:crypto";
import postgres from "postgres";
import { v7 as uuidv7 } from "uuid";
import { formatPoints, parsePoints } from "@/server/kernel/values/points";
import { driveFor } from "../load/drive";
import type { LoadPlan, LoadResult, SubmitWork } from "../load/load-plan";
import { makeTransfers } from "../load/make-requests";

interface ReadyBatch {
  contract: Buffer;
  addresses: Buffer;
  points: string;
  total: string;
  digest: Buffer;
}

/** The limit: a submit's transaction through the driver, with prepared parameters and without any validation. */
export async function runSql(plan: LoadPlan & { work: SubmitWork }): Promise<LoadResult> {
  const sql = postgres(plan.url, { max: plan.connections, onnotice: () => undefined });
  const batches = Array.from({ length: plan.work.bodies }, (_, at) => makeBatch(plan, at));
  let next = 0;
  const workers = Array.from({ length: plan.connections }, () => null);
  const drive = await driveFor(plan, workers, async () => {
    await submit(sql, batches[next++ % batches.length]!, plan.work.transfers);
  });
  await sql.end({ timeout: 5 });
  return { ...drive, refused: 0, firstRefusal: null };
}

function makeBatch({ callers, work }: LoadPlan & { work: SubmitWork }, at: number): ReadyBatch {
  const rows = makeTransfers(work);
  const addresses = Buffer.from(rows.map((row) => row.toAddress.slice(2)).join(""), "hex");
  return {
    contract: Buffer.from(callers[at % callers.length]!.contractAddress.slice(2), "hex"),
    addresses,
    points: `{${rows.map((row) => row.points).join(",")}}`,
    total: formatPoints(rows.reduce((sum, row) => sum + parsePoints(row.points), 0n)),
    digest: createHash("sha256").update(addresses).digest(),
  };
}

function submit(sql: postgres.Sql, batch: ReadyBatch, transferCount: number) {
  return sql`
    with batch as (
      insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest, submitted_by,
        submit_request_id, created_at, finalize_at)
      values (${batch.contract}, ${uuidv7()}, 'PHASE2_POINTS', ${batch.total}::text::numeric, ${transferCount}::int, 3600,
        ${batch.digest}, 'token:sql', '', date_trunc('milliseconds', now()),
        date_trunc('milliseconds', now()) + interval '1 hour')
      returning seq, contract_address
    ), rows as (
      insert into transfers (batch_seq, contract_address, position, to_address, points)
      select b.seq, b.contract_address, u.position - 1,
        substring(${batch.addresses}::bytea from (u.position::int - 1) * 20 + 1 for 20), u.points
      from batch b, unnest(${batch.points}::text::numeric[]) with ordinality as u (points, position)
      returning 1
    )
    update accounts set pending = pending + ${batch.total}::text::numeric
    where address = ${batch.contract} and point_type = 'PHASE2_POINTS' and (select count(*) from rows) > 0`;
}
