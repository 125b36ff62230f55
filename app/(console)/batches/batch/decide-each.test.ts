import { expect, test } from "vitest";
import { decideEach } from "./decide-each";

test("a batch that somebody else decided about keeps none of its payout from being decided, and a retry leaves out those that are", async () => {
  const left = new Set(["a", "b", "c"]);
  const asked: string[] = [];
  const decide = async (batchId: string) => {
    asked.push(batchId);
    if (batchId === "a") throw new Error("The batch is already on hold.");
  };
  await expect(decideEach(left, decide)).rejects.toThrow("already on hold");
  expect([...left]).toEqual(["a"]);
  await expect(decideEach(left, decide)).rejects.toThrow("already on hold");
  expect(asked).toEqual(["a", "b", "c", "a"]);
});
