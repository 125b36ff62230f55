import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toFieldErrors } from "@/server/kernel/to-domain-error";
import type { BatchLimits } from "@/terms/batch-limits";
import { canonicalBatchText, type DigestedBatch } from "@/terms/batch-text";
import { transfersHash } from "./digest";
import { consoleSubmitInput, putBatchInput, submitBatchInput } from "./submit-schema";

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

test("the digest of fixed batches is that of exactly this text, since stored digests are compared with new ones", () => {
  expect(canonicalBatchText(BATCH)).toBe(
    `point-batch-1\n0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\nPHASE2_POINTS\n3600\n${A} 10.5\n${B} 0.01\n`,
  );
  expect(digest(BATCH)).toBe("41a3d55a734817eaf0ff12128409ae970d164b287f0f19ccfd0a970c65c38436");
  expect(
    digest({ ...BATCH, pointType: "PHASE2_GOLD", secondsToFinalize: null, transfers: [BATCH.transfers[1]!] }),
  ).toBe("638318bd4c8e04bd8aef2c1d7ef7eacc37b3139e8e8b71e163eef2922065551f");
});

test("only a batch with a reference has a text of version 2, where a row that has one ends in it, as it was sent", () => {
  const [first, second] = BATCH.transfers as [(typeof BATCH.transfers)[0], (typeof BATCH.transfers)[0]];
  const text = (...transfers: DigestedBatch["transfers"]) => canonicalBatchText({ ...BATCH, transfers });
  expect(text({ ...first, reference: null }, { ...second, reference: undefined })).toBe(
    canonicalBatchText(BATCH),
  );
  expect(text(first, { ...second, reference: "Season-3: $& a" })).toBe(
    `point-batch-2\n0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\nPHASE2_POINTS\n3600\n${A} 10.5\n${B} 0.01 Season-3: $& a\n`,
  );
});

test("metadata makes a text of version 2, with a line for each sorted key before the rows", () => {
  for (const metadata of [undefined, null, {}])
    expect(canonicalBatchText({ ...BATCH, metadata })).toBe(canonicalBatchText(BATCH));
  const metadata = { b: "2 #3", "10": "x", a: "\u{1f4b0}", "a.b": "1", Z: "0" };
  const text = canonicalBatchText({ ...BATCH, metadata });
  expect(text.split("\n").slice(3, -2)).toEqual([
    "3600",
    "#10 x",
    "#Z 0",
    "#a \u{1f4b0}",
    "#a.b 1",
    "#b 2 #3",
    `${A} 10.5`,
  ]);
  expect(text).toMatch(/^point-batch-2\n/);
  expect(
    canonicalBatchText({ ...BATCH, metadata: Object.fromEntries(Object.entries(metadata).reverse()) }),
  ).toBe(text);
});

test("errors of metadata name the key, and a key that means something to JavaScript is a key like any other, or refused", () => {
  const of = (metadata: unknown) => errorsOf(batch([row(wallet(1))], { metadata }));
  expect(of({ "a b": "x", "a/b": "x", ok: "", long: "x".repeat(201), type: 1, campaign: "summer" })).toEqual([
    "/metadata/a b invalid_value",
    "/metadata/a~1b invalid_value",
    "/metadata/ok invalid_value",
    "/metadata/long invalid_value",
    "/metadata/type invalid_type",
  ]);
  expect(of(JSON.parse('{"__proto__":"x","ok":"x"}'))).toEqual(["/metadata/__proto__ invalid_value"]);
  expect(of(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, "x"])))).toEqual([
    "/metadata out_of_range",
  ]);
  const metadata = JSON.parse('{"constructor":"x","toString":"y","hasOwnProperty":"z"}');
  expect(submitBatchInput(LIMITS).parse(batch([row(wallet(1))], { metadata }))).toMatchObject({ metadata });
  expect(of({ emoji: "\u{1f4b0}".repeat(200) })).toEqual([]);
});

