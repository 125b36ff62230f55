import fc from "fast-check";
import { expect, test } from "vitest";
import { addressFromBytes } from "../kernel/values/addresses";
import { formatPoints } from "../kernel/values/points";
import { packTransfers, unpackTransfers } from "./packed-transfers";

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(addressFromBytes);
const points = fc.bigInt({ min: 1n, max: 10n ** 38n - 1n }).map(formatPoints);
/** The packed columns as the database returns them. */
const stored = ({ addresses, points }: ReturnType<typeof packTransfers>) => ({
  addresses: Buffer.from(addresses.replace(/^\\x/, ""), "hex"),
  points,
});

test("packing and unpacking returns the same transfers in the same order", () => {
  const transfers = fc.array(fc.record({ toAddress: address, points }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(transfers, (rows) => {
      expect(unpackTransfers(stored(packTransfers(rows)))).toEqual(rows);
    }),
  );
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
