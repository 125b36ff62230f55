import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isDistributed } from "@/server/kernel/shards";
import { SHARDS_PRETENDED } from "@/testing/citus/make-database";
import { useDatabase } from "@/testing/test-database";
import { claimDeliveries, DUE_CHECKED_MAX, PER_ENDPOINT_MAX } from "./claim-deliveries";

const ENDPOINTS = 2000;
/** One connection, because a connection reports its statistics only when it is asked to flush them. */
const db = useDatabase({ poolMax: 1 });
beforeAll(async () => {
  await db.sql`insert into contracts (address, label) select decode(lpad(to_hex(n), 40, '0'), 'hex'), 'A contract'
    from generate_series(1, ${ENDPOINTS}) n`;
  await db.sql`insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by)
    select decode(lpad(to_hex(n), 40, '0'), 'hex'), 'https://example.com/', array['batch.created'], '\\x00', 'test'
    from generate_series(1, ${ENDPOINTS}) n`;
});
beforeEach(async () => {
  await db.sql`truncate webhook_deliveries`;
  await db.sql`update webhook_endpoints set disabled_at = null, disabled_reason = null, paused_until = null
    where disabled_at is not null or paused_until is not null`;
});

const contractOf = (n: number) => Buffer.from(n.toString(16).padStart(40, "0"), "hex");
const claim = (count = 16, taken: readonly string[] = []) =>
  claimDeliveries(db, { claimId: randomUUID(), count, taken });

/** Adds `count` deliveries to each endpoint in a range, due in `seconds`. */
const waitFor = (endpoints: [number, number], count: number, seconds: number) => db.sql`
  insert into webhook_deliveries (contract_address, endpoint_id, event, event_at, next_attempt_at)
  select contract_address, id, 'webhook.test', now(), now() + ${seconds}::float8 * interval '1 second'
  from webhook_endpoints, generate_series(1, ${count})
  where contract_address between ${contractOf(endpoints[0])} and ${contractOf(endpoints[1])}`;

async function readOfEndpoints(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await db.sql`select pg_stat_force_next_flush()`;
    const [row] = await db.sql<{ rows: number }[]>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname = 'webhook_endpoints'`;
    return row!.rows;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

const idOf = async (n: number) =>
  (await db.sql`select id from webhook_endpoints where contract_address = ${contractOf(n)}`)[0]!.id as string;
const claimedOf = async (...given: Parameters<typeof claim>) =>
  (await claim(...given)).map(({ contract_address }) => Number(`0x${contract_address.toString("hex")}`));

describe("looking for due deliveries", () => {
  test("reads no endpoint when nothing is due, even if many deliveries are waiting for later", async () => {
    expect(await readOfEndpoints(() => claim())).toBe(0);
    await waitFor([1, ENDPOINTS], 2, 60);
    expect(await readOfEndpoints(() => claim())).toBe(0);
  });

  test("reads no more endpoints than the deliveries it checks and claims, no matter how many are due", async () => {
    await waitFor([1, ENDPOINTS], 1, -1);
    await db.sql`analyze webhook_deliveries`;
    const read = await readOfEndpoints(async () => expect(await claim()).toHaveLength(16));
    const shards = (await isDistributed(db)) ? SHARDS_PRETENDED : 1;
    expect(read).toBeLessThanOrEqual((DUE_CHECKED_MAX + 16) * shards);
  });

  test("claims the longest due first, across all endpoints", async () => {
    for (const [n, seconds] of [
      [5, -3],
      [3, -9],
      [9, -1],
      [1, -6],
    ] as const)
      await waitFor([n, n], 1, seconds);
    expect(new Set(await claimedOf(2))).toEqual(new Set([3, 1]));
    expect(new Set(await claimedOf(16))).toEqual(new Set([5, 9]));
  });

  test.each(["is disabled", "is paused", "has all its slots in use"])(
    "finds due deliveries behind the backlog of an endpoint that %s",
    async (why) => {
      await db.sql`update webhook_endpoints set disabled_at = case when ${why === "is disabled"} then now() end,
        disabled_reason = case when ${why === "is disabled"} then 'staff' end,
        paused_until = case when ${why === "is paused"} then now() + interval '5 minutes' end
        where contract_address = ${contractOf(7)}`;
      await waitFor([7, 7], DUE_CHECKED_MAX + 1, -60);
      await waitFor([2, 3], 5, -1);
      await waitFor([8, 9], 5, -1);
      const taken = why.startsWith("has") ? Array(PER_ENDPOINT_MAX).fill(await idOf(7)) : [];
      expect((await claimedOf(16, taken)).sort()).toEqual([2, 3, 8, 9].flatMap((n) => Array(4).fill(n)));
    },
  );
});
