import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { hasShardCondition, whyNotPinned, whyRefused } from "./rules";

/** Each rule: the reason it gives, and a bad statement. Every statement of the other tests is a good one. */
type Rule = readonly [why: string, bad: string];

const ONE = "contract_address = $1";
const SHARD = "contract_address = any($1::bytea[])";

describe("a statement that locks, recurses or changes rows must pin every table to one shard", () => {
  const rules: Rule[] = [
    [
      "locks rows of batches, and batches is not compared with a parameter",
      "select seq from batches where status = 'PENDING' order by finalize_at limit 5 for update skip locked",
    ],
    [
      "changes batches, and batches b is not compared with a parameter",
      `with d as (select seq from batches where ${SHARD})
       update batches b set claim_id = $2 from d where b.seq = d.seq`,
    ],
    [
      "changes webhook_deliveries, and webhook_deliveries is not compared with a parameter",
      `delete from webhook_deliveries where (contract_address, id) in (
         select contract_address, id from webhook_deliveries where ${SHARD} limit 5)`,
    ],
    [
      "recurses, and webhook_deliveries w is not compared with a parameter",
      `with recursive e as (
         (select id from webhook_deliveries where ${SHARD} limit 1)
         union all select w.id from e, webhook_deliveries w where w.id > e.id
       ) select * from e`,
    ],
    [
      "outer joins all rows of payout_parts p to rows of no table",
      `with b as materialized (select contract_address, seq from batches where status = 'PENDING' limit 5)
       select p.payout_id from b left join payout_parts p
         on p.contract_address = b.contract_address and p.batch_seq = b.seq`,
    ],
    [
      "reads batch_reviews in a subquery for each row of step, which is no table",
      `with step as materialized (select * from batches limit 5)
       select (select level from batch_reviews r where r.batch_seq = b.seq) from step as b`,
    ],
    [
      "has LIMIT in a LATERAL for each row of wanted, which is no table: use GROUP BY the key instead",
      `with wanted as materialized (select contract_address, payout_id from payout_parts limit 5)
       select p.batch_seq from wanted w cross join lateral (
         select batch_seq from payout_parts
         where contract_address = w.contract_address and payout_id = w.payout_id limit 5) as p`,
    ],
    [
      "reads batch_reviews r for each row of one contract without a parameter",
      `select id, (select level from batch_reviews r
         where r.contract_address = b.contract_address and r.batch_seq = b.seq) from batches b where b.${ONE}`,
    ],
    [
      "changes accounts, and contracts c is not compared with a parameter",
      "update accounts a set earned = 1 from contracts c where a.address = $1 and c.address = a.address",
    ],
  ];
  test.each(rules)("%s", (why, bad) => {
    expect(whyNotPinned(bad)).toBe(why);
  });
});

