import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { batchOf, shifted, submit, times, wallet } from "@/testing/factories";
import { SERVICE_SECRET, webhookWorld } from "@/testing/webhook-world";
import { deleteExpired } from "../finalizer/delete-expired";
import { claimDeliveries } from "./claim-deliveries";
import { listDeliveries, replayDelivery, sendTest } from "./deliveries";
import { disableEndpoint, enableEndpoint, rotateSecret } from "./endpoints";

const { world, admin, deliver, listen, log, pass } = webhookWorld();

describe("rotating the secret", () => {
  test("signs with both secrets until the overlap ends, then only with the new one, and deletes the old one", async () => {
    const of = await listen(["batch.created"]);
    const { secret } = await rotateSecret(admin(), of, SERVICE_SECRET);
    const check = async (oldSigns: boolean) => {
      await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
      await deliver();
      const { body, headers } = world.receiver.received.at(-1)!;
      new Webhook(secret).verify(body, headers);
      const byOld = () => new Webhook(of.secret).verify(body, headers);
      if (oldSigns) byOld();
      else expect(byOld).toThrow();
    };
    await check(true);
    await pass("23 hours");
    await check(true);
    await pass("61 minutes");
    await check(false);
    await deleteExpired(world.db);
    expect([...(await world.db.sql`select previous_secret_sealed from webhook_endpoints`)]).toEqual([
      { previous_secret_sealed: null },
    ]);
  });

  test("without overlap revokes the old secret immediately", async () => {
    const of = await listen(["batch.created"]);
    expect(
      (await rotateSecret(admin(), { ...of, overlapSeconds: 0 }, SERVICE_SECRET)).previousSecretUntil,
    ).toBeNull();
    await sendTest(admin(), of);
    await deliver();
    const { body, headers } = world.receiver.received[0]!;
    expect(() => new Webhook(of.secret).verify(body, headers)).toThrow();
  });
});

describe("replaying", () => {
  test("sends a delivery again with its own webhook-id, whether it succeeded or failed, with an audit entry", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    await deliver();
    const deliveryId = world.receiver.received[0]!.id;
    await replayDelivery(admin(), { ...of, deliveryId });
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(world.receiver.received.map(({ id }) => id)).toEqual([deliveryId, deliveryId]);
    const audit = await world.db.sql`select actor, detail ->> 'delivery' as delivery from audit_log
      where action = 'webhook.replay' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "staff:admin@example.com", delivery: deliveryId }]);
  });

  test("is refused while the delivery is being sent, while its endpoint is disabled, and for another contract", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    const [taken] = await claimDeliveries(world.db, {
      claimId: "00000000-0000-4000-8000-000000000001",
      count: 1,
      taken: new Map(),
    });
    const deliveryId = taken!.id;
    const replay = (contractAddress = of.contractAddress) =>
      replayDelivery(admin(), { contractAddress, deliveryId });
    await expect(replay()).rejects.toMatchObject({
      code: "validation_failed",
      message: "The delivery is being sent right now. Wait for its result.",
    });
    await expect(replay(wallet(7))).rejects.toMatchObject({ code: "not_found" });
    await pass("31 seconds");
    await disableEndpoint(admin(), of);
    await expect(replay()).rejects.toMatchObject({ message: "The webhook is disabled. Enable it first." });
    await enableEndpoint(admin(), of);
    await replay();
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });
});

test("the delivery log has no gaps between pages, and is deleted after thirty days", async () => {
  const of = await listen(["batch.created"]);
  await times(61, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
  const first = await listDeliveries(admin(), of);
  const second = await listDeliveries(admin(), { ...of, cursor: first.cursor });
  expect([first.deliveries.length, second.deliveries.length, second.cursor]).toEqual([50, 11, null]);
  expect(new Set([...first.deliveries, ...second.deliveries].map(({ id }) => id)).size).toBe(61);
  const kept = first.deliveries[0]!.id;
  const old = shifted("event_at", -30 * 86_400);
  await world.db
    .sql`update webhook_deliveries set event_at = ${world.db.sql.unsafe(old)} where id <> ${kept}::uuid`;
  await deleteExpired(world.db);
  expect((await log(of)).map(({ id }) => id)).toEqual([kept]);
});
