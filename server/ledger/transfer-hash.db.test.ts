import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";
import { transferHash } from "./transfer-hash";

const db = useDatabase();

test("swapping the addresses or amounts of two transfers changes the hash sum", async () => {
  const hash = (address: string, points: string) => transferHash(db.sql, address, points, "created_at");
  const [row] = await db.sql<{ same: number; pairs: number }[]>`
    select count(*)::int as pairs, count(*) filter (where ${hash("address", "points")}::numeric + ${hash("other", "more")}
      = ${hash("address", "more")}::numeric + ${hash("other", "points")})::int as same
    from (
      select substring(sha256(n::text::bytea) for 20) as address, substring(sha256((-n)::text::bytea) for 20) as other,
        n::numeric as points, n + 0.25 as more, timestamptz '2026-01-01Z' + n * interval '1 ms' as created_at
      from generate_series(1, 1000) as n
    ) as drawn`;
  expect(row).toEqual({ pairs: 1000, same: 0 });
});

test("trailing zeros do not change the hash of an amount", async () => {
  const [row] = await db.sql<{ same: boolean }[]>`
    select ${transferHash(db.sql, "address", "short", "at")} = ${transferHash(db.sql, "address", "long", "at")} as same
    from (select '\x01'::bytea as address, 1.5::numeric as short, 1.500000000000::numeric as long, now() as at) as one`;
  expect(row!.same).toBe(true);
});