describe("what Citus refuses", () => {
  const rules: Rule[] = [
    [
      "calls clock_timestamp() in a change of batches: read it in a separate subquery",
      `update batches set held_at = clock_timestamp() where ${ONE}`,
    ],
    [
      "returns now() from a change of batches, which is not immutable",
      `update batches b set finalized_at = now() where b.${ONE}
       returning extract(epoch from now() - b.finalize_at)`,
    ],
    [
      "returns text_of() from a change of contract_changes, which is not immutable",
      `update contract_changes r set decision = $2 where r.${ONE} returning r.id, r.decided_at::text`,
    ],
    [
      "has now() and a column in a CASE or COALESCE in a change of webhook_endpoints",
      `update webhook_endpoints e set failing_since = coalesce(e.failing_since, now()) where e.${ONE}`,
    ],
    [
      "has now() and a column in a CASE or COALESCE in a change of webhook_endpoints",
      `update webhook_endpoints set disabled_at = case when failures > 3 then now() end where ${ONE}`,
    ],
    [
      "adds an interval to a column in a change of batches, which is not immutable",
      `update batches set lease_until = lease_until + $2::int * interval '1 second' where ${ONE}`,
    ],
    [
      "has a subquery in INSERT … VALUES or its RETURNING",
      `insert into snapshot_holders (snapshot_id, points) values ($1, $2)
       returning (select sum(p) from unnest(points) as p)`,
    ],
    [
      "calls max(first_address), which Postgres has from 18 on: use ORDER BY and LIMIT",
      "select max(first_address) from snapshot_holders where snapshot_id = $1",
    ],
    [
      "returns a column of a managed table from a CTE: add ON CONFLICT DO NOTHING",
      `with made as (insert into allocations (id) select $1 where $2 returning *)
       insert into audit_log (target) select id from made returning 1`,
    ],
    [
      "calls clock_timestamp() in a change of allocations: read it in a separate subquery",
      "update allocations set finished_at = clock_timestamp() where id = $1 returning 1",
    ],
    [
      "adds a check that names its columns with their table",
      'ALTER TABLE "batches" ADD CONSTRAINT "batches_held" CHECK ("batches"."held_at" is not null) NOT VALID',
    ],
    ["selects no column: write `select 1`", `select exists (select from batches where ${ONE})`],
    [
      "calls now() in a LATERAL without FROM, which Citus cannot push down",
      "select k.late from batches b cross join lateral (select b.finalize_at <= now() as late) as k",
    ],
    [
      "has OFFSET in a LATERAL: use GROUP BY the key instead",
      `select 1 from page p cross join lateral (
         select id from batches where contract_address = p.contract_address and seq = p.seq offset 0) b`,
    ],
    [
      "compares with null, which folds to false",
      `select 1 from contracts c left join batches b on b.${ONE} and b.id = null where c.address = $1`,
    ],
    [
      "has the condition false beside an outer join, which Citus may refuse on Postgres 15 and 16",
      `select 1 from batches b left join batch_transfers t on t.contract_address = b.contract_address
       where false and t.batch_seq is null`,
    ],
    [
      "returns a column of a managed table after WITH: return a constant",
      `with e as (delete from staff_sessions o where o.id = $1)
       insert into staff_sessions (id, staff_id) select $2, p.id from staff p where p.id = $3 returning id`,
    ],
    [
      "changes staff_invitations without an alias in a subquery, and names it again outside",
      `with e as (update staff_invitations set ended = 'replaced' where staff_id = $1)
       insert into staff_invitations (token_hash, staff_id) select $2, $1`,
    ],
    [
      "locks rows of a shard in a query that reads a subquery, in a statement with a managed table: " +
        "Citus garbles the subquery",
      `with f as (select id from batches where ${ONE}),
         e as (select e.url from webhook_endpoints e, f where e.${ONE} for update)
       insert into audit_log (target) select url from e`,
    ],
    [
      "locks rows of a shard in a query that reads a subquery, in a statement with a managed table: " +
        "Citus garbles the subquery",
      `with f as (select batch_id from bulk_job_items),
         e as (select seq from batches where ${ONE} and id in (select batch_id from f) for update)
       insert into audit_log (target) select seq from e`,
    ],
  ];
  test.each(rules)("%s", (why, bad) => {
    expect(whyRefused(bad)).toBe(why);
  });
});

test("a database of any earlier version that is distributed can be migrated", () => {
  const folder = path.resolve("db/migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const refused = files.flatMap((name) =>
    readFileSync(path.join(folder, name), "utf8")
      .split("--> statement-breakpoint")
      .flatMap((statement) => whyRefused(statement) ?? [])
      .map((why) => `${name} ${why}`),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(refused).toEqual([]);
});

test("an INSERT of selected rows commits in two phases, by ON CONFLICT, RETURNING or a condition", () => {
  const copied = "insert into recipient_transfers (to_address, points) select to_address, points from packed";
  const why = (table: string) =>
    `inserts selected rows into shards of ${table} without ON CONFLICT or RETURNING`;
  expect(whyRefused(copied)).toBe(why("recipient_transfers"));
  expect(whyRefused(`with copied as (${copied}) select 1`)).toBe(why("recipient_transfers"));
  const issued =
    "insert into issuances (contract_address, points) select b.contract_address, b.points from batches b";
  expect(whyNotPinned(issued)).toBe(why("issuances"));
  for (const good of [`${issued} where b.${ONE}`, `${issued} where b.${SHARD}`, `${issued} returning 1`])
    expect(whyNotPinned(good), good).toBeNull();
});

test("with a shard or a managed table, an unmanaged table is changed only in the final statement", () => {
  const renamed = `with renamed as (update contracts set label = $2 where address = $1 returning address)`;
  expect(whyRefused(`${renamed} insert into finalizer_runs (id) select address from renamed`)).toBe(
    "writes finalizer_runs, which Citus does not manage, together with a shard: " +
      "one could be lost without the other",
  );
  const revoked =
    "with revoked as (update access_tokens set revoked_at = now() where id = $1 returning name)";
  const audited = "insert into audit_log (target) select name from revoked";
  expect(whyRefused(`${revoked}, audited as (${audited}) select 1 from revoked`)).toBe(
    "changes access_tokens, which Citus does not manage, together with audit_log: " +
      "make that the final statement",
  );
  expect(whyRefused(`${revoked} ${audited} returning 1`)).toBeNull();
});

test("a shard's condition differs from a contract's", () => {
  expect(hasShardCondition(`select 1 from batches where ${SHARD}`)).toBe(true);
  expect(hasShardCondition(`select 1 from batches where ${ONE}`)).toBe(false);
});
