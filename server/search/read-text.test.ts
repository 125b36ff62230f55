import { describe, expect, test } from "vitest";
import { readText } from "./find";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BATCH = { contractAddress: CONTRACT, id: "payout:1" };

describe("a search text", () => {
  test.each([
    [`/batches/${CONTRACT}/payout:1`, BATCH],
    [`https://points.example.com/batches/${CONTRACT}/payout%3A1?x=1#y`, BATCH],
    [`  ${CONTRACT}/payout:1\n`, BATCH],
    [`/v1/contracts/${CONTRACT}/batches/payout:1`, null],
    [`${CONTRACT}/`, null],
    ["%E0%A4%A", null],
  ])("%j is the console URL of batch %j", (text, batch) => {
    expect(readText(text).batch).toEqual(batch);
  });

  test.each([
    [CONTRACT, { id: CONTRACT, address: CONTRACT.toLowerCase(), label: null }],
    ["0xAb", { id: "0xAb", address: "0xab", label: null }],
    ["0x", { id: "0x", address: null, label: "0x" }],
    ["Season 2", { id: null, address: null, label: "Season 2" }],
    ["payout-2026", { id: "payout-2026", address: null, label: "payout-2026" }],
    ["a", { id: null, address: null, label: null }],
    ["", { id: null, address: null, label: null }],
    ["x\0y", { id: null, address: null, label: null }],
    ["y".repeat(81), { id: null, address: null, label: null }],
    [`${CONTRACT}0`, { id: `${CONTRACT}0`, address: null, label: `${CONTRACT}0` }],
  ])("%j can be %j", (text, expected) => {
    expect(readText(text)).toMatchObject(expected);
  });
});
