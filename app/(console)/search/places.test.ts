import { expect, test } from "vitest";
import { placesOf, requestPlaces } from "./items";

const REQUEST = "6f1e2c9a-1b2c-4d3e-8f40-5a6b7c8d9e0f";

test("a reversal is marked, a payment is not", () => {
  const batch = {
    contractAddress: "0x1",
    contractLabel: "Season 1",
    status: "PENDING",
    createdAt: "",
  } as const;
  const batches = ["undo", "paid"].map((id) => ({ ...batch, id, isReversal: id === "undo" }));
  const found = { batches, moreBatches: null, contracts: [], recipients: [] };
  const [group] = placesOf({ ...found, unknownAddress: null, hasWrongChecksum: false });
  expect(group!.items.map(({ detail }) => detail)).toEqual([
    "Season 1 · Pending · Reversal",
    "Season 1 · Pending",
  ]);
});

test("a request ID leads to what the request changed", () => {
  const [group] = requestPlaces(` ${REQUEST.toUpperCase()}\n`);
  expect(group?.items[0]?.href).toBe(`/access/audit?request=${REQUEST}`);
});

test.each(["", "payout-1", REQUEST.slice(1), `${REQUEST}0`])("%j is no request ID", (text) => {
  expect(requestPlaces(text)).toEqual([]);
});
