import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Deadline } from "./deadline";

const deadline = (ms: number) => new Deadline(ms, () => new Error("too long"));

test("work that finishes in time keeps its outcome, good or bad", async () => {
  expect(await deadline(1000).bound(async () => 7)).toBe(7);
  await expect(deadline(1000).bound(() => Promise.reject(new Error("own")))).rejects.toThrow("own");
});

test("work that takes too long fails with the deadline's error, and a later failure is ignored", async () => {
  const late = async () => {
    await sleep(80);
    throw new Error("late");
  };
  await expect(deadline(20).bound(late)).rejects.toThrow("too long");
  await sleep(100);
});

test("time in which the caller sends the body does not count, but the time before and after does", async () => {
  const patient = deadline(150);
  await expect(patient.bound(() => patient.whileCallerSends(sleep(300, "sent")))).resolves.toBe("sent");
  const spent = deadline(150);
  const work = async () => {
    await sleep(100);
    await spent.whileCallerSends(sleep(200));
    await sleep(100);
  };
  await expect(spent.bound(work)).rejects.toThrow("too long");
});
