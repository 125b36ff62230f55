import { test } from "vitest";
import { useLedger } from "@/testing/use-ledger";
import { ADDRESSES_OF, TRANSFERS_OF } from "@/server/ledger/packed-transfers";

const { db } = useLedger({ balances: false });
const ids = ["0b6f2f0e-58f4-4c39-8f5e-0d6a1c2b3e01", "0b6f2f0e-58f4-4c39-8f5e-0d6a1c2b3e02"];
test("measure", async () => {
  for (const [at, id] of ids.entries()) {
    await db.sql`
      insert into snapshot_holders
      select uuid_send(${id}::uuid), (array_agg(address order by address))[1], string_agg(address, ''::bytea order by address), array_agg(points order by address)
      from (select address, points, (row_number() over (order by address) - 1) / 10000 as part from (
        select substring(sha256((n + ${at * 30000}::int)::text::bytea) for 20) as address, round((1000000 / (1 + (n::bigint * 7919) % 1000003))::numeric + 0.000000000001 * (n % 1000) + (case when n % ${at + 7}::int = 1 then 1 else 0 end), 12) + 0.5 as points
        from generate_series(1, 1000000) n) x) y group by part`;
    await db.sql`insert into snapshots (id, name, point_type, includes_contracts, as_of, status, requested_by, holders, points, left_out, ledger_total, digest, finished_at)
      select ${id}::uuid, 'x', 'PHASE2_POINTS', false, timestamptz '2026-01-01' + ${at}::int * interval '1 day', 'TAKEN', 'ops', 1000000, s, 0, s, sha256('x'), now()
      from (select sum(p) as s from snapshot_holders, unnest(points) p where snapshot_id = uuid_send(${id}::uuid)) t`;
  }
  await db.sql`vacuum analyze snapshot_holders`;

  const sql = db.sql; const [A, B] = ids as [string, string];
  const time = async (name: string, q: () => Promise<unknown>) => {
    for (let i = 0; i < 3; i++) { const t = performance.now(); const r = await q(); console.log(`TIME ${name} ${Math.round(performance.now() - t)} ms ${JSON.stringify(r).slice(0, 300)}`); }
  };
  const held = (id: string, b: string, a: string) => sql`select u.to_address as address, ${sql.unsafe(b)} as before, ${sql.unsafe(a)} as after from snapshot_holders t ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u where t.snapshot_id = uuid_send(${id}::uuid)`;
  const tail = sql`groups as (
      select case when before = 0 then 'JOINED' when after = 0 then 'LEFT' when after > before then 'MORE'
        else 'LESS' end as kind, count(*) as holders, abs(sum(after - before))::text as points
      from moved group by 1
    ) select (select json_agg(g) from groups g) as groups`;
  await time("whole", () => sql`with moved as materialized (
      select address, sum(before) as before, sum(after) as after
      from (${held(A, "u.points", "0")} union all ${held(B, "0", "u.points")}) as held group by address having sum(before) <> sum(after)
    ), ${tail}`);
  const part = (id: string, b: string, a: string) => sql`select u.to_address as address, ${sql.unsafe(b)} as before, ${sql.unsafe(a)} as after
    from (select * from snapshot_holders where snapshot_id = uuid_send(${id}::uuid) and first_address < r.until and first_address >= coalesce((select max(first_address) from snapshot_holders where snapshot_id = uuid_send(${id}::uuid) and first_address <= r.since), ''::bytea)) as t
    ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u where u.to_address >= r.since and u.to_address < r.until`;
  await time("ranges", () => sql`with ranges as (
      select case when row_number() over w = 1 then ''::bytea else first_address end as since, coalesce(lead(first_address) over w, decode(repeat('ff', 21), 'hex')) as until
      from snapshot_holders where snapshot_id = uuid_send(${B}::uuid) window w as (order by first_address)
    ), moved as materialized (
      select m.* from ranges r cross join lateral (
      select address, sum(before) as before, sum(after) as after
      from (${part(A, "u.points", "0")} union all ${part(B, "0", "u.points")}) as held group by address having sum(before) <> sum(after)) as m
    ), ${tail}`);
  const ranked = (extra: string) => sql`with ranked as (
      select points, row_number() over largest as rank, sum(points) over largest as sum
      from (select unnest(points) as points from snapshot_holders where snapshot_id = uuid_send(${A}::uuid)) h window largest as (order by points desc rows unbounded preceding)
    ) select rank::float8, points, sum from ranked where rank = any('{1,10,100}'::bigint[]) order by rank`;
  await time("ranks", () => ranked(""));
  await time("sort only", () => sql`select count(*) from (select unnest(points) as points from snapshot_holders where snapshot_id = uuid_send(${A}::uuid) order by 1 desc offset 0) h`);
}, 600000);
