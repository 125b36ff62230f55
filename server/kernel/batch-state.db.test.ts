import { describe, expect, test } from "vitest";
import { BATCH_STATUSES, type BatchStatus } from "@/terms/batch-terms";
import { constraintOf } from "@/testing/expectations";
import { shifted, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";

const { db, newContract, submit } = useLedger({ balances: false });

/** The columns that each status requires (constraint `batches_status_times`). */
const COLUMNS: Record<BatchStatus, string> = {
  PENDING: "updated_at = null, lease_until = null, finalized_at = null, cancelled_at = null",
  CANCELLED: "updated_at = now(), lease_until = null, finalized_at = null, cancelled_at = now()",
  FINALIZING: "updated_at = now(), lease_until = now(), finalized_at = null, cancelled_at = null",
  FINALIZED: "updated_at = now(), lease_until = null, finalized_at = now(), cancelled_at = null",
};
const become = (status: BatchStatus, id: string) =>
  `update batches set status = '${status}', ${COLUMNS[status]} where id = '${id}'`;

/** CANCELLED and FINALIZED are final. */
const NEXT: Record<BatchStatus, BatchStatus[]> = {
  PENDING: ["FINALIZING", "CANCELLED"],
  CANCELLED: [],
  FINALIZING: ["FINALIZED"],
  FINALIZED: [],
};
const pairs = BATCH_STATUSES.flatMap((from) => BATCH_STATUSES.map((to) => [from, to] as const));

describe("the database allows exactly three status transitions", () => {
  test.each(pairs)("%s → %s", async (from, to) => {
    const id = `${from}-${to}`;
    await submit(await newContract(), [[1, "1"]], { batchId: id, secondsToFinalize: 60 });
    await withoutTriggers(db, become(from, id));
    // Renewing a lease or rewriting a PENDING row does not change the status.
    const staysOpen = from === to && (from === "PENDING" || from === "FINALIZING");
    const change = db.sql.unsafe(become(to, id));
    if (NEXT[from].includes(to) || staysOpen) expect((await change).count).toBe(1);
    else await expect(change).rejects.toThrow("illegal change of batch");
  });
});

test.each([
  "contract_address = decode(repeat('ee', 20), 'hex')",
  "id = 'other'",
  "point_type = 'PHASE2_GOLD'",
  "points = points + 1",
  "transfer_count = transfer_count + 1",
  "digest = decode(repeat('ee', 32), 'hex')",
  `created_at = ${shifted("created_at", -1)}`,
  `finalize_at = ${shifted("finalize_at", -1)}`,
])("no update can set %s", async (change) => {
  const id = `fixed-${change.replaceAll(/\W/g, "-")}`.slice(0, 64);
  await submit(await newContract(), [[1, "1"]], { batchId: id, secondsToFinalize: 60 });
  // Citus itself refuses to move a row to a different contract.
  await expect(db.sql.unsafe(`update batches set ${change} where id = '${id}'`)).rejects.toThrow(
    /illegal change of batch|modifying the partition value/,
  );
});

test("constraints on the balances reject invalid changes", async () => {
  const contract = await newContract();
  const row = db.sql`address = ${Buffer.from(contract.slice(2), "hex")}`;
  expect(await constraintOf(db.sql`update accounts set pending = 1 where ${row}`)).toBe("accounts_available");
  expect(await constraintOf(db.sql`update accounts set pending = -1 where ${row}`)).toBe(
    "accounts_not_negative",
  );
  const short = db.sql`insert into accounts (address, point_type) values ('\\x00', 'PHASE2_GOLD')`;
  expect(await constraintOf(short)).toBe("accounts_address_length");
});
