import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cached } from "./cached";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("what is kept for a while", () => {
  const SECONDS = 5;
  let reads: { end(value: number): void; fail(error: Error): void }[];
  const read = () =>
    new Promise<number>((resolve, reject) => {
      reads.push({ end: resolve, fail: reject });
    });
  let group = 0;
  const ask = (key = "key") => cached(`test ${group}`, key, SECONDS, read);
  beforeEach(() => {
    reads = [];
    group++;
  });

  test("is read once at a time, however long that takes, and then kept for its seconds", async () => {
    const first = ask();
    await vi.advanceTimersByTimeAsync(SECONDS * 10_000);
    const beside = ask();
    expect(reads).toHaveLength(1);
    reads[0]!.end(1);
    expect(await Promise.all([first, beside])).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(SECONDS * 1000 - 1);
    expect(await ask()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    void ask();
    expect(reads).toHaveLength(2);
  });

  test("is not forgotten while it is read, however much else is", async () => {
    const first = ask();
    for (let other = 0; other < 600; other++) {
      void ask(`other ${other}`);
      reads.at(-1)!.end(other);
      await settle();
    }
    const beside = ask();
    reads[0]!.end(1);
    expect(await Promise.all([first, beside])).toEqual([1, 1]);
    const before = reads.length;
    void ask("other 599");
    expect(reads).toHaveLength(before);
    void ask("other 0");
    expect(reads).toHaveLength(before + 1);
  });

  test("is not kept when the read failed, which all who wait for it see", async () => {
    const asked = [ask(), ask()];
    reads[0]!.fail(new Error("away"));
    for (const each of asked) await expect(each).rejects.toThrow("away");
    const again = ask();
    reads[1]!.end(2);
    expect(await again).toBe(2);
  });
});
