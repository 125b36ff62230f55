import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { dayAfter, hashOf, NO_HASH } from "./chain";

test("the hashed text of a link is the documented one, and never changes", () => {
  const totals = [
    { pointType: "PHASE2_POINTS", issued: "10.5", submitted: "8", cancelled: "0.5", finalized: "7" } as const,
    { pointType: "PHASE2_GOLD", issued: "0", submitted: "0", cancelled: "0", finalized: "0" } as const,
  ];
  const text = [
    "day 2026-01-31",
    `previous ${NO_HASH}`,
    "PHASE2_POINTS issued 10.5 submitted 8 cancelled 0.5 finalized 7",
    "PHASE2_GOLD issued 0 submitted 0 cancelled 0 finalized 0",
  ].join("\n");
  const hash = hashOf({ day: "2026-01-31", previousHash: NO_HASH, totals });
  expect(hash).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
  expect(hash).toBe("4c12b22953f0ae74a0dd88afe80e261ac2f8a826cde2eccdd7dda8046a0dadae");
});

test("days follow one another over months, leap days and years", () => {
  expect(dayAfter("2026-01-31")).toBe("2026-02-01");
  expect(dayAfter("2028-02-28")).toBe("2028-02-29");
  expect(dayAfter("2026-12-31")).toBe("2027-01-01");
  expect(dayAfter("2026-01-01", -1)).toBe("2025-12-31");
});
