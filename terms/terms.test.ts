import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { addressFromBytes, addressToBytes, compileKeccak } from "@/server/kernel/address-bytes";
import { decodeCursor, encodeCursor } from "@/server/kernel/cursor";
import { addressError, addressKey } from "./address-text";
import { BatchIdField, parseInstant, TimestampField } from "./fields";
import { formatAmount } from "./output-text";
import { formatPoints, isAtLeast, isPoints, parsePoints, shortestPoints, sumPoints } from "./points";

const SCOPE = "contractAddress=0x11&sort=DESC";
/** The end of the year 9999. */
const CREATED_AT_MS_MAX = 253_402_300_799_999;
const LAST = { atMs: CREATED_AT_MS_MAX, seq: 2n ** 63n - 1n };
const position = fc.record({
  atMs: fc.integer({ min: 0, max: CREATED_AT_MS_MAX }),
  seq: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
});

describe("a cursor", () => {
  test("decodes to the position that was encoded, up to the last of the database, and needs no URL encoding", () => {
    fc.assert(
      fc.property(position, fc.string(), (at, scope) => {
        const cursor = encodeCursor(at, scope);
        expect(decodeCursor(cursor, scope)).toEqual(at);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(cursor.length).toBeLessThanOrEqual(64);
      }),
      { examples: [[LAST, SCOPE]] },
    );
  });

  test("from another scope is a mismatch", () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (at, one, other) => {
        fc.pre(one !== other);
        expect(() => decodeCursor(encodeCursor(at, one), other)).toThrow("issued for a different");
      }),
    );
  });

  test("with any character changed, added or removed is invalid", () => {
    const cursor = encodeCursor({ atMs: 1_790_000_000_123, seq: 42n }, SCOPE);
    const ends = ["!", ".", "0", "\n"].map((end) => cursor + end);
    const edits = [...cursor].flatMap((char, at) => [
      cursor.slice(0, at) + (char === "0" ? "1" : "0") + cursor.slice(at + 1),
      cursor.slice(0, at) + cursor.slice(at + 1),
      `${cursor.slice(0, at)}7${cursor.slice(at)}`,
      cursor.slice(0, at) + char.toUpperCase() + cursor.slice(at + 1),
    ]);
    for (const edited of [...ends, ...edits].filter((text) => text !== cursor))
      expect(() => decodeCursor(edited, SCOPE), edited).toThrow("modified");
  });

  test("beyond the database's range is invalid, even with a correct checksum", () => {
    const decode = (part: object) => () => decodeCursor(encodeCursor({ ...LAST, ...part }, SCOPE), SCOPE);
    expect(decode({ seq: LAST.seq + 1n })).toThrow("modified");
    expect(decode({ atMs: LAST.atMs + 1 })).toThrow("modified");
  });
});

