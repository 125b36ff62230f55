import { afterAll, beforeAll, expect, test } from "vitest";
import { listBatches } from "../batches/list-batches";
import { expectLedgerToBalance } from "../testing/expect-ledger-to-balance";
import { balance, batchOf, finalize, newContract, submit, testContext, times } from "../testing/factories";
import { testDatabase } from "../testing/test-database";
import { checkLedger } from "./check-ledger";

/**
 * The migration that docs/scale.md plans for a large `transfers`, tried on a copy with data. Transfers are cut by the
 * number of their batch, which the primary key begins with; the old table becomes the first partition without a copy.
 */
const PARTITION = (from: string) => `
  alter table transfers rename to transfers_before;
  alter table transfers_before rename constraint transfers_batch_seq_contract_address_position_pk to transfers_before_pk;
  alter table transfers_before add constraint transfers_before_range check (batch_seq < ${from}) not valid;
  alter table transfers_before validate constraint transfers_before_range;
  create table transfers (like transfers_before including defaults,
    constraint transfers_batch_seq_contract_address_position_pk primary key (batch_seq, contract_address, position),
    constraint transfers_address_length check (octet_length(to_address) = 20),
    constraint transfers_points check (points > 0)) partition by range (batch_seq);
  drop trigger transfers_immutable on transfers_before;
  alter table transfers attach partition transfers_before for values from (minvalue) to (${from});
  create table transfers_next partition of transfers for values from (${from}) to (maxvalue);
  create trigger transfers_immutable before update or delete on transfers for each row execute function refuse_transfer_change()`;

let db: Awaited<ReturnType<typeof testDatabase>>;
let contract: string;
let boundary: string;
const RECIPIENT = 77;

beforeAll(async () => {
  db = await testDatabase();
  contract = await newContract(db);
  await times(20, (at) =>
    submit(
      db,
      batchOf(contract, [
        [RECIPIENT, "1"],
        [at + 1, "2"],
      ]),
    ),
  );
  await finalize(db);
  await times(5, (at) => submit(db, batchOf(contract, [[RECIPIENT, "1"]], { batchId: `waiting-${at}` })));
  const [last] = await db.sql<{ boundary: string }[]>`select (max(seq) + 1)::text as boundary from batches`;
  boundary = last!.boundary;
  await db.sql.begin(async (tx) => tx.unsafe(PARTITION(boundary)).simple());
});
afterAll(() => db?.drop());

const count = async (table: string) =>
  (await db.sql<{ count: number }[]>`select count(*)::int as count from ${db.sql(table)}`)[0]!.count;

test("what was stored before is all there, and the ledger balances", async () => {
  expect(await count("transfers")).toBe(45);
  expect(await count("transfers_before")).toBe(45);
  await expectLedgerToBalance(db);
});

test("batches of before are settled, and new ones go to the new partition", async () => {
  await submit(db, batchOf(contract, [[RECIPIENT, "1"]], { batchId: "new" }));
  expect(await count("transfers_next")).toBe(1);
  const run = await finalize(db);
  expect(run).toMatchObject({ batchesFinalized: 6, transfersSettled: 6, failure: null });
  expect((await balance(db, `0x${RECIPIENT.toString(16).padStart(40, "0")}`)).receivedCumulative).toBe("26");
  const { rows } = await listBatches(testContext(db), { contractAddress: contract, limit: 200 });
  expect(rows.every(({ status }) => status === "FINALIZED")).toBe(true);
  await expectLedgerToBalance(db);
});

test("a row of a partition is never changed, as before", async () => {
  await expect(db.sql`update transfers set points = 5 where batch_seq < ${boundary}::bigint`).rejects.toThrow(
    /never changed/,
  );
  await expect(db.sql`delete from transfers_before`).rejects.toThrow(/never changed/);
  await expect(db.sql`delete from transfers_next`).rejects.toThrow(/never changed/);
});

test("the transfers of one batch are looked for in one partition", async () => {
  const plan = await db.sql`explain select * from transfers
    where batch_seq = ${boundary}::bigint and contract_address = ${Buffer.from(contract.slice(2), "hex")} order by position`;
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).toContain("transfers_next");
  expect(text).not.toContain("transfers_before");
});

test("a partition that is detached is missed by the self-check, batch by batch, and put back it balances again", async () => {
  await db.sql`alter table transfers detach partition transfers_before`;
  const without = await checkLedger(db);
  const rules = new Set(without.findings.map(({ rule }) => rule));
  expect(rules).toContain("batches_match_transfers");
  expect(rules).toContain("accounts_match_transfers");
  await db.sql.unsafe(
    `alter table transfers attach partition transfers_before for values from (minvalue) to (${boundary})`,
  );
  await expectLedgerToBalance(db);
});

test("archived for good, what it held stands in sums per account, and every account still recomputes", async () => {
  await db.sql.begin(async (tx) =>
    tx
      .unsafe(`
    create table archived_sums as
      select address, point_type, sum(received) as received, sum(sent) as sent from (
        select t.to_address as address, b.point_type, t.points as received, 0::numeric as sent
        from batches b join transfers_before t on t.batch_seq = b.seq and t.contract_address = b.contract_address
        union all
        select t.contract_address, b.point_type, 0, t.points
        from batches b join transfers_before t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      ) as moved group by address, point_type;
    alter table transfers detach partition transfers_before`)
      .simple(),
  );
  const differing = await db.sql`
    with moved as (
      select b.contract_address, t.to_address, b.point_type, t.points from batches b
      join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address where b.status = 'FINALIZED'
    ), expected as (
      select address, point_type, sum(received) as received, sum(sent) as sent from (
        select to_address as address, point_type, points as received, 0::numeric as sent from moved
        union all select contract_address, point_type, 0, points from moved
        union all select address, point_type, received, sent from archived_sums) as changes group by 1, 2
    )
    select 1 from accounts a full join expected e using (address, point_type)
    where (coalesce(a.received, 0), coalesce(a.sent, 0)) <> (coalesce(e.received, 0), coalesce(e.sent, 0))`;
  expect(differing).toHaveLength(0);
  await db.sql.unsafe(
    `alter table transfers attach partition transfers_before for values from (minvalue) to (${boundary})`,
  );
  await expectLedgerToBalance(db);
});
