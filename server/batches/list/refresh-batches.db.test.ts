import { beforeAll, expect, test } from "vitest";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../change/cancel-batch";
import { holdBatch } from "../change/hold-batch";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, newContract, submit } = useLedger();
let contract: string;
let other: string;
beforeAll(async () => {
  [contract, other] = [await newContract(), await newContract()];
  for (const sender of [contract, other]) {
    for (const batchId of ["one", "two", "a:b~c.d_e-f"]) {
      await submit(sender, [[1, "1.5"]], { batchId, secondsToFinalize: 3600 });
    }
  }
});

const refresh = (...keys: string[]) => callerOf(db, "viewer").batches.refresh({ keys });
const keyOf = (batch: { contractAddress: string; id: string }) => `${batch.contractAddress}/${batch.id}`;

test("refreshed rows are the current rows of the list, for every contract", async () => {
  await cancelBatch(context(), { contractAddress: contract, batchId: "one" });
  await holdBatch(context("staff:ann@example.com"), {
    contractAddress: other,
    batchId: "two",
    reason: "looks odd",
  });
  const { batches: listed } = await listConsoleBatches(context(), {});
  const { batches, now } = await refresh(...listed.map(keyOf));
  const byKey = (one: (typeof listed)[number], two: (typeof listed)[number]) =>
    keyOf(one).localeCompare(keyOf(two));
  expect(batches.toSorted(byKey)).toEqual(listed.toSorted(byKey));
  expect(batches.map(({ status }) => status)).toContain("CANCELLED");
  expect(batches.filter(({ heldAt }) => heldAt)).toHaveLength(1);
  expect(Date.parse(now!)).toBeGreaterThan(Date.parse(listed[0]!.createdAt));
});

test("only requested batches are returned, once, in any letter case of the contract", async () => {
  const lower = contract.toLowerCase();
  const { batches } = await refresh(`${contract}/two`, `${lower}/two`, `${lower}/two`, `${other}/absent`);
  expect(batches.map(({ id }) => id)).toEqual(["two"]);
  expect(await refresh(`${other}/absent`)).toEqual({ batches: [], now: null });
});

test("up to a hundred rows can be refreshed; more, or a malformed key, is rejected", async () => {
  const keys = Array.from({ length: 99 }, (_, n) => `${contract}/b-${n}`);
  expect((await refresh(...keys, `${contract}/two`)).batches).toHaveLength(1);
  await expect(refresh(...keys, `${contract}/one`, `${contract}/two`)).rejects.toThrow();
  for (const key of ["", "two", `${contract}/`, `${contract}/a b`, "0x12/two", `${contract}/two/three`]) {
    await expect(refresh(key), key).rejects.toThrow();
  }
});