/** The examples in EIP-55. */
const EIP55 = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test("addresses are written as in the examples of EIP-55, and read in one letter case too", () => {
  for (const address of EIP55) {
    expect(addressFromBytes(addressToBytes(address.toLowerCase()))).toBe(address);
    for (const form of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      expect(addressError(form)).toBeNull();
  }
});

test.each([
  ["JavaScript", async () => undefined],
  ["WebAssembly", compileKeccak],
])("in %s a checksum is accepted, and rejected with a letter in the wrong case", async (_, prepare) => {
  await prepare();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(), (bytes, chosen) => {
      const right = getAddress(`0x${Buffer.from(bytes).toString("hex")}`);
      const letters = [...right].flatMap((char, at) => (at > 1 && /[a-zA-Z]/.test(char) ? [at] : []));
      const at = letters[chosen % letters.length]!;
      const other = /[a-z]/.test(right[at]!) ? right[at]!.toUpperCase() : right[at]!.toLowerCase();
      const wrong = right.slice(0, at) + other + right.slice(at + 1);
      fc.pre(/[a-f]/.test(wrong) && /[A-F]/.test(wrong));
      expect(addressError(wrong)).toBe("invalid_checksum");
      expect(addressError(right)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

const VALID = `0x${"1".repeat(40)}`;
test.each([
  ...["", "0x", "vitalik.eth", "0x1", "\ud800", "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS", "a".repeat(100_000)],
  ...[VALID.slice(0, -1), `${VALID}1`, VALID.replace("x", "X"), VALID.slice(2), ` ${VALID}`, `${VALID}\n`],
  ...[`${VALID}\u0000`, `0x${"g".repeat(40)}`, `0x${"１".repeat(40)}`, `0x0x${"1".repeat(38)}`],
])("no other text is an address (%#)", (text) => {
  expect(addressError(text)).toBe("invalid_address");
});

test("any 20 bytes survive a round trip through a valid address, under a single key", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = addressFromBytes(bytes);
      expect(addressError(address)).toBeNull();
      expect(addressToBytes(address)).toEqual(Buffer.from(bytes));
      expect(addressKey(address)).toBe(`0x${Buffer.from(bytes).toString("hex")}`);
    }),
  );
});

const NOT_AMOUNTS = [
  ..."1e3 1E3 -0 +1 -1 1. .5 . NaN Infinity -Infinity 0x10 1,000 1_000 1.000,5 １２ ٣ 00 007 01.5".split(" "),
  ..."0.1234567890123 1.5.5 1/2 ½ 1n null $1".split(" "),
  ...["", " 1", "1 ", "\t1", "1 000", "1\n", "\n1", "1\u0000", "\ud800", "1".repeat(100_000)],
  ...[`1${"0".repeat(26)}`, `1${"0".repeat(40)}`],
];
const UNITS_MAX = 10n ** 38n - 1n;
const written = (value: bigint, isLong: boolean) => {
  const [whole, fraction = ""] = formatPoints(value).split(".");
  return isLong ? `${whole}.${fraction.padEnd(12, "0")}` : formatPoints(value);
};
const units = fc.bigInt({ min: 0n, max: UNITS_MAX });

describe("amounts", () => {
  test("survive formatting in shortest exact form and parsing, also with trailing zeros", () => {
    fc.assert(
      fc.property(units, (value) => {
        const text = formatPoints(value);
        expect(isPoints(text) && !/\.\d*0$|\.$/.test(text)).toBe(true);
        for (const form of [text, written(value, true)]) {
          expect(parsePoints(form)).toBe(value);
          expect(shortestPoints(form)).toBe(text);
        }
      }),
    );
  });

  test("add up exactly, regardless of their number and length", () => {
    const amounts = fc.array(
      fc.tuple(fc.oneof(units, fc.bigInt({ min: 0n, max: 10n ** 24n })), fc.boolean()),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(amounts, (drawn) => {
        const sum = drawn.reduce((total, [value]) => total + value, 0n);
        expect(sumPoints(drawn.map(([value, isLong]) => written(value, isLong)))).toBe(sum);
      }),
    );
    const largest = "999999999999.999999999999";
    expect(sumPoints(Array<string>(10_000).fill(largest))).toBe(parsePoints(largest) * 10_000n);
  });
});

describe("amounts at the limits", () => {
  test.each([
    ["0", 0n],
    ["0.000000000001", 1n],
    ["1", 10n ** 12n],
    ["10.50", 10_500_000_000_000n],
    ["9".repeat(26), (10n ** 26n - 1n) * 10n ** 12n],
    [`${"9".repeat(26)}.${"9".repeat(12)}`, UNITS_MAX],
  ])("%s", (text, value) => expect(parsePoints(text)).toBe(value));

  test.each([
    ["0.01", "0.01", true],
    ["0.01", "0.010", true],
    ["1", "1.000000000000", true],
    ["0.009999999999", "0.01", false],
    ["10", "9.999999999999", true],
  ])("whether %s is at least %s is %s", (value, least, expected) =>
    expect(isAtLeast(value, least)).toBe(expected),
  );

  test("any other text is rejected", () => {
    for (const text of NOT_AMOUNTS) {
      expect(isPoints(text), text.slice(0, 60)).toBe(false);
      expect(() => parsePoints(text)).toThrow(RangeError);
    }
  });
});

test("a timestamp has a date or a time with its zone, to the millisecond, from 1970 to 9999", () => {
  for (const [text, instant] of [
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00+14:00", "2026-01-30T22:00:00.000Z"],
    ["2026-01-31T12:00:00-12:00", "2026-02-01T00:00:00.000Z"],
    ["2026-01-31T12:00:00 02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00.123456-0730", "2026-01-31T19:30:00.123Z"],
    ["2026-01-31t12:00:00 0200", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31t12:00:00z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00-0730", "2026-01-31T19:30:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ] as const)
    expect(new Date(parseInstant(text)!).toISOString(), text).toBe(instant);
});

const NOT_TIMES = [
  ..."now 2026 2026-01 2026-13-01 2026-00-01 2026-02-30 2025-02-29 20260131T120000Z 2026-W05-6".split(" "),
  ..."2026-01-31T12:00:60Z 2026-01-31T24:00:00Z 2026-01-31T12:60:00Z 2026-01-31T12:00:00".split(" "),
  ..."1790000000 1790000000000 +010000-01-01T00:00:00Z -000001-01-01T00:00:00Z 2026-031 epoch".split(" "),
  ..."9999-12-31T23:59:59-12:00 2026-01-31T12:00:00+25:00 2026-01-31T12:00:00++02:00 infinity".split(" "),
  ..."2026-01-31T12:00:00+Z 2026-01-31T12:00:00+02 2026-01-31T12:00:00+0200x 31.01.2026".split(" "),
  ...["", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00 Z", "2026-01-31T12:00:00  02:00", "2026-01-31 02:00"],
  ...["2026-01-31\0", "2026-01-31\n", " 2026-01-31", "Sat, 31 Jan 2026 12:00:00 GMT"],
];

test("no other text is a timestamp", () => {
  for (const text of NOT_TIMES) expect(parseInstant(text), text).toBeNull();
});

describe("the document's pattern of a timestamp", () => {
  const { pattern, maxLength } = TimestampField.meta() as { pattern: string; maxLength: number };
  const matches = (text: string) => new RegExp(pattern).test(text) && text.length <= maxLength;
  const isAccepted = (text: string) => TimestampField.safeParse(text).success;

  test("has only texts that are accepted, apart from impossible days and times after 9999", () => {
    const isPossible = (text: string) => {
      const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
      const daysOfMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
      return day <= daysOfMonth && !text.startsWith("9999-12-31");
    };
    const stamps = fc.stringMatching(new RegExp(pattern)).filter(isPossible);
    fc.assert(fc.property(stamps, (text) => isAccepted(text) && text.length <= maxLength));
  });

  test("has every text that is accepted", () => {
    const part = (...texts: string[]) => fc.constantFrom(...texts);
    const stamps = fc
      .tuple(
        part("2026-11-29", "2024-02-29", "2025-02-29", "2026-13-01", "2026-11-31", "26-11-29", "20261129"),
        part("T", "t", " ", ""),
        part("01:27", "23:59", "24:00", "1:27", "0127", ""),
        part("", ":00", ":59", ":60", ":5"),
        part("", ".1", ".123", ".123456", ".123456789", ".1234567890123456", ",123", "."),
        part(
          "Z",
          "z",
          "",
          "+02:00",
          "-0730",
          " 0200",
          " 02:00",
          "+02",
          "+25:00",
          "\u221202:00",
          "[UTC]",
          "UTC",
        ),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(stamps, (text) => matches(text) || !isAccepted(text)),
      { numRuns: 5000 },
    );
  });
});

test("a batch ID has 1 to 64 letters, digits and some signs, and is not a relative path", () => {
  const isValid = (text: string) => BatchIdField.safeParse(text).success;
  const good = ["a", "0", "...", ".a", "..a", "a..", "A-Za-z0-9._:~-", "x".repeat(64), `..${"x".repeat(62)}`];
  const bad = ["", " ", "a b", "a/b", "\0", "é", "😀", "a+b", "a,b", "a;b=c", "a\n", "x".repeat(65)];
  expect([good.filter((id) => !isValid(id)), bad.filter(isValid)]).toEqual([[], []]);
});

test.each([
  ["1234567.5", "1,234,567.5"],
  ["-1234.000000000001", "-1,234.000000000001"],
  [`0.${"0".repeat(35)}1`, `0.${"0".repeat(35)}1`],
  [`${10n ** 77n}.5`, `100${",000".repeat(25)}.5`],
])("the digits of %s are grouped, and none is lost", (amount, grouped) => {
  expect(formatAmount(amount)).toBe(grouped);
});
