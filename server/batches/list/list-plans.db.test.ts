import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { explain, type PlanNode, recordStatements } from "@/testing/explain";
import { newContract, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { encodeCursor } from "../../kernel/cursor";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, useContract } = useLedger({ balances: false });
const contract = useContract();

/**
 * 20,000 batches in a minute: half are of the listed contract, a tenth are gold, a fifth are cancelled. They are ordered by
 * contract, type and status on disk, so that a scan by time alone is expensive, as it is with millions.
 */
beforeAll(async () => {
  const other = await newContract(db);
  const bytes = (address: string) => `decode('${address.slice(2)}', 'hex')`;
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
     select contract, 'b-' || n, point_type, status, 1, 1, 60, sha256(n::text::bytea), 'token:test', 'r', at,
       at + interval '1 minute', at, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end
     from (
       select n, case when n % 2 = 0 then ${bytes(contract)} else ${bytes(other)} end as contract,
         (case when n / 2 % 10 = 0 then 'PHASE2_GOLD' else 'PHASE2_POINTS' end)::point_type as point_type,
         (case when n / 20 % 5 = 0 then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
         timestamptz '2026-03-01T00:00:00Z' + n * interval '3 milliseconds' as at
       from generate_series(1, 20000) n
     ) as made order by contract, point_type, status, n`,
  );
  await db.sql`vacuum analyze batches`;
});

/** The plan of a query's statement for its values and, if plans are kept, the generic one. */
async function plansOf(query: BatchQuery): Promise<PlanNode[]> {
  const { db: recorded, sent } = recordStatements(db);
  await listBatches({ ...context(), db: recorded }, query);
  const { text, values } = sent.find((statement) => statement.text.includes('from "batches"'))!;
  const kept = text.includes("= any(") ? await explain(db, text, values, { generic: true }) : [];
  return [...(await explain(db, text, values)), ...kept];
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

describe("each documented combination of filters reads at most four ranges of one index, a page of each, at any depth", () => {
  test.each(combinations)("%j", async (combination) => {
    const { status, paged, ...rest } = combination;
    const query: BatchQuery = { ...rest, contractAddress: contract, ...(status && { statuses: [status] }) };
    for (const plan of await plansOf({ ...query, ...(paged && { cursor: cursorFor(combination) }) }))
      expectRanges(plan, combination);
  });
});

test("only the first page of a contract without filters is kept prepared: other plans depend on the values", async () => {
  const one = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 5, pooler: "none" });
  try {
    const kept = () => one.sql`select from pg_prepared_statements where statement like ${'%from "batches"%'}`;
    const ctx = { ...context(), db: one };
    await listBatches(ctx, { contractAddress: contract });
    expect(await kept()).toHaveLength(1);
    await listBatches(ctx, { contractAddress: contract, pointType: "PHASE2_GOLD" });
    await listBatches(ctx, { contractAddress: contract, statuses: ["CANCELLED"] });
    await listBatches(ctx, { contractAddress: contract, createdBefore: "2026-03-01T00:00:10Z" });
    await listBatches(ctx, { pointType: "PHASE2_GOLD", createdAfter: "2026-03-01T00:00:10Z" });
    expect(await kept()).toHaveLength(1);
  } finally {
    await one.close();
  }
});

test("the kept plan never looks through all contracts' batches for those of one, even where they are in order on disk", async () => {
  await db.sql.unsafe("cluster batches using batches_by_creation; analyze batches");
  const [, kept] = await plansOf({ contractAddress: contract });
  expect(scansOf(kept!)).toMatchObject([{ "Index Name": "batches_by_contract" }]);
});

const scansOf = (node: PlanNode): PlanNode[] => (node.Plans?.length ? node.Plans.flatMap(scansOf) : [node]);

function expectRanges(plan: PlanNode, { pointType, status, sort }: (typeof combinations)[number]): void {
  expect(plan["Node Type"]).toBe("Limit");
  const scans = scansOf(plan);
  const ofOne = { types: pointType ? 1 : 2, statuses: status ? 1 : 4 };
  const isWhole = !pointType && !status;
  expect(scans).toHaveLength(isWhole ? 1 : ofOne.types * ofOne.statuses);
  for (const scan of scans) {
    expect(scan["Node Type"]).toMatch(/^Index (Only )?Scan$/);
    expect(scan.Filter).toBeUndefined();
    expect(scan["Index Name"]).toBe(isWhole ? "batches_by_contract" : "batches_by_contract_type_status");
    // A cursor replaces the bound on its side. With two bounds, the scan would start at the looser one.
    const bounds =
      scan["Index Cond"]!.match(sort === "DESC" ? /created_at[^<>]*</g : /created_at[^<>]*>/g) ?? [];
    expect(bounds.length).toBeLessThanOrEqual(1);
  }
  const limits = JSON.stringify(plan).match(/"Node Type":"Limit"/g)!;
  expect(limits).toHaveLength(isWhole || scans.length === 1 ? 1 : scans.length + 1);
}
