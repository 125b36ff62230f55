import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WindowQuota } from "./limits";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("a caller may use the quota in a window, and then gets the seconds until it ends", () => {
  const quota = new WindowQuota(2, 10);
  expect([quota.count("a"), quota.count("a")]).toEqual([null, null]);
  vi.advanceTimersByTime(2_500);
  expect([quota.count("a"), quota.count("b")]).toEqual([8, null]);
  vi.advanceTimersByTime(7_499);
  expect(quota.count("a")).toBe(1);
  vi.advanceTimersByTime(1);
  expect(quota.count("a")).toBeNull();
});

test("callers of past windows are forgotten", () => {
  const quota = new WindowQuota(1, 10);
  for (let caller = 0; caller < 1000; caller++) quota.count(String(caller));
  expect(quota.size).toBe(1000);
  vi.advanceTimersByTime(10_000);
  quota.count("another");
  expect(quota.size).toBe(1);
});
