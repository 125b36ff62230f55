import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DueMinute, lateWaves } from "./measure";

const START_MS = Date.parse("2026-11-23T02:00:00Z");
const due = (...minutes: [minute: number, transfers: number][]): DueMinute[] =>
  minutes.map(([minute, transfers]) => ({ atMs: START_MS + minute * 60_000, transfers }));

describe("what is due", () => {
  test("is in time if it is finalized within a minute", () => {
    expect(lateWaves(due([0, 100], [1, 100], [30, 99]), 100)).toEqual([]);
  });

  test("is late if it is more than can be finalized until then", () => {
    expect(lateWaves(due([0, 10], [60, 1_250]), 100)).toEqual([
      {
        from: "2026-11-23T03:00:00.000Z",
        transfers: 1_250,
        doneAt: "2026-11-23T03:13:00.000Z",
        minutesLate: 13,
      },
    ]);
  });

  test("is late behind something else that is due before it", () => {
    expect(lateWaves(due([0, 500], [4, 10], [30, 10]), 100)).toEqual([
      {
        from: "2026-11-23T02:00:00.000Z",
        transfers: 510,
        doneAt: "2026-11-23T02:06:00.000Z",
        minutesLate: 5,
      },
    ]);
  });

  test("comes in several waves if everything is finalized in between", () => {
    expect(
      lateWaves(due([0, 300], [10, 50], [20, 400]), 100).map(({ from, transfers }) => [from, transfers]),
    ).toEqual([
      ["2026-11-23T02:00:00.000Z", 300],
      ["2026-11-23T02:20:00.000Z", 400],
    ]);
  });

  test("is in no wave at a high enough rate, and a higher rate makes nothing later", () => {
    const minutes = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 100_000 })), {
        selector: ([minute]) => minute,
        maxLength: 60,
      })
      .map((list) => due(...list.sort(([a], [b]) => a - b)));
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 100_000 }), (given, perMinute) => {
        const worst = (rate: number) =>
          Math.max(0, ...lateWaves(given, rate).map(({ minutesLate }) => minutesLate));
        expect(worst(perMinute * 2)).toBeLessThanOrEqual(worst(perMinute));
        expect(lateWaves(given, 100_000 * 60)).toEqual([]);
      }),
    );
  });
});
