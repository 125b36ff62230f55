import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { arrivedLate, Errand } from "@/db/errand";
import { onErrand } from "@/db/on-errand";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import { setKeyRequired } from "@/server/contracts/change-contract";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { isDistributed } from "@/server/kernel/shards";
import type { DomainError } from "@/terms/problems";
import { answerStatement } from "@/testing/changed-statements";
import { groupsStored } from "@/testing/expectations";
import { explain, nodesOf, statementsOf } from "@/testing/explain";
import { batchOf, LIMITS, setRule, submit as submitTo, testContext, times } from "@/testing/factories";
import { holdSubmit } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { prepareBatch } from "./digest";
import { storeTogether } from "./store-together";
import { type SubmittedBatch, submitBatch } from "./submit-batch";
import type { ReadyBatch } from "./submit-line";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, submit, balance } = useLedger();

const ROWS = [[1, "1"] as const, [2, "2.5"] as const];

const ready = (input: SubmitBatchInput, ctx: ServiceContext): ReadyBatch => ({
  ctx,
  input,
  batchId: input.batchId ?? randomUUID(),
  batch: prepareBatch(input, LIMITS),
  storeAlone: () => Promise.reject(new Error("The statement decides.")),
});
/** Stores batches in one statement. */
const together = (batches: readonly SubmitBatchInput[], ctx = context()) =>
  storeTogether(batches.map((batch) => ready(batch, ctx)));
/** Submits them at the same time, so that all but the first share statements. @returns the outcome of each */
const submitAll = (batches: readonly SubmitBatchInput[], ctx = context()) =>
  Promise.all(batches.map((batch) => submitBatch(ctx, LIMITS, batch).catch((error: unknown) => error)));

/** Batches of a contract by ID, with the number of the transaction that stored them. */
const storedOf = (contract: string) => db.sql<{ id: string; xmin: string; points: string }[]>`
  select id, xmin::text, trim_scale(points)::text as points from batches
  where contract_address = ${addressToBytes(contract)} order by seq`;