test("the digest reflects every other difference", () => {
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
    ...["x", "X", "x y"].map((reference) => ({
      ...BATCH,
      transfers: [{ ...BATCH.transfers[0]!, reference }, BATCH.transfers[1]!],
    })),
    { ...BATCH, transfers: [BATCH.transfers[0]!, { ...BATCH.transfers[1]!, reference: "x" }] },
    { ...BATCH, metadata: { a: "b" } },
    { ...BATCH, metadata: { a: "b " } },
    { ...BATCH, metadata: { b: "a" } },
    { ...BATCH, metadata: { a: "b", b: "a" } },
  ];
  expect(new Set([BATCH, ...others].map(digest)).size).toBe(others.length + 1);
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

const LIMITS: BatchLimits = {
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  transfersMax: 9,
  minimumFinalizeSeconds: 60,
  defaultFinalizeSeconds: 600,
  zeroAddressAllowed: false,
};

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const wallet = (n: number) => `0x${String(n).padStart(40, "0")}`;

const row = (toAddress: unknown, points: unknown = "1") => ({ toAddress, points });

const batch = (transfers: unknown, change: object = {}) => ({
  contractAddress: CONTRACT,
  pointType: "PHASE2_POINTS",
  transfers,
  ...change,
});

function errorsOf(body: unknown): string[] {
  const parsed = submitBatchInput(LIMITS).safeParse(body);
  return parsed.success
    ? []
    : toFieldErrors(parsed.error.issues).map(({ pointer, code }) => `${pointer} ${code}`);
}

test("all errors of all rows are reported together, along with those of the batch", () => {
  const rows = [
    row("0x12"),
    row(CONTRACT.replace("5aA", "5AA"), "1e3"),
    row(wallet(1), "0.009"),
    row(`0x${CONTRACT.slice(2).toUpperCase()}`),
    row(wallet(0)),
    row(wallet(7)),
    row(wallet(1)),
    row(wallet(8), 5),
    row(9, "x"),
  ];
  expect(errorsOf(batch(rows, { secondsToFinalize: 1.5 })).sort()).toEqual(
    [
      "/secondsToFinalize invalid_type",
      "/secondsToFinalize out_of_range",
      "/transfers/0/toAddress invalid_address",
      "/transfers/1/points invalid_points",
      "/transfers/1/toAddress invalid_checksum",
      "/transfers/2/points points_below_minimum",
      "/transfers/3/toAddress destination_is_contract",
      "/transfers/4/toAddress destination_is_zero",
      "/transfers/6/toAddress duplicate_destination",
      "/transfers/7/points invalid_type",
      "/transfers/8/points invalid_points",
      "/transfers/8/toAddress invalid_type",
    ].sort(),
  );
});

test("a reference is 1 to 64 printable ASCII characters without a space at either end, once in a batch", () => {
  const given = ["x", "", " x", "x ", "é", "a\tb", "y".repeat(65), "y".repeat(64), "x", "X", null, 7, "a b"];
  const rows = given.map((reference, at) => ({ ...row(wallet(at + 1)), reference }));
  const parsed = submitBatchInput({ ...LIMITS, transfersMax: rows.length }).safeParse(batch(rows));
  const errors = toFieldErrors(parsed.error!.issues);
  expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual(
    [
      ...[1, 2, 3, 4, 5, 6].map((at) => `/transfers/${at}/reference invalid_value`),
      "/transfers/8/reference duplicate_reference",
      "/transfers/11/reference invalid_type",
    ].sort(),
  );
  const { detail } = errors.find(({ code }) => code === "duplicate_reference")!;
  expect(detail).toBe("has the same reference as /transfers/0");
});

test.each([
  ["an object with a length instead of rows", { length: 1, 0: row("x") }, ["/transfers invalid_type"]],
  ["too many rows, which are not checked", Array(10).fill(row("x")), ["/transfers out_of_range"]],
])("%s: the error is reported, and nothing breaks", (_, transfers, errors) => {
  expect(errorsOf(batch(transfers))).toEqual(errors);
});

test("all ways to submit use the same rules", () => {
  for (const input of [putBatchInput, consoleSubmitInput]) {
    const parsed = input(LIMITS).safeParse({ ...batch([row(wallet(0))]), batchId: "b" });
    expect(toFieldErrors(parsed.error!.issues)).toMatchObject([{ code: "destination_is_zero" }]);
    expect(input(LIMITS).safeParse({ ...batch([row(wallet(1))]), batchId: "b" }).success).toBe(true);
    expect(input(LIMITS).safeParse(batch([row(wallet(1))])).success).toBe(false);
  }
});
