import { describe, expect, test } from "vitest";
import type { LastCheck } from "@/server/operations/read-state";
import { warningsOf } from "./params";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const GOOD: LastCheck = {
  startedBy: "scheduler",
  reach: "whole",
  startedAt: "2026-01-31T11:00:00Z",
  finishedAt: "2026-01-31T11:00:01Z",
  seconds: 1,
  isOk: true,
  isWhole: true,
  batches: 1,
  transfers: 1,
  accounts: 1,
  findings: [],
};
const RUN = {
  id: "1",
  startedBy: "scheduler",
  finishedAt: "2026-01-31T11:59:59Z",
  seconds: 1,
  batchesFinalized: 1,
  transfersSettled: 1,
  lagSecondsMax: 1,
  failure: null as string | null,
};
const WELL = {
  state: {
    due: 0,
    oldestOverdueSeconds: null as number | null,
    held: 3,
    lastTickSeconds: 1 as number | null,
    lastTickAt: "2026-01-31T11:59:59Z",
    finalizerIsOn: true,
  },
  check: {
    last: GOOD as LastCheck | null,
    lastGoodAt: GOOD.finishedAt,
    isRunning: false,
    everyHours: 24,
    round: null,
  },
  lastRun: RUN as typeof RUN | undefined,
  nowMs: NOW,
};
const withState = (state: Partial<(typeof WELL)["state"]>) => ({
  ...WELL,
  state: { ...WELL.state, ...state },
});
const withCheck = (last: Partial<LastCheck>, everyHours = 24) => ({
  ...WELL,
  check: { ...WELL.check, everyHours, last: { ...GOOD, ...last } },
});

test("there is no warning when all is well, nor on the first day", () => {
  expect(warningsOf(WELL)).toEqual([]);
  expect(warningsOf({ ...WELL, lastRun: undefined, check: { ...WELL.check, last: null } })).toEqual([]);
});

describe("a finalizer that stopped ticking", () => {
  test.each([
    [30, true, false],
    [31, true, true],
    [90, false, false],
    [91, false, true],
    [null, true, true],
    [null, false, true],
  ])("%s s ago, with FINALIZER on: %s → warning: %s", (lastTickSeconds, finalizerIsOn, warned) => {
    const warnings = warningsOf(withState({ lastTickSeconds, finalizerIsOn }));
    expect(warnings.map(({ kind }) => kind)).toEqual(warned ? ["tick"] : []);
  });
});

test.each([
  [60, []],
  [61, ["overdue"]],
])("a batch that is %i s overdue: %j", (oldestOverdueSeconds, kinds) => {
  expect(warningsOf(withState({ due: 1, oldestOverdueSeconds })).map(({ kind }) => kind)).toEqual(kinds);
});

describe("a self-check", () => {
  test("with findings comes first and counts them", () => {
    const watched = withCheck({ isOk: false, findings: [{ rule: "sums_balance", detail: "x" }] });
    const warnings = warningsOf({ ...watched, state: { ...WELL.state, lastTickSeconds: null } });
    expect(warnings.map(({ kind }) => kind)).toEqual(["check", "tick"]);
    expect(warnings[0]!.title).toBe("The ledger does not balance: 1 finding in the last self-check.");
  });

  test("that did not finish is not reported as having findings", () => {
    const detail = "The check took longer than 20 s. Run `npm run -s ops -- verify-ledger`.";
    const [warning] = warningsOf(
      withCheck({ isOk: false, isWhole: false, findings: [{ rule: "check_completed", detail }] }),
    );
    expect(warning).toEqual({
      kind: "check",
      title: expect.stringContaining("did not finish"),
      remedy: detail,
    });
  });

  test("that is overdue is reported, unless scheduled checks are off", () => {
    const finishedAt = "2026-01-29T11:59:00Z";
    expect(warningsOf(withCheck({ finishedAt })).map(({ kind }) => kind)).toEqual(["check"]);
    expect(warningsOf(withCheck({ finishedAt }, 0))).toEqual([]);
  });
});
