import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, LIMITS, newContract, setRule, wallet } from "@/testing/factories";
import { type TestDatabase, useDatabase } from "@/testing/test-database";
import { prepareBatch } from "./digest";
import { storeTogether } from "./store-together";
import { submitBatch } from "./submit-batch";
import type { SubmitBatchInput } from "./submit-schema";

const alone = useDatabase();
const together = useDatabase();

const PLAIN = wallet(0xa1);
const PREFUNDED = wallet(0xa2);
const RULED = wallet(0xa3);
const REVIEWED = wallet(0xa4);
const ANN = "staff:ann@example.com";

/** The same contracts, rules and webhooks in both databases. */
async function prepare(db: TestDatabase): Promise<void> {
  for (const address of [PLAIN, RULED, REVIEWED]) await newContract(db, { address });
  await newContract(db, { address: PREFUNDED, issuance: "PREFUNDED", granted: "100" });
  await setRule(db, RULED, { threshold: "3" });
  await setRule(db, REVIEWED, { threshold: "50", onUnusual: true });
  const hooks = [
    [PLAIN, "{batch.created}", null],
    [PLAIN, "{batch.created,batch.cancelled}", null],
    [PLAIN, "{batch.cancelled}", null],
    [PLAIN, "{batch.created}", "staff"],
    [RULED, "{batch.created}", null],
  ] as const;
  for (const [contract, events, disabled] of hooks)
    await db.sql`
      insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by, disabled_at,
        disabled_reason)
      values (${addressToBytes(contract)}, 'https://example.com/', ${events}, '\\x00', 'ops',
        case when ${disabled}::text is not null then now() end, ${disabled})`;
  const before = batchOf(PLAIN, [[1, "4"]], { batchId: "before" });
  await submitBatch({ db, actor: "token:a", requestId: "r0" }, LIMITS, before);
  await cancelBatch({ db, actor: "token:a", requestId: "r1" }, { contractAddress: PLAIN, batchId: "before" });
}

const NASTY = {
  plain: "3",
  '"quoted", {braced} \\': "NULL",
  "Łódź\n\t": "it's \\N, {\"a\": 'b'}\\",
  "🂡": " ",
};
const rows = (...points: string[]) => points.map((amount, at) => [at + 1, amount] as const);
const many = Array.from({ length: 500 }, (_, at) => [0x1000 + at, `0.${at + 10}`] as const);

interface Sent {
  input: SubmitBatchInput;
  actor: string;
  tokenCreatedBy?: string | null;
}
const token = (input: SubmitBatchInput, tokenCreatedBy: string | null = null): Sent => ({
  input,
  actor: "token:live",
  tokenCreatedBy,
});

const SENT: Sent[] = [
  token(batchOf(PLAIN, rows("1", "2.5"), { batchId: "metadata", metadata: NASTY })),
  token(batchOf(PLAIN, rows("3"), { batchId: "gold", pointType: "PHASE2_GOLD", secondsToFinalize: 3600 })),
  token(batchOf(RULED, rows("2"), { batchId: "below", secondsToFinalize: null }), ANN),
  token(batchOf(PREFUNDED, rows("60"), { batchId: "60" }), ANN),
  token(batchOf(PLAIN, rows("1", "2.5"), { batchId: "metadata", metadata: NASTY })),
  token(batchOf(PLAIN, rows("9"), { batchId: "metadata" })),
  token(batchOf(PREFUNDED, rows("40"), { batchId: "40" })),
  token(batchOf(RULED, rows("1", "2"), { batchId: "threshold", metadata: { a: "b" } }), ANN),
  token(batchOf(RULED, rows("3"), { batchId: "gold", pointType: "PHASE2_GOLD" }), "ops"),
  token(batchOf(RULED, rows("3"), { batchId: "creator-unknown" })),
  token(batchOf(REVIEWED, rows("1"), { batchId: "review" })),
  token(batchOf(REVIEWED, rows("50"), { batchId: "review-by-threshold" }), ANN),
  token(batchOf(wallet(0x99), rows("1"), { batchId: "of-nobody" })),
  token(batchOf(PLAIN, many, { batchId: "many", secondsToFinalize: 1 })),
  { input: batchOf(PLAIN, rows("100.000000000001"), { batchId: "~.:_-Z" }), actor: `operator:${PLAIN}` },
];
const REQUEST = "the request of the batch";
const contextOf = (db: TestDatabase, { actor, tokenCreatedBy }: Sent, at: number): ServiceContext => ({
  db,
  actor,
  tokenCreatedBy,
  requestId: `${REQUEST} "${at}", {x}`,
});

