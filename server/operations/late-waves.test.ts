import { expect, test } from "vitest";
import { type DueMinute, lateWaves } from "./measure";

const START_MS = Date.parse("2026-11-23T02:00:00Z");
const due = (...minutes: [minute: number, transfers: number][]): DueMinute[] =>
  minutes.map(([minute, transfers]) => ({ atMs: START_MS + minute * 60_000, transfers }));

/** At 100 transfers per minute: [from, transfers, done, minutes late]. */
test.each<[string, DueMinute[], [string, number, string, number][]]>([
  ["is in time if it is finalized within a minute", due([0, 100], [1, 100], [30, 99]), []],
  [
    "is late if it is more than can be finalized until then",
    due([0, 10], [60, 1_250]),
    [["03:00", 1_250, "03:13", 13]],
  ],
  [
    "is late behind something else that is due before it",
    due([0, 500], [4, 10], [30, 10]),
    [["02:00", 510, "02:06", 5]],
  ],
  [
    "comes in several waves if everything is finalized in between",
    due([0, 300], [10, 50], [20, 400]),
    [
      ["02:00", 300, "02:03", 3],
      ["02:20", 400, "02:24", 4],
    ],
  ],
])("what is due %s", (_, minutes, expected) => {
  const time = (at: string) => at.slice(11, 16);
  const waves = lateWaves(minutes, 100);
  expect(waves.map((wave) => [time(wave.from), wave.transfers, time(wave.doneAt), wave.minutesLate])).toEqual(
    expected,
  );
});
