import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalBatchText, type DigestedBatch, transfersHash } from "./digest";

const digest = (batch: DigestedBatch) => createHash("sha256").update(canonicalBatchText(batch)).digest("hex");

const A = `0x${"a".repeat(40)}`;
const B = `0x${"b".repeat(40)}`;
const BATCH: DigestedBatch = {
  contractAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  pointType: "PHASE2_POINTS",
  secondsToFinalize: 3600,
  transfers: [
    { toAddress: A, points: "10.50" },
    { toAddress: B, points: "0.01" },
  ],
};

describe("the digest", () => {
  test("of fixed batches is that of exactly this text, since stored digests are compared with new ones", () => {
    expect(canonicalBatchText(BATCH)).toBe(
      `point-batch-1\n0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\nPHASE2_POINTS\n3600\n${A} 10.5\n${B} 0.01\n`,
    );
    expect(digest(BATCH)).toBe("41a3d55a734817eaf0ff12128409ae970d164b287f0f19ccfd0a970c65c38436");
    expect(
      digest({
        ...BATCH,
        pointType: "PHASE2_GOLD",
        secondsToFinalize: null,
        transfers: [BATCH.transfers[1]!],
      }),
    ).toBe("638318bd4c8e04bd8aef2c1d7ef7eacc37b3139e8e8b71e163eef2922065551f");
  });

  test("reflects every other difference", () => {
    const others: DigestedBatch[] = [
      { ...BATCH, contractAddress: A },
      { ...BATCH, pointType: "PHASE2_GOLD" },
      { ...BATCH, secondsToFinalize: 3601 },
      { ...BATCH, secondsToFinalize: 0 },
      { ...BATCH, secondsToFinalize: null },
      { ...BATCH, transfers: [...BATCH.transfers].reverse() },
      { ...BATCH, transfers: BATCH.transfers.slice(1) },
      { ...BATCH, transfers: [...BATCH.transfers, { toAddress: A, points: "1" }] },
      { ...BATCH, transfers: [{ toAddress: A, points: "10.500000000001" }, BATCH.transfers[1]!] },
    ];
    expect(new Set([BATCH, ...others].map(digest)).size).toBe(others.length + 1);
  });
});

test("the hash of the transfers is that of their sorted rows, for any order, letter case and notation", () => {
  const address = fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }),
    fc.bigInt({ min: 1n, max: 300n }), // the same first digits
  );
  const row = fc.record({ address, units: fc.bigInt({ min: 1n, max: 10n ** 30n }) });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 50 }), (rows) => {
      const transfers = rows.map(({ address, units }) => ({
        toAddress: `0x${address.toString(16).padStart(40, "0")}`,
        points: `${units / 100n}.${String(units % 100n).padStart(2, "0")}`,
      }));
      const lines = transfers.map(({ toAddress, points }) => `${toAddress} ${points.replace(/\.?0+$/, "")}`);
      const expected = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
      const other = transfers
        .map(({ toAddress, points }) => ({
          toAddress: `0x${toAddress.slice(2).toUpperCase()}`,
          points: `${points}0`,
        }))
        .reverse();
      expect(transfersHash({ transfers }).toString("hex")).toBe(expected);
      expect(transfersHash({ transfers: other }).toString("hex")).toBe(expected);
    }),
  );
});
