import { expect, test } from "vitest";
import { packTransfers, unpackTransfers } from "./packed-transfers";

/** The packed columns as the database returns them. */
const stored = ({ addresses, points }: ReturnType<typeof packTransfers>) => ({
  addresses: Buffer.from(addresses.replace(/^\\x/, ""), "hex"),
  points,
});

test("addresses are packed ignoring case, and amounts are read in their shortest form", () => {
  const rows = [
    { toAddress: `0x${"AB".repeat(20)}`, points: "10.500" },
    { toAddress: `0x${"cd".repeat(20)}`, points: "7.000000000000" },
  ];
  const packed = stored(packTransfers(rows));
  expect(packed.addresses.toString("hex")).toBe("ab".repeat(20) + "cd".repeat(20));
  expect(unpackTransfers(packed).map((row) => row.points)).toEqual(["10.5", "7"]);
});