describe("batches that share a statement are each stored as if they came alone", () => {
  test("in one transaction, in order of arrival, whole", async () => {
    const contracts = await times(3, () => newContract());
    const batches = Array.from({ length: 12 }, (_, at) =>
      batchOf(contracts[at % 3]!, [[1, "1"] as const, [2, `0.${at + 10}`] as const], { batchId: `b${at}` }),
    );
    expect(await together(batches)).toEqual(batches.map(() => "stored"));
    const stored = (await Promise.all(contracts.map(storedOf))).flat();
    expect(new Set(stored.map(({ xmin }) => xmin)).size).toBe(1);
    for (const contract of contracts) {
      const ids = batches.filter((one) => one.contractAddress === contract).map((one) => one.batchId);
      expect((await storedOf(contract)).map(({ id }) => id)).toEqual(ids);
    }
  });

  test("an ON_DEMAND contract is issued exactly what each batch lacks, and no more", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "4"]], { batchId: "four" });
    await cancelBatch(context(), { contractAddress: contract, batchId: "four" });
    const points = ["3", "2", "5"];
    await together(points.map((amount) => batchOf(contract, [[1, amount]])));
    const issued = await db.sql`
      select trim_scale(i.points)::text as points, trim_scale(b.points)::text as of
      from issuances i join batches b on b.seq = i.batch_seq and b.contract_address = i.contract_address
      where i.contract_address = ${addressToBytes(contract)} and b.status = 'PENDING' order by b.seq`;
    expect(issued).toEqual([
      { points: "1", of: "2" },
      { points: "5", of: "5" },
    ]);
    expect(await balance(contract)).toMatchObject({ available: "0", pendingSent: "10" });
  });

  test("a PREFUNDED contract that is short is refused with its own figures, and its neighbours are stored", async () => {
    const [short, other] = [
      await newContract({ issuance: "PREFUNDED", granted: "10" }),
      await newContract({ issuance: "PREFUNDED", granted: "10" }),
    ];
    const batches = [
      batchOf(short, [[1, "6"]], { batchId: "6" }),
      batchOf(other, [[1, "10"]], { batchId: "10" }),
      batchOf(short, [[1, "5"]], { batchId: "5" }),
      batchOf(short, [[1, "4"]], { batchId: "4" }),
    ];
    expect(await together(batches)).toEqual(["stored", "stored", "alone", "alone"]);
    const outcomes = await submitAll(batches);
    expect(outcomes.map((one) => (one as DomainError).code ?? (one as SubmittedBatch).replayed)).toEqual([
      true,
      true,
      "insufficient_points",
      false,
    ]);
    expect(outcomes[2]).toMatchObject({ options: { extra: { asked: "5" } } });
    expect(await balance(short)).toMatchObject({ available: "0", pendingSent: "10" });
  });

  test("one without a key of a contract that requires it is left to the statement that refuses it, and its neighbours are stored with what they say about keys", async () => {
    const [requiring, other] = [await newContract(), await newContract()];
    await setKeyRequired(context("ops"), { contractAddress: requiring, required: true });
    const batches = [
      batchOf(requiring, ROWS),
      batchOf(requiring, ROWS, { batchId: "named" }),
      batchOf(other, ROWS),
      batchOf(other, ROWS, { batchId: "named" }),
    ];
    expect(await together(batches)).toEqual(["alone", "stored", "stored", "stored"]);
    const stored = await db.sql`
      select keyless, count(*)::int as count from batches
      where contract_address in (${addressToBytes(requiring)}, ${addressToBytes(other)})
      group by keyless order by keyless`;
    expect([...stored]).toEqual([
      { keyless: false, count: 2 },
      { keyless: true, count: 1 },
    ]);
  });

  test("a repeat, other content under its ID and an unknown contract are answered as if they came later", async () => {
    const contract = await newContract();
    const one = batchOf(contract, ROWS, { batchId: "same" });
    const batches = [
      one,
      one,
      batchOf(contract, [[1, "7"]], { batchId: "same" }),
      batchOf(`0x99${"0".repeat(38)}`, ROWS),
    ];
    expect(await together(batches)).toEqual(["stored", "kept", "kept", "kept"]);
    const outcomes = await submitAll(batches);
    for (const outcome of outcomes.slice(0, 2)) expect(outcome).toEqual({ batchId: "same", replayed: true });
    expect(outcomes[2]).toMatchObject({ code: "batch_id_conflict" });
    expect(outcomes[3]).toMatchObject({ code: "contract_not_found" });
    expect(await storedOf(contract)).toHaveLength(1);
  });

  test("metadata, events, approval rules and the token's creator belong to their own batch", async () => {
    const [plain, ruled] = [await newContract(), await newContract()];
    await setRule(db, ruled, { threshold: "3" });
    for (const contract of [plain, ruled])
      await db.sql`insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by)
        values (${addressToBytes(contract)}, 'https://example.com/hook', '{batch.created}', '\\x00', 'ops')`;
    await together(
      [
        batchOf(plain, ROWS, { batchId: "plain", metadata: { season: "3", team: "Łódź, {a}" } }),
        batchOf(ruled, ROWS, { batchId: "large", metadata: { season: "4" } }),
        batchOf(ruled, [[1, "1"]], { batchId: "small" }),
      ],
      { ...context(), tokenCreatedBy: "staff:ann@example.com" },
    );
    const rows = await db.sql`
      select b.id, b.approval_need as need, b.awaits_approval as awaits, b.token_created_by as creator,
        (select json_object_agg(m.key, m.value order by m.key) from batch_metadata m
          where m.contract_address = b.contract_address and m.batch_seq = b.seq) as metadata,
        (select count(*)::int from webhook_deliveries d
          where d.contract_address = b.contract_address and d.batch_seq = b.seq) as events
      from batches b where b.contract_address in ${db.sql([plain, ruled].map(addressToBytes))} order by b.id`;
    const creator = "staff:ann@example.com";
    expect(rows).toEqual([
      { id: "large", need: "THRESHOLD", awaits: true, creator, metadata: { season: "4" }, events: 1 },
      {
        id: "plain",
        need: null,
        awaits: false,
        creator: null,
        metadata: { season: "3", team: "Łódź, {a}" },
        events: 1,
      },
      { id: "small", need: null, awaits: false, creator, metadata: null, events: 1 },
    ]);
  });

  test("a contract with a daily threshold still counts each of its batches towards the day", async () => {
    const contract = await newContract();
    await setRule(db, contract, { threshold: "100", dayThreshold: "10" });
    const batches = Array.from({ length: 5 }, () => batchOf(contract, [[1, "4"]]));
    expect(await together(batches)).toEqual(batches.map(() => "alone"));
    await submitAll(batches);
    const [row] = await db.sql`
      select count(*)::int as stored, count(*) filter (where awaits_approval)::int as awaiting
      from batches where contract_address = ${addressToBytes(contract)}`;
    expect(row).toEqual({ stored: 5, awaiting: 3 });
  });
});

