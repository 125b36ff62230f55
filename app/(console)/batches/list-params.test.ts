import { describe, expect, test } from "vitest";
import { announcesNewer, loadListParams, toNewerInput } from "./list-params";

const seen = {
  newest: { createdAt: "2026-05-01T11:00:00Z", id: "b-1" },
  readAt: "2026-05-01T12:00:00Z",
};

describe("what came to a list since it was read", () => {
  test.each([
    ["", true],
    ["?status=PENDING,FINALIZING", true],
    ["?sort=ASC", false],
    ["?status=OVERDUE", true],
    ["?status=OVERDUE&sort=ASC", true],
    ["?status=HELD&sort=DUE", true],
  ])("is announced where it is told apart: %j %s", (search, announced) => {
    expect(announcesNewer(loadListParams(search))).toBe(announced);
  });

  test("is created after its newest row, or overdue since the list of overdue ones was read", () => {
    const asked = (search: string) => toNewerInput(loadListParams(search), seen);
    expect(asked("?type=PHASE2_GOLD")).toEqual({ pointType: "PHASE2_GOLD", newerThan: seen.newest });
    expect(asked("?status=OVERDUE")).toEqual({ overdue: true, newerThan: seen.newest, readAt: seen.readAt });
  });
});
