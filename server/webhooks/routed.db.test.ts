import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { DELETED_ROWS_MAX, deleteExpired } from "@/server/finalizer/delete-expired";
import { pretendShards, shardOf } from "@/testing/citus/make-database";
import { webhookWorld } from "@/testing/webhook-world";
import { claimDeliveries, PER_ENDPOINT_MAX } from "./claim-deliveries";

const { world, listen } = webhookWorld();

beforeAll(() => pretendShards(world.db));

type Listener = Awaited<ReturnType<typeof listen>>;

/** Creates endpoints, each with its own contract, until `count` shards have `each` of them. */
async function listenOn(count: number, each = 1): Promise<Listener[][]> {
  const found = new Map<string, Listener[]>();
  const full = () => [...found.values()].filter((some) => some.length >= each);
  while (full().length < count) {
    const listener = await listen(["batch.created"]);
    const shard = await shardOf(world.db, listener.contractAddress);
    found.set(shard, [...(found.get(shard) ?? []), listener]);
  }
  return full()
    .slice(0, count)
    .map((some) => some.slice(0, each));
}

const bytesOf = (contractAddress: string) => Buffer.from(contractAddress.slice(2), "hex");

/** Adds deliveries that have been due for `seconds` to an endpoint. */
const due = ({ contractAddress, webhookId }: Listener, count: number, seconds: number) => world.db.sql`
  insert into webhook_deliveries (contract_address, endpoint_id, event, event_at, next_attempt_at)
  select ${bytesOf(contractAddress)}::bytea, ${webhookId}::uuid, 'webhook.test', now(),
    now() - ${seconds}::int * interval '1 second'
  from generate_series(1, ${count})`;

const claim = (count = 16) => claimDeliveries(world.db, { claimId: randomUUID(), count, taken: [] });
describe("where endpoints are on several shards", () => {
  test("a shard with a long backlog delays no other, gets the slots that they leave unused, and no endpoint exceeds its limit", async () => {
    const [more, [one], [two]] = (await listenOn(3, 3)) as [Listener[], Listener[], Listener[]];
    await due(one!, 1, 60);
    await due(two!, 1, 30);
    for (const listener of more) await due(listener, 9, 600);
    const claimed = await claim();
    expect(claimed).toHaveLength(2 + 3 * PER_ENDPOINT_MAX);
    for (const { webhookId } of more)
      expect(claimed.filter(({ endpoint_id }) => endpoint_id === webhookId)).toHaveLength(PER_ENDPOINT_MAX);
  });

  test("the delivery log and previous secrets are swept on every shard, in bounded chunks", async () => {
    const listeners = (await listenOn(2)).flat();
    for (const listener of listeners) await due(listener, 0.6 * DELETED_ROWS_MAX, 40 * 86_400);
    await world.db.sql`update webhook_deliveries set event_at = next_attempt_at, next_attempt_at = null`;
    await world.db
      .sql`update webhook_endpoints set previous_secret_sealed = '\\x00', previous_secret_until = now() - interval '1 minute'`;
    const left = async () =>
      (await world.db.sql<{ n: number }[]>`select count(*)::int as n from webhook_deliveries`)[0]!.n;
    expect(await deleteExpired(world.db, { budgetSeconds: 0 })).toBe(false);
    expect(await left()).toBe(0.2 * DELETED_ROWS_MAX);
    expect(await deleteExpired(world.db, { budgetSeconds: 5 })).toBe(true);
    expect(await left()).toBe(0);
    const kept = await world.db.sql`select 1 from webhook_endpoints where previous_secret_sealed is not null`;
    expect(kept).toHaveLength(0);
  });
});
