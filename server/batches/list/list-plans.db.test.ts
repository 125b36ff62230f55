import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { encodeCursor } from "@/server/kernel/cursor";
import { explain, nodesOf, type PlanNode, recordStatements, rowsRead } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, useContract } = useLedger({ balances: false });
const contract = useContract();

/**
 * 20,000 batches in a minute: half are of the listed contract, the others of thousands with five each. A tenth are gold, a fifth
 * are cancelled. They are ordered by contract, type and status on disk, so that a scan by time alone is expensive, as it is with
 * millions.
 */
beforeAll(async () => {
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
     select contract, 'b-' || n, point_type, status, 1, 1, 60, sha256(n::text::bytea), 'token:test', 'r', at,
       at + interval '1 minute', at, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end
     from (
       select n, case when n % 2 = 0 then decode('${contract.slice(2)}', 'hex')
           else substring(sha256((n % 4000)::text::bytea) for 20) end as contract,
         (case when n / 2 % 10 = 0 then 'PHASE2_GOLD' else 'PHASE2_POINTS' end)::point_type as point_type,
         (case when n / 20 % 5 = 0 then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
         timestamptz '2026-03-01T00:00:00Z' + n * interval '3 milliseconds' as at
       from generate_series(1, 20000) n
     ) as made order by contract, point_type, status, n`,
  );
  await db.sql`vacuum analyze batches`;
});

/** A list's statement about batches, as it was sent. */
async function statementOf(query: BatchQuery) {
  const { db: recorded, sent } = recordStatements(db);
  await listBatches({ ...context(), db: recorded }, query);
  return sent.find(({ text }) => /from "?batches/.test(text))!;
}

const combinations = [undefined, "PHASE2_GOLD" as const].flatMap((pointType) =>
  [undefined, "CANCELLED" as const].flatMap((status) =>
    [undefined, "2026-03-01T00:00:10Z"].flatMap((createdAfter) =>
      [undefined, "2026-03-01T00:00:50Z"].flatMap((createdBefore) =>
        [false, true].flatMap((paged) =>
          (["ASC", "DESC"] as const).map((sort) => {
            return { pointType, status, createdAfter, createdBefore, paged, sort };
          }),
        ),
      ),
    ),
  ),
);

function cursorFor({ status, sort, ...query }: (typeof combinations)[number]): string {
  const { paged: _, ...filters } = query;
  const scope = Object.entries({ ...filters, contractAddress: contract, statuses: status, sort })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("&");
  return encodeCursor({ atMs: Date.parse("2026-03-01T00:00:30Z"), seq: 10_000n }, scope);
}

/** For the values, once it ran, and as it is kept. */
async function plansOf(query: BatchQuery) {
  const { text, values } = await statementOf(query);
  const [[given], [kept]] = await Promise.all([
    explain(db, text, values, { analyze: true }),
    explain(db, text, values, { generic: true }),
  ]);
  return { given: given!, kept: kept! };
}

describe("each documented combination of filters reads one range of an index, or at most four, a page of each, at any depth", () => {
  test.each(combinations)("%j", async (combination) => {
    const { status, paged, ...rest } = combination;
    const query: BatchQuery = { ...rest, contractAddress: contract, ...(status && { statuses: [status] }) };
    const { given, kept } = await plansOf({ ...query, ...(paged && { cursor: cursorFor(combination) }) });
    const isWhole = !rest.pointType && !status;
    const ranges = isWhole ? 1 : (rest.pointType ? 1 : 2) * (status ? 1 : 4);
    expectRanges(given, isWhole);
    expectRanges(kept, isWhole);
    const [scan] = scansOf(given);
    expect(scan!["Actual Loops"]).toBe(ranges);
    expect(scan!["Actual Rows"]).toBeLessThanOrEqual(51);
  });
});

test("a list of one contract is planned once, and no list of all contracts is: that plan depends on the values", async () => {
  const one = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 5, pooler: "none" });
  try {
    const kept = () =>
      one.sql<{ planned: boolean }[]>`select custom_plans <= 5 as planned from pg_prepared_statements
        where statement ~ 'from "?batches'`;
    const ctx = { ...context(), db: one };
    for (let times = 0; times < 10; times++) {
      await listBatches(ctx, { contractAddress: contract });
      await listBatches(ctx, { contractAddress: contract, statuses: ["CANCELLED"] });
    }
    await listBatches(ctx, { pointType: "PHASE2_GOLD", createdAfter: "2026-03-01T00:00:10Z" });
    expect([...(await kept())]).toEqual([{ planned: true }, { planned: true }]);
  } finally {
    await one.close();
  }
});

test("the kept plan never looks through all contracts' batches for those of one, even where they are in order on disk", async () => {
  await db.sql.unsafe("cluster batches using batches_by_creation; analyze batches");
  expectRanges((await plansOf({ contractAddress: contract })).kept, true);
  expectRanges((await plansOf({ contractAddress: contract, statuses: ["CANCELLED"] })).kept, false);
});

test("a list by metadata reads one range of its index, of one contract or of all, whether all batches match or five among thousands of others", async () => {
  await db.sql`
    insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select contract_address, seq, key, value, created_at from batches, (values ('campaign', 'summer'), ('part', 'main')) as m (key, value)
    where key = 'campaign' or seq % 5000 > 0`;
  await db.sql`insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select contract_address, seq, 'part', 'last', created_at from batches where seq % 5000 = 0`;
  await db.sql`analyze batch_metadata`;
  const small = addressFromBytes(await smallContract());
  const summer = { campaign: "summer" };
  const lists: [query: BatchQuery, index: string, rowsMost: number][] = [
    [{ contractAddress: contract, metadata: summer }, "batch_metadata_of_contract", 51],
    [{ contractAddress: contract, metadata: summer, sort: "ASC" }, "batch_metadata_of_contract", 51],
    [{ contractAddress: small, metadata: summer }, "batch_metadata_of_contract", 5],
    [{ metadata: summer }, "batch_metadata_by_creation", 51],
    [{ metadata: { ...summer, part: "last" } }, "batch_metadata_by_creation", 8],
    [{ contractAddress: contract, metadata: summer, statuses: ["PENDING"] }, "", 0],
  ];
  for (const [query, index, rowsMost] of lists) {
    const { db: recorded, sent } = recordStatements(db);
    await listBatches({ ...context(), db: recorded }, query);
    const { text, values } = sent.at(-1)!;
    const nodes = nodesOf(await explain(db, text, values, { analyze: true }));
    const ranges = nodes.flatMap(({ "Index Name": name }) =>
      name?.startsWith("batch_metadata_of") || name?.startsWith("batch_metadata_by") ? name : [],
    );
    expect(ranges).toEqual(index ? [index] : []);
    for (const each of ["batch_metadata", "batches"])
      expect(rowsRead(nodes, [each])).toBeLessThanOrEqual(rowsMost);
  }
});

/** One of those with five batches. */
async function smallContract(): Promise<Buffer> {
  const [row] = await db.sql<{ address: Buffer }[]>`
    select contract_address as address from batches group by contract_address having count(*) = 5 limit 1`;
  return row!.address;
}

const scansOf = (node: PlanNode): PlanNode[] =>
  nodesOf([node]).filter((one) => one["Relation Name"] === "batches");

/** One scan, begun anew for each range, which two comparisons bound, and ended by the page's limit. */
function expectRanges(plan: PlanNode, isWhole: boolean): void {
  const nodes = nodesOf([plan]);
  const around = isWhole ? [] : ["Limit", "Sort", "Nested Loop", "Function Scan"];
  expect(nodes.map((node) => node["Node Type"]).filter((type) => type !== "Result")).toEqual([
    ...around,
    "Limit",
    "Index Scan",
  ]);
  const [scan] = scansOf(plan);
  expect(scan!["Index Name"]).toBe(isWhole ? "batches_of_contract" : "batches_by_type_contract_status");
  expect(
    scan!["Index Cond"]!.match(
      /ROW\((?:point_type, contract_address, status|contract_address), created_at, seq\) [<>]/g,
    ),
  ).toHaveLength(2);
  expect(scan!.Filter).toBeUndefined();
}

test.each<[BatchQuery, number]>([
  [{ overdue: true }, 4000],
  [{ overdue: true, sort: "ASC" }, 4000],
  [{ contractAddress: contract, payoutId: "newest", sort: "ASC" }, 500],
])("%j reads at most %i of 20,000 batches, a fifth of which wait for later", async (query, most) => {
  await withoutTriggers(
    db,
    `update batches set status = 'PENDING', updated_at = null, cancelled_at = null,
       finalize_at = now() + interval '1 day' where status = 'CANCELLED';
     insert into payout_parts (contract_address, batch_seq, payout_id)
     select contract_address, seq, 'newest' from batches where contract_address = '\\x${contract.slice(2)}'
     order by created_at desc limit 500 on conflict do nothing`,
  );
  await db.sql`vacuum analyze batches, payout_parts`;
  const { text, values } = await statementOf(query);
  const plan = nodesOf(await explain(db, text, values, { analyze: true }));
  expect(rowsRead(plan, ["batches"])).toBeLessThanOrEqual(most);
});
