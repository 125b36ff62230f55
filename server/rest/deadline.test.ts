import { expect, test } from "vitest";
import { Deadline } from "./deadline";

const endless = () => new Promise<never>(() => undefined);
const deadline = () => new Deadline(1, (hasStarted) => new Error(hasStarted ? "unknown" : "not applied"));

test("a deadline that ends before the first step says that nothing was applied, and no step starts then", async () => {
  const ended = deadline();
  await expect(ended.bound(endless)).rejects.toThrow("not applied");
  expect(() => ended.throwIfOver()).toThrow("not applied");
});

test("a deadline that ends after a step started says that the outcome is unknown", async () => {
  const ended = deadline();
  await expect(
    ended.bound(() => {
      ended.throwIfOver();
      return endless();
    }),
  ).rejects.toThrow("unknown");
});
