import { expect, test } from "vitest";
import type { LastCheck } from "./read-state";
import { conditionsOf } from "./service-conditions";

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
const STATE = {
  due: 0,
  oldestOverdueSeconds: null as number | null,
  unindexedSeconds: null as number | null,
  lastTickSeconds: 1 as number | null,
  finalizerIsOn: true,
  callSeconds: null as number | null,
};
/** Ten hours after the call of a day. */
const DAILY = { finalizerIsOn: false, callSeconds: 86_400, lastTickSeconds: 36_000 };
const conditionsWith = (
  state: Partial<typeof STATE>,
  last: Partial<LastCheck> | null = {},
  everyHours = 24,
) =>
  conditionsOf({
    state: { ...STATE, ...state },
    check: {
      last: last && { ...GOOD, ...last },
      lastGoodAt: GOOD.finishedAt,
      isRunning: false,
      everyHours,
      lastRoundAt: null,
    },
    lastRun: undefined,
    nowMs: Date.parse("2026-01-31T12:00:00Z"),
  });
const EARLIER = { finishedAt: "2026-01-29T11:59:00Z" };
const UNBALANCED = { isOk: false, findings: [{ rule: "sums_balance", detail: "x" }] };

test.each<[...Parameters<typeof conditionsWith>, kinds: string[]]>([
  [{}, {}, 24, []],
  [{}, null, 24, []],
  [{ lastTickSeconds: 30 }, {}, 24, []],
  [{ lastTickSeconds: 31 }, {}, 24, ["tick"]],
  [{ lastTickSeconds: 600, finalizerIsOn: false }, {}, 24, []],
  [{ lastTickSeconds: 601, finalizerIsOn: false }, {}, 24, ["tick"]],
  [{ lastTickSeconds: null }, {}, 24, ["tick"]],
  [{ finalizerIsOn: false, callSeconds: 60, lastTickSeconds: 601 }, {}, 24, ["tick"]],
  [{ ...DAILY, due: 9, oldestOverdueSeconds: 36_060, unindexedSeconds: 36_300 }, EARLIER, 24, []],
  [{ ...DAILY, due: 9, oldestOverdueSeconds: 36_061 }, {}, 24, ["overdue"]],
  [{ ...DAILY, unindexedSeconds: 36_301 }, {}, 24, ["index"]],
  [{ ...DAILY, lastTickSeconds: 172_801, due: 9, oldestOverdueSeconds: 99 }, {}, 24, ["tick", "overdue"]],
  [{ due: 1, oldestOverdueSeconds: 60 }, {}, 24, []],
  [{ due: 1, oldestOverdueSeconds: 61 }, {}, 24, ["overdue"]],
  [{ unindexedSeconds: 300 }, {}, 24, []],
  [{ unindexedSeconds: 301 }, {}, 24, ["index"]],
  [{ unindexedSeconds: 301, lastTickSeconds: null }, {}, 24, ["tick"]],
  [{}, EARLIER, 24, ["check"]],
  [{}, EARLIER, 0, []],
  [{ lastTickSeconds: null }, UNBALANCED, 24, ["check", "tick"]],
])("the state %j with the check %j, every %i hours, has the conditions %j", (state, last, hours, kinds) => {
  expect(conditionsWith(state, last, hours).map(({ kind }) => kind)).toEqual(kinds);
});