describe("nobody pays for another's batch", () => {
  test("a batch that the database rejects fails alone, with its own error", async () => {
    const contract = await newContract();
    const batches = [
      batchOf(contract, ROWS, { batchId: "good" }),
      batchOf(contract, [[1, "1"] as const, [2, "0"] as const], { batchId: "broken" }),
      batchOf(contract, ROWS, { batchId: "also good" }),
    ];
    await expect(together(batches)).rejects.toMatchObject({ code: "23514" });
    expect(await storedOf(contract)).toEqual([]);
    const outcomes = await submitAll(batches);
    expect(outcomes[1]).toMatchObject({ code: "23514" });
    expect((await storedOf(contract)).map(({ id }) => id).sort()).toEqual(["also good", "good"]);
  });

  test("while one contract's account is locked, the others are stored", async () => {
    const [locked, ...others] = (await times(4, () => newContract())) as [string, ...string[]];
    const { release } = await holdSubmit(db, batchOf(locked, ROWS));
    const [waits, ...stored] = [locked, ...others].map((contract) => submit(batchOf(contract, ROWS)));
    await Promise.all(stored);
    await Promise.all([release(), waits]);
    expect(await storedOf(locked)).toHaveLength(2);
    const { release: releaseAgain } = await holdSubmit(db, batchOf(locked, ROWS));
    const shared = together([locked, ...others].map((contract) => batchOf(contract, ROWS)));
    await expect(shared).rejects.toMatchObject({ code: "55P03" });
    await releaseAgain();
  });

  test("a commit whose reply is lost stores each batch once, and every caller gets its ID", async () => {
    const contract = await newContract();
    const answer = async (ask: () => Promise<unknown>) => {
      await ask();
      throw Object.assign(new Error("CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
    };
    const lossy = testContext(answerStatement(db, "locked_time", answer));
    const ids = ["a", "b", "c", "d"];
    const outcomes = await submitAll(
      ids.map((batchId) => batchOf(contract, ROWS, { batchId })),
      lossy,
    );
    expect(outcomes.map((one) => (one as SubmittedBatch).batchId)).toEqual(ids);
    expect(await storedOf(contract)).toHaveLength(ids.length);
  });
});

test("an ascending reader misses and repeats none of what two processes store together", async () => {
  const contract = await newContract();
  const list = (cursor?: string) =>
    listBatches(context(), { contractAddress: contract, sort: "ASC", limit: 7, cursor });
  const seen: string[] = [];
  let isOver = false;
  const read = async () => {
    let cursor: string | undefined;
    for (;;) {
      const isLast = isOver;
      const page = await list(cursor);
      // The last page so far is read again, because it may have grown.
      if (page.cursor === null && !isLast) continue;
      seen.push(...page.rows.map(({ id }) => id));
      if (page.cursor === null) return;
      cursor = page.cursor;
    }
  };
  const other = createDatabase({ url: db.url, poolMax: 5, timeoutSeconds: 30, pooler: "none" });
  // In each process the first batch is another contract's. However long that takes, the others go together.
  const first = await newContract();
  for (const own of [db, other]) await isDistributed(own);
  const send = async () => {
    for (let round = 0; round < 10; round++)
      await times(24, (at) => submitTo(at % 2 ? other : db, batchOf(at < 2 ? first : contract, ROWS)));
    await other.close();
    // A reader sees what was created before the current millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2));
    isOver = true;
  };
  await Promise.all([read(), send()]);
  const stored = await db.sql<{ id: string }[]>`
    select id from batches where contract_address = ${addressToBytes(contract)} order by created_at, seq`;
  expect(stored).toHaveLength(220);
  expect(seen).toEqual(stored.map(({ id }) => id));
  expect(await groupsStored(db)).toBeGreaterThan(0);
});

test("a batch whose statement Postgres gets after its caller's wait is not stored, alone or with others", async () => {
  const contract = await newContract();
  const late = () => {
    const errand = new Errand(() => 3_600_000);
    errand.clock = { databaseMs: Date.now() - 3_630_000, atMs: performance.now() };
    return testContext(onErrand(db, [errand]));
  };
  const inTime = context();
  const inputs = [1, 2, 3].map((at) => batchOf(contract, ROWS, { batchId: `late-${at}` }));
  const [one, two, three] = inputs as [SubmitBatchInput, SubmitBatchInput, SubmitBatchInput];
  const refused = [
    await storeTogether([ready(one, inTime), ready(two, late())]).catch((error: Error) => error),
    await submitBatch(late(), LIMITS, three).catch((error: Error) => error),
  ];
  expect(refused.map((error) => arrivedLate(error as Error))).toEqual([true, true]);
  expect([...(await storedOf(contract))]).toEqual([]);
  expect(await balance(contract)).toMatchObject({ pendingSent: "0" });
});

test("the shared statement reads only the rows of its contracts, however many there are", async () => {
  const [x, y] = [await newContract(), await newContract()];
  await db.sql`insert into contracts (address, label)
    select decode('70' || lpad(to_hex(n), 38, '0'), 'hex'), 'A contract' from generate_series(1, 20000) as n`;
  await db.sql`insert into accounts (address, point_type)
    select address, kind from contracts, unnest(enum_range(null::point_type)) as kind on conflict do nothing`;
  await db.sql`insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by)
    select address, 'https://example.com/', array['batch.created'], '\\x00', 'test' from contracts`;
  await db.sql`analyze contracts, accounts, webhook_endpoints`;
  const { sent } = await statementsOf(db.url, (sql) =>
    together([batchOf(x, ROWS), batchOf(y, ROWS)], testContext({ ...db, sql })),
  );
  const { text } = sent.find((one) => one.text.includes("locked_time"))!;
  const scanned = nodesOf(await explain(db, text, [], { generic: true }))
    .filter((node) => node["Node Type"] === "Seq Scan")
    .map((node) => node["Relation Name"]);
  // The table of rules is empty here.
  expect(scanned.filter((table) => table !== "approval_rules")).toEqual([]);
});
