import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { batchOf, submit, times } from "@/testing/factories";
import { webhookWorld } from "@/testing/webhook-world";
import { claimDeliveries } from "./claim-deliveries";

const { world, listen, pass } = webhookWorld();

test("concurrent workers never claim the same delivery, even when leases expire in between", async () => {
  const endpoints = await times(4, () => listen(["batch.created"]));
  for (const { contractAddress } of endpoints)
    await times(10, (i) => submit(world.db, batchOf(contractAddress, [[i + 1, "1"]])));
  for (let round = 0; round < 25; round++) {
    const claims = await times(8, () =>
      claimDeliveries(world.db, { claimId: randomUUID(), count: 16, taken: new Map() }),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    await pass("31 seconds");
  }
});
