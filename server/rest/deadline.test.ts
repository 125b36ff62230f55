import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Deadline } from "./deadline";

const deadline = (ms: number) => new Deadline(ms, () => new Error("too long"));

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