/** Instants that the statement sets. Others are defaults, such as the start of the transaction. */
const OF_ITS_CREATION = new Set([
  "batches.created_at",
  "batches.finalize_at",
  "batch_metadata.created_at",
  "webhook_deliveries.event_at",
]);

interface Stored {
  seq: string;
  id: string;
  createdAt: string;
  finalizeAt: string;
}

/** Every row of every table, without what differs between two runs of the same batches. */
async function everyRow({ sql }: TestDatabase): Promise<Map<string, string[]>> {
  const batches = await sql<Stored[]>`
    select seq, contract_address || id as id, created_at as "createdAt", finalize_at as "finalizeAt"
    from batches`;
  const bySeq = new Map(batches.map((batch) => [batch.seq, batch]));
  const columns = await sql<{ table: string; column: string; type: string }[]>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public' order by table_name, column_name`;

  const comparable = ({ table, column, type }: (typeof columns)[number], row: Record<string, unknown>) => {
    const value = row[column];
    // What the latest statement issued, however many batches that was.
    if (value === null || column === "issued_last") return null;
    if (column === "request_id" && !String(value).startsWith(REQUEST)) return "another request";
    if (column.endsWith("seq")) return bySeq.get(String(value))?.id ?? "another number";
    if (type === "uuid" || (type === "bigint" && column === "id")) return "an ID";
    if (!type.startsWith("timestamp")) return value;
    const batch = bySeq.get(String(row.batch_seq ?? row.seq));
    if (!batch || !OF_ITS_CREATION.has(`${table}.${column}`)) return "an instant";
    return value === batch.createdAt ? "created" : value === batch.finalizeAt ? "due" : "another instant";
  };

  const stored = new Map<string, string[]>();
  for (const table of new Set(columns.map((column) => column.table))) {
    const own = columns.filter((column) => column.table === table);
    const rows = await sql<Record<string, unknown>[]>`select * from ${sql(table)}`;
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(own.map((column) => [column.column, comparable(column, row)]))),
    );
    stored.set(table, lines.sort());
  }
  return stored;
}

test("batches that share a statement leave the same rows in every table as one by one", async () => {
  for (const db of [alone, together]) await prepare(db);
  const isNew: boolean[] = [];
  for (const [at, sent] of SENT.entries())
    isNew.push(
      await submitBatch(contextOf(alone, sent, at), LIMITS, sent.input).then(
        ({ replayed }) => !replayed,
        () => false,
      ),
    );
  const verdicts = await storeTogether(
    SENT.map((sent, at) => ({
      ctx: contextOf(together, sent, at),
      input: sent.input,
      batchId: sent.input.batchId!,
      batch: prepareBatch(sent.input, LIMITS),
      storeAlone: () => Promise.reject(new Error("The statement decides.")),
    })),
  );
  expect(verdicts).toEqual(isNew.map((stored) => (stored ? "stored" : "kept")));
  const [expected, found] = [await everyRow(alone), await everyRow(together)];
  expect(expected.get("batches")).toHaveLength(SENT.length - 3 + 1);
  for (const [table, rowsAlone] of expected) expect(found.get(table), table).toEqual(rowsAlone);
  for (const db of [alone, together]) await expectLedgerToBalance(db);
});
