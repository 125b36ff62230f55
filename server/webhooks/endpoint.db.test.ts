import { describe, expect, test } from "vitest";
import { batchOf, submit, times } from "@/testing/factories";
import { startRawHost } from "@/testing/raw-host";
import { startReceiver } from "@/testing/webhook-receiver";
import { webhookWorld } from "@/testing/webhook-world";
import { PER_ENDPOINT_MAX } from "./claim-deliveries";
import { deleteEndpoint, disableEndpoint, enableEndpoint } from "./endpoints";

const { world, admin, deliver, listen, log, pass, answerWith, endpointOf } = webhookWorld();

describe("an endpoint", () => {
  test("that never responds delays no other endpoint", async () => {
    const silent = await startReceiver();
    silent.answerWith(() => undefined);
    const [slow, quick] = [await listen(["batch.created"], silent.url), await listen(["batch.created"])];
    await times(30, (i) => submit(world.db, batchOf(slow.contractAddress, [[i + 1, "1"]])));
    await times(30, (i) => submit(world.db, batchOf(quick.contractAddress, [[i + 1, "1"]])));
    let isStopping = false;
    const run = deliver({ budgetSeconds: 60, isStopping: () => isStopping });
    await world.receiver.untilReceived(30, 60);
    expect(silent.received.length).toBeLessThanOrEqual(4);
    isStopping = true;
    await silent.close();
    await run;
    expect((await log(quick)).every(({ state }) => state === "delivered")).toBe(true);
  });

  test("gets at most four deliveries at the same time, even when one slot frees up before the others", async () => {
    const of = await listen(["batch.created"]);
    await times(24, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const open = new Set<string>();
    let most = 0;
    world.receiver.answerWith((response, { id }) => {
      open.add(id);
      most = Math.max(most, open.size);
      const isQuick = world.receiver.received.length % 4 === 1;
      setTimeout(
        () => {
          open.delete(id);
          response.writeHead(204).end();
        },
        isQuick ? 1 : 200,
      );
    });
    expect(await deliver()).toEqual({ delivered: 24, failed: 0 });
    expect(most).toBe(PER_ENDPOINT_MAX);
  });

  test("that switches protocols counts as failed, and blocks nothing", async () => {
    const host = await startRawHost((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    );
    const [odd, sound] = [await listen(["batch.created"], host.url), await listen(["batch.created"])];
    for (const { contractAddress } of [odd, sound])
      await submit(world.db, batchOf(contractAddress, [[1, "1"]]));
    expect(await deliver()).toEqual({ delivered: 1, failed: 1 });
    expect(await log(odd)).toMatchObject([{ state: "waiting", lastStatusCode: 101, lastFailure: null }]);
    await host.close();
  });

  test("that fails is paused, and one success clears the failures", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(500);
    await deliver();
    answerWith(204);
    await submit(world.db, batchOf(of.contractAddress, [[2, "1"]]));
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await pass("7 seconds");
    expect(await deliver()).toEqual({ delivered: 2, failed: 0 });
    expect(await endpointOf(of)).toMatchObject({ failingSince: null });
  });

  test("that fails for five days is disabled with an audit entry, and gets its queued deliveries after it is enabled", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(500);
    await deliver();
    await pass("4 days 23 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledAt: null });
    await pass("2 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledReason: "failures" });
    const audit = await world.db.sql`select actor, detail ->> 'reason' as reason from audit_log
      where action = 'webhook.disable' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "webhooks", reason: "failed for 5 days" }]);
    await pass("3 days");
    answerWith(204);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await enableEndpoint(admin(), of);
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });

  test("that responds with 410 is disabled immediately", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(410);
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledReason: "gone" });
    expect(await log(of)).toMatchObject([{ state: "failed", lastStatusCode: 410 }]);
  });

  test("that is disabled or deleted gets no more deliveries", async () => {
    const [off, gone] = [await listen(["batch.created"]), await listen(["batch.created"])];
    for (const { contractAddress } of [off, gone])
      await submit(world.db, batchOf(contractAddress, [[1, "1"]]));
    await disableEndpoint(admin(), off);
    await deleteEndpoint(admin(), gone);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(world.receiver.received).toEqual([]);
  });
});
