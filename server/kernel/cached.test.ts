import { afterEach, expect, test, vi } from "vitest";
import { cached } from "./limits";

afterEach(() => void vi.restoreAllMocks());

function numbered() {
  let reads = 0;
  return async () => ++reads;
}

test("callers at the same time or soon after share one read", async () => {
  const read = numbered();
  const values = await Promise.all([cached("a", "one", 60, read), cached("a", "one", 60, read)]);
  expect([...values, await cached("a", "one", 60, read)]).toEqual([1, 1, 1]);
  expect(await cached("a", "other", 60, read)).toBe(2);
  expect(await cached("b", "one", 60, read)).toBe(3);
});

test("an expired value is read again", async () => {
  const read = numbered();
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  await cached("c", "one", 60, read);
  now.mockReturnValue(60_999);
  expect(await cached("c", "one", 60, read)).toBe(1);
  now.mockReturnValue(61_000);
  expect(await cached("c", "one", 60, read)).toBe(2);
});

test("a failed read is not kept", async () => {
  await expect(cached("d", "one", 60, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await cached("d", "one", 60, async () => "up")).toBe("up");
});

test("only the newest 500 of a group are kept", async () => {
  const read = numbered();
  for (let key = 0; key < 501; key++) await cached("e", String(key), 60, read);
  expect(await cached("e", "1", 60, read)).toBe(2);
  expect(await cached("e", "0", 60, read)).toBe(502);
});
